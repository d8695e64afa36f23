import { type Conversation } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { addReaction, changeMessage, deleteMessage, removeReaction } from '../conversations/messages.ts';
import { isReaction } from '../conversations/reaction-name.ts';
import type { Workspace } from '../workspace.ts';
import type { Gesture, Outcome } from './gestures.ts';
import { personOf, refused, RefusedGesture } from './outcomes.ts';
import { asMessage } from './person-text.ts';

/**
 * A message that everyone sees, in a conversation that the person is in.
 * @throws RefusedGesture if there is no such message
 */
export function seenMessage(
  workspace: Workspace,
  { channel, ts }: { readonly channel: string; readonly ts: string },
  user: string,
): { conversation: Conversation; message: StoredMessage } {
  const conversation = workspace.conversations.find(channel);
  const message = workspace.history.find(channel, ts);
  if (
    message === undefined ||
    message.ephemeral_to !== undefined ||
    message.tombstone ||
    !conversation?.members.includes(user)
  )
    throw new RefusedGesture('message_not_found', 'This message no longer exists.');
  return { conversation, message };
}

function ownMessage(workspace: Workspace, gesture: Gesture<'delete'>, refusal: string): StoredMessage {
  const { message } = seenMessage(workspace, gesture, personOf(gesture.as).id);
  if (message.user !== gesture.as)
    throw new RefusedGesture(refusal, 'Only the author of a message can change or delete it.');
  return message;
}

export async function edit(workspace: Workspace, gesture: Gesture<'edit'>): Promise<Outcome> {
  const message = ownMessage(workspace, gesture, 'cant_update_message');
  const typed = gesture.text.trim();
  if (typed === '') return refused('no_text', 'Write something, or delete the message.');
  const text = asMessage(workspace, typed);
  if (text !== message.text) changeMessage(workspace, message, { text });
  return { ok: true };
}

export async function remove(workspace: Workspace, gesture: Gesture<'delete'>): Promise<Outcome> {
  deleteMessage(workspace, ownMessage(workspace, gesture, 'cant_delete_message'));
  return { ok: true };
}

/** Puts an emoji on a message, or removes it if the person has already put it there. */
export async function react(workspace: Workspace, gesture: Gesture<'react'>): Promise<Outcome> {
  const { message } = seenMessage(workspace, gesture, personOf(gesture.as).id);
  const { as: user, name } = gesture;
  if (!isReaction(name)) return refused('invalid_name', `There is no emoji :${name}:.`);
  if (!addReaction(workspace, message, user, name)) removeReaction(workspace, message, user, name);
  return { ok: true };
}
