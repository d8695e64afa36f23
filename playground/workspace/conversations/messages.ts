import { tellChanged, tellDeleted, tellPosted } from '../dispatch/message-events.ts';
import { CHANNELS, DIRECT_MESSAGES } from './directory.ts';
import { shownFile } from './file-store.ts';
import type { StoredMessage } from './history.ts';
import type { Message } from '../protocol.ts';
import type { Workspace } from '../workspace.ts';

/** A message as the page shows it. */
export function shownMessage(workspace: Workspace, message: StoredMessage): Message {
  const { ephemeral_to, edited, files, ...rest } = message;
  const replies =
    message.thread_ts === message.ts ? workspace.history.replies(message.channel, message.ts).length : 0;
  return {
    ...rest,
    files: files.flatMap((id) => {
      const file = workspace.files.find(id);
      return file === undefined ? [] : [shownFile(file)];
    }),
    edited: edited !== undefined,
    ephemeral: ephemeral_to !== undefined,
    reply_count: replies,
  };
}

function audienceOf(message: StoredMessage): { users: readonly string[] } {
  if (message.ephemeral_to !== undefined) return { users: [message.ephemeral_to] };
  const conversation = [...CHANNELS, ...DIRECT_MESSAGES].find(({ id }) => id === message.channel);
  return { users: conversation?.members ?? [] };
}

export type NewMessage = Pick<StoredMessage, 'channel' | 'user' | 'is_bot' | 'text'> &
  Partial<
    Pick<StoredMessage, 'thread_ts' | 'blocks' | 'files' | 'attachments' | 'broadcast' | 'ephemeral_to'>
  >;

/** Says something in a channel: keeps it, and shows it to whoever may see it. */
export function addMessage(workspace: Workspace, message: NewMessage): StoredMessage {
  const { history, bus, clock, ids } = workspace;
  const stored: StoredMessage = {
    blocks: [],
    files: [],
    attachments: [],
    broadcast: false,
    ...message,
    ts: ids.ts(clock.now()),
  };
  history.save(stored);
  const shown = shownMessage(workspace, stored);
  const type = stored.ephemeral_to === undefined ? 'message' : 'ephemeral';
  bus.publish({ type, message: shown }, audienceOf(stored));
  if (stored.thread_ts !== undefined && stored.ephemeral_to === undefined) markThread(workspace, stored);
  tellPosted(workspace, stored);
  return stored;
}

/** The parent of a reply becomes the head of a thread, and its count of replies changes. */
function markThread(workspace: Workspace, reply: StoredMessage): void {
  const parent = workspace.history.find(reply.channel, reply.thread_ts ?? '');
  if (parent === undefined || parent.ts === reply.ts) return;
  const marked = { ...parent, thread_ts: parent.ts };
  workspace.history.save(marked);
  workspace.bus.publish(
    { type: 'message-changed', message: shownMessage(workspace, marked) },
    audienceOf(marked),
  );
}

/** Replaces what a message says. */
export function changeMessage(
  workspace: Workspace,
  message: StoredMessage,
  change: Partial<Pick<StoredMessage, 'text' | 'blocks' | 'attachments'>>,
): StoredMessage {
  const changed: StoredMessage = {
    ...message,
    ...change,
    edited: { user: message.user, ts: workspace.ids.ts(workspace.clock.now()) },
  };
  workspace.history.save(changed);
  workspace.bus.publish(
    { type: 'message-changed', message: shownMessage(workspace, changed) },
    audienceOf(changed),
  );
  tellChanged(workspace, changed, message);
  return changed;
}

export function deleteMessage(workspace: Workspace, message: StoredMessage): void {
  const { channel, ts } = message;
  workspace.history.remove(channel, ts);
  workspace.bus.publish({ type: 'message-deleted', channel, ts }, audienceOf(message));
  tellDeleted(workspace, message);
}
