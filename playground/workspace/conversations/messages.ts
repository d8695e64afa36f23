import { tellChanged, tellDeleted, tellPosted, tellReaction } from '../dispatch/message-events.ts';
import { SLACKBOT } from './directory.ts';
import { shownFile } from './file-store.ts';
import type { StoredMessage } from './history.ts';
import type { Scheduled } from './scheduled.ts';
import type { Message } from '../protocol.ts';
import type { Workspace } from '../workspace.ts';

/** A message as the page shows it. */
export function shownMessage(workspace: Workspace, message: StoredMessage): Message {
  const { ephemeral_to, edited, files, metadata: _forApps, ...rest } = message;
  const replies =
    message.thread_ts === message.ts ? workspace.history.replies(message.channel, message.ts) : [];
  return {
    ...rest,
    files: files.flatMap((id) => {
      const file = workspace.files.find(id);
      return file === undefined ? [] : [shownFile(file)];
    }),
    edited: edited !== undefined,
    ephemeral: ephemeral_to !== undefined,
    reply_count: replies.length,
    latest_reply: replies.at(-1)?.ts ?? '',
    reply_users: [...new Set(replies.map(({ user }) => user))],
  };
}

function audienceOf({ conversations }: Workspace, message: StoredMessage): { users: readonly string[] } {
  if (message.ephemeral_to !== undefined) return { users: [message.ephemeral_to] };
  return { users: conversations.find(message.channel)?.members ?? [] };
}

export type NewMessage = Pick<StoredMessage, 'channel' | 'user' | 'is_bot' | 'text'> &
  Partial<
    Pick<
      StoredMessage,
      'thread_ts' | 'blocks' | 'files' | 'attachments' | 'broadcast' | 'ephemeral_to' | 'metadata'
    >
  >;

/** The initial members of a new message. */
export const NOTHING_YET = {
  blocks: [],
  files: [],
  attachments: [],
  broadcast: false,
  reactions: [],
  tombstone: false,
};

/** Posts a message: stores it, and shows it to everyone who may see it. */
export function addMessage(workspace: Workspace, message: NewMessage): StoredMessage {
  const { history, bus, clock, ids } = workspace;
  const stored: StoredMessage = {
    ...NOTHING_YET,
    ...message,
    ts: ids.ts(clock.now()),
  };
  history.save(stored);
  const shown = shownMessage(workspace, stored);
  const type = stored.ephemeral_to === undefined ? 'message' : 'ephemeral';
  bus.publish({ type, message: shown }, audienceOf(workspace, stored));
  if (stored.thread_ts !== undefined && stored.ephemeral_to === undefined) markThread(workspace, stored);
  tellPosted(workspace, stored);
  return stored;
}

/** Posts a scheduled message at its time. */
export function addLater(workspace: Workspace, { id, post_at, message }: Scheduled): void {
  workspace.clock.at(post_at * 1_000, () => {
    workspace.scheduled.remove(id);
    addMessage(workspace, message);
  });
}

/** The parent of a reply becomes the head of a thread, and its count of replies changes. */
function markThread(workspace: Workspace, reply: StoredMessage): void {
  const parent = workspace.history.find(reply.channel, reply.thread_ts ?? '');
  if (parent === undefined || parent.ts === reply.ts) return;
  replace(workspace, { ...parent, thread_ts: parent.ts });
}

/** Stores a changed message, and shows it to everyone who sees it. */
function replace(workspace: Workspace, message: StoredMessage): void {
  workspace.history.save(message);
  workspace.bus.publish(
    { type: 'message-changed', message: shownMessage(workspace, message) },
    audienceOf(workspace, message),
  );
}

/** Replaces a message's content. Without new metadata, the existing metadata stays. */
export function changeMessage(
  workspace: Workspace,
  message: StoredMessage,
  change: Partial<Pick<StoredMessage, 'text' | 'blocks' | 'attachments' | 'metadata'>>,
): StoredMessage {
  const changed: StoredMessage = {
    ...message,
    ...change,
    edited: { user: message.user, ts: workspace.ids.ts(workspace.clock.now()) },
  };
  replace(workspace, changed);
  tellChanged(workspace, changed, message);
  return changed;
}

/** Deletes a message. One with replies leaves a tombstone, so that its thread has a first message. */
export function deleteMessage(workspace: Workspace, message: StoredMessage): void {
  const { history, bus } = workspace;
  const { channel, ts, thread_ts } = message;
  if (thread_ts === ts && history.replies(channel, ts).length > 0) return bury(workspace, message);
  history.remove(channel, ts);
  bus.publish({ type: 'message-deleted', channel, ts }, audienceOf(workspace, message));
  if (thread_ts !== undefined && message.ephemeral_to === undefined) markThread(workspace, message);
  tellDeleted(workspace, message);
}

function bury(workspace: Workspace, message: StoredMessage): void {
  const { channel, ts, thread_ts } = message;
  const tombstone: StoredMessage = {
    channel,
    ts,
    thread_ts,
    user: SLACKBOT,
    is_bot: true,
    text: 'This message was deleted.',
    ...NOTHING_YET,
    tombstone: true,
  };
  replace(workspace, tombstone);
  tellChanged(workspace, tombstone, message);
}

/** Adds a person's emoji to a message. @returns false if it is already there */
export function addReaction(
  workspace: Workspace,
  message: StoredMessage,
  user: string,
  name: string,
): boolean {
  const found = message.reactions.find((reaction) => reaction.name === name);
  if (found?.users.includes(user)) return false;
  const reactions =
    found === undefined
      ? [...message.reactions, { name, users: [user] }]
      : message.reactions.map((one) => (one === found ? { name, users: [...one.users, user] } : one));
  replace(workspace, { ...message, reactions });
  tellReaction(workspace, message, { type: 'reaction_added', user, reaction: name });
  return true;
}

/** Removes a person's emoji from a message. @returns false if it is not there */
export function removeReaction(
  workspace: Workspace,
  message: StoredMessage,
  user: string,
  name: string,
): boolean {
  if (!message.reactions.some((reaction) => reaction.name === name && reaction.users.includes(user)))
    return false;
  const reactions = message.reactions
    .map((one) => (one.name === name ? { name, users: one.users.filter((each) => each !== user) } : one))
    .filter(({ users }) => users.length > 0);
  replace(workspace, { ...message, reactions });
  tellReaction(workspace, message, { type: 'reaction_removed', user, reaction: name });
  return true;
}
