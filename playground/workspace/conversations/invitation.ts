import { APP, SLACKBOT, type Conversation, type Member } from './directory.ts';
import type { StoredMessage } from './history.ts';
import { addMessage, deleteMessage } from './messages.ts';
import { tellJoined, tellMention } from '../dispatch/message-events.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import type { Gesture, Outcome } from '../gestures/gestures.ts';

/** The app or people join a channel, by themselves or by invitation. Everyone in it sees that. */
export function addMembers(
  workspace: Workspace,
  place: Conversation,
  users: readonly string[],
  inviter?: string,
): Conversation {
  const people = users.filter((user) => user !== APP.user_id);
  const channel = {
    ...place,
    members: [...place.members, ...people],
    bot: botIsMember(workspace, place) || people.length < users.length,
  };
  const { id, kind, name, topic, members, bot: bot_is_member } = channel;
  workspace.conversations.save(channel);
  workspace.bus.publish(
    { type: 'channel', channel: { id, kind, name, topic, bot_is_member } },
    { users: members },
  );
  if (people.length > 0) workspace.bus.publish({ type: 'reload' }, { users: people });
  for (const user of users) tellJoined(workspace, channel, user, inviter);
  return channel;
}

/** The action id of Slackbot's button. */
const INVITE = 'invite';

/** If the app is mentioned in a channel that it is not in, Slackbot offers to invite it. */
export function offerInvitation(workspace: Workspace, place: Conversation, mention: StoredMessage): void {
  const { name } = workspace.manifest;
  const text = `You mentioned ${name}, but it is not in #${place.name}.`;
  addMessage(workspace, {
    channel: place.id,
    thread_ts: mention.thread_ts,
    user: SLACKBOT,
    is_bot: true,
    text,
    blocks: [
      { type: 'section', block_id: 'asked', text: { type: 'mrkdwn', text } },
      {
        type: 'actions',
        block_id: 'answer',
        elements: [button(`Invite ${name}`, INVITE, mention.ts), button('Do nothing', 'dismiss', mention.ts)],
      },
    ],
    ephemeral_to: mention.user,
  });
}

function button(text: string, action_id: string, value: string) {
  return { type: 'button', text: { type: 'plain_text', text }, action_id, value };
}

/** A press on one of these buttons. Once invited, the app receives the mention. */
export function answerOffer(
  workspace: Workspace,
  person: Member,
  offer: StoredMessage,
  { action_id }: Gesture<'action'>,
  mentionTs: string,
): Outcome {
  deleteMessage(workspace, offer);
  const place = workspace.conversations.find(offer.channel);
  if (action_id !== INVITE || place === undefined) return { ok: true };
  invite(workspace, person, place);
  const mention = workspace.history.find(offer.channel, mentionTs);
  if (mention !== undefined) tellMention(workspace, place, mention);
  return { ok: true };
}

/** Adds the app to a channel, if it is not in it yet. */
export function invite(workspace: Workspace, person: Member, place: Conversation): Outcome {
  if (!botIsMember(workspace, place)) addMembers(workspace, place, [APP.user_id], person.id);
  return { ok: true };
}
