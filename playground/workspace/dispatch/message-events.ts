import { APP, findPerson, TEAM, type Conversation } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { sendEvent } from './events.ts';
import { tellMetadata } from './metadata-events.ts';
import { messagePayload } from './message-payload.ts';

/**
 * The events about messages by any author, if the app subscribes to them and is in the conversation. As in Slack, the
 * app also receives its own messages, with its `bot_id`.
 */

/** A message was posted. Messages that only one person sees cause no event. */
export function tellPosted(workspace: Workspace, message: StoredMessage): void {
  const place = audience(workspace, message);
  if (place === undefined) return;
  const shares = message.files.length > 0 && { subtype: 'file_share' };
  const event = { ...messagePayload(workspace, message), ...shares, channel: place.id, event_ts: message.ts };
  sendMessageEvent(workspace, place, event);
  tellMention(workspace, place, message);
  tellMetadata(workspace, place, message.ts, { now: message.metadata });
}

/** The text or blocks of a message changed. A person's edit that mentions the app is another mention, with `edited`. */
export function tellChanged(workspace: Workspace, message: StoredMessage, previous: StoredMessage): void {
  const place = audience(workspace, message);
  if (place === undefined) return;
  const ts = message.edited?.ts ?? workspace.ids.ts(workspace.clock.now());
  sendMessageEvent(workspace, place, {
    type: 'message',
    subtype: 'message_changed',
    message: messagePayload(workspace, message),
    previous_message: messagePayload(workspace, previous),
    channel: place.id,
    hidden: true,
    ts,
    event_ts: ts,
  });
  tellMention(workspace, place, message);
  tellMetadata(workspace, place, message.ts, { now: message.metadata, before: previous.metadata });
}

export function tellDeleted(workspace: Workspace, message: StoredMessage): void {
  const place = audience(workspace, message);
  if (place === undefined) return;
  const ts = workspace.ids.ts(workspace.clock.now());
  sendMessageEvent(workspace, place, {
    type: 'message',
    subtype: 'message_deleted',
    previous_message: messagePayload(workspace, message),
    channel: place.id,
    hidden: true,
    deleted_ts: message.ts,
    ts,
    event_ts: ts,
  });
  tellMetadata(workspace, place, message.ts, { before: message.metadata });
}

/**
 * `app_mention` for the app's `<@U…>` anywhere in a person's text, including code and quotes, as in Slack. Not in
 * direct messages. Source: docs.slack.dev/reference/events/app_mention.
 */
export function tellMention(workspace: Workspace, place: Conversation, message: StoredMessage): void {
  if (place.kind === 'im' || !mentionsApp(message)) return;
  sendEvent(
    workspace,
    'app_mention',
    {
      ...messagePayload(workspace, message),
      type: 'app_mention',
      channel: place.id,
      event_ts: message.edited?.ts ?? message.ts,
    },
    place.shared,
  );
}

/** Whether a person mentions the app in it. */
export function mentionsApp({ is_bot, text }: StoredMessage): boolean {
  return !is_bot && text.includes(`<@${APP.user_id}>`);
}

/** A person added an emoji to a message, or removed it. */
export function tellReaction(
  workspace: Workspace,
  message: StoredMessage,
  reaction: {
    readonly type: 'reaction_added' | 'reaction_removed';
    readonly user: string;
    readonly reaction: string;
  },
): void {
  const place = audience(workspace, message);
  if (place === undefined) return;
  const event = {
    ...reaction,
    item_user: message.user,
    item: { type: 'message', channel: place.id, ts: message.ts },
    event_ts: workspace.ids.ts(workspace.clock.now()),
  };
  sendEvent(workspace, reaction.type, event, place.shared);
}

/** The app or a person joined a channel that the app is in. */
export function tellJoined(
  workspace: Workspace,
  place: Conversation,
  user: string,
  inviter: string | undefined,
): void {
  if (!botIsMember(workspace, place)) return;
  sendEvent(
    workspace,
    'member_joined_channel',
    {
      type: 'member_joined_channel',
      user,
      channel: place.id,
      channel_type: 'C',
      team: findPerson(user)?.team_id ?? TEAM.id,
      inviter,
      event_ts: workspace.ids.ts(workspace.clock.now()),
    },
    place.shared,
  );
}

function sendMessageEvent(workspace: Workspace, place: Conversation, event: Record<string, unknown>): void {
  const name = place.kind === 'im' ? 'message.im' : 'message.channels';
  const channel_type = place.kind === 'im' ? 'im' : 'channel';
  sendEvent(workspace, name, { ...event, channel_type }, place.shared);
}

/** The conversation in which the app receives a message; undefined if the app does not receive it. */
function audience(workspace: Workspace, message: StoredMessage): Conversation | undefined {
  const place = workspace.conversations.find(message.channel);
  if (place === undefined || message.ephemeral_to !== undefined) return undefined;
  return botIsMember(workspace, place) ? place : undefined;
}
