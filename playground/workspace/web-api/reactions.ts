import { z } from 'zod';
import { APP } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { addReaction, removeReaction } from '../conversations/messages.ts';
import { isReaction } from '../conversations/reaction-name.ts';
import { permalinkOf } from '../conversations/slack-objects.ts';
import { messagePayload } from '../dispatch/message-payload.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { method, MethodError } from './method.ts';

const item = { channel: z.string().optional(), timestamp: z.string().optional() };
const named = z.object({ ...item, name: z.string() });

/** The message that the arguments name. @throws MethodError as Slack does */
function messageOf(
  workspace: Workspace,
  { channel, timestamp }: { channel?: string | undefined; timestamp?: string | undefined },
): StoredMessage {
  if (channel === undefined || timestamp === undefined) throw new MethodError('no_item_specified');
  const conversation = workspace.conversations.find(channel);
  if (conversation?.id !== channel) throw new MethodError('channel_not_found');
  if (!/^\d+\.\d{6}$/.test(timestamp)) throw new MethodError('bad_timestamp');
  const message = workspace.history.find(channel, timestamp);
  if (message === undefined || message.ephemeral_to !== undefined || message.tombstone)
    throw new MethodError('message_not_found');
  if (!botIsMember(workspace, conversation)) throw new MethodError('not_in_channel');
  return message;
}

/** A method that changes a reaction of the app, or returns `unchanged` if there is nothing to change. */
const changing = (name: string, change: typeof addReaction, unchanged: string) =>
  method({
    name,
    token: 'bot',
    scopes: ['reactions:write'],
    input: named,
    run(workspace, { name: reaction, ...where }) {
      const message = messageOf(workspace, where);
      if (!isReaction(reaction)) throw new MethodError('invalid_name');
      if (!change(workspace, message, APP.user_id, reaction)) throw new MethodError(unchanged);
      return {};
    },
  });

const add = changing('reactions.add', addReaction, 'already_reacted');
const remove = changing('reactions.remove', removeReaction, 'no_reaction');

const get = method({
  name: 'reactions.get',
  token: 'bot',
  scopes: ['reactions:read'],
  input: z.object(item),
  run(workspace, where) {
    const message = messageOf(workspace, where);
    const permalink = permalinkOf(workspace, message);
    return {
      type: 'message',
      channel: message.channel,
      message: { ...messagePayload(workspace, message), permalink },
    };
  },
});

export const reactionMethods = [add, remove, get];
