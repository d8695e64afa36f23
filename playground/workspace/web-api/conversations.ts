import { z } from 'zod';
import {
  APP,
  CHANNELS,
  DIRECT_MESSAGES,
  findConversation,
  findPerson,
  type Conversation,
} from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { joinChannel } from '../conversations/invitation.ts';
import { messagePayload } from '../dispatch/message-payload.ts';
import { slackConversation } from '../conversations/slack-objects.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { flag, list, page, pageOf } from './arguments.ts';
import { method, MethodError } from './method.ts';

const inChannel = z.object({ channel: z.string() });
const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

/** Only by id: names are for chat.postMessage. */
function conversationOf(id: string): Conversation {
  const conversation = findConversation(id);
  if (conversation === undefined || conversation.id !== id) throw new MethodError('channel_not_found');
  return conversation;
}

function readable(workspace: Workspace, id: string): Conversation {
  const conversation = conversationOf(id);
  if (!botIsMember(workspace, conversation)) throw new MethodError('not_in_channel');
  return conversation;
}

const info = method({
  name: 'conversations.info',
  token: 'bot',
  scopes: READ,
  input: inChannel,
  run: (workspace, { channel }) => ({ channel: slackConversation(workspace, conversationOf(channel)) }),
});

const all = method({
  name: 'conversations.list',
  token: 'bot',
  scopes: READ,
  input: z.object({ types: list, ...page(100, 1_000) }),
  run(workspace, { types = ['public_channel'], ...asked }) {
    const wanted = [
      ...(types.includes('public_channel') ? CHANNELS : []),
      ...(types.includes('im') ? DIRECT_MESSAGES : []),
    ];
    const { items, next } = pageOf(wanted, asked);
    const channels = items.map((conversation) => slackConversation(workspace, conversation));
    return { channels, response_metadata: { next_cursor: next } };
  },
});

const members = method({
  name: 'conversations.members',
  token: 'bot',
  scopes: READ,
  input: inChannel.extend(page(100, 1_000)),
  run(workspace, { channel, ...asked }) {
    const conversation = conversationOf(channel);
    const bot = botIsMember(workspace, conversation) ? [APP.user_id] : [];
    const { items, next } = pageOf([...conversation.members, ...bot], asked);
    return { members: items, response_metadata: { next_cursor: next } };
  },
});

const open = method({
  name: 'conversations.open',
  token: 'bot',
  scopes: ['im:write', 'mpim:write', 'channels:manage', 'groups:write'],
  input: z.object({ channel: z.string().optional(), users: list, return_im: flag }),
  run(workspace, { channel, users = [], return_im }) {
    const [user] = users;
    if (channel === undefined && user === undefined) throw new MethodError('users_list_not_supplied');
    if (users.length > 1) throw new MethodError('not_enough_users');
    if (channel === undefined && findPerson(user ?? '') === undefined)
      throw new MethodError('user_not_found');
    const conversation = DIRECT_MESSAGES.find(({ id, members: [owner] }) => id === channel || owner === user);
    if (conversation === undefined)
      throw new MethodError(channel === undefined ? 'cannot_dm_bot' : 'channel_not_found');
    return { channel: return_im ? slackConversation(workspace, conversation) : { id: conversation.id } };
  },
});

const join = method({
  name: 'conversations.join',
  token: 'bot',
  scopes: ['channels:join'],
  input: inChannel,
  run(workspace, { channel }) {
    const conversation = conversationOf(channel);
    if (conversation.kind !== 'channel') throw new MethodError('method_not_supported_for_channel_type');
    const already = botIsMember(workspace, conversation);
    if (!already) joinChannel(workspace, conversation);
    return {
      channel: slackConversation(workspace, conversation),
      warning: already ? 'already_in_channel' : undefined,
    };
  },
});

/** A message as it is listed: with what apps attached to it only where that is asked for. */
function listed(workspace: Workspace, message: StoredMessage, withMetadata: boolean) {
  const metadata = withMetadata ? message.metadata : undefined;
  return { ...messagePayload(workspace, message), metadata };
}

/** Slack names a cursor only where there is more. */
function listedPage(
  workspace: Workspace,
  messages: readonly StoredMessage[],
  asked: { readonly limit: number; readonly cursor: string },
  withMetadata: boolean,
) {
  const { items, next } = pageOf(messages, asked);
  return {
    messages: items.map((message) => listed(workspace, message, withMetadata)),
    has_more: next !== '',
    ...(next === '' ? {} : { response_metadata: { next_cursor: next } }),
  };
}

const history = method({
  name: 'conversations.history',
  token: 'bot',
  scopes: HISTORY,
  input: z.object({
    channel: z.string(),
    ...page(100, 999),
    latest: z.string().optional(),
    oldest: z.string().default('0'),
    include_all_metadata: flag,
  }),
  run(workspace, { channel, latest, oldest, include_all_metadata, ...asked }) {
    const { id } = readable(workspace, channel);
    const within = workspace.history
      .list(id, Number.MAX_SAFE_INTEGER)
      .filter(({ ts, thread_ts, broadcast }) => thread_ts === undefined || thread_ts === ts || broadcast)
      .filter(({ ts }) => ts > oldest && (latest === undefined || ts < latest))
      .toReversed();
    return listedPage(workspace, within, asked, include_all_metadata);
  },
});

const replies = method({
  name: 'conversations.replies',
  token: 'bot',
  scopes: HISTORY,
  input: z.object({
    channel: z.string(),
    ts: z.string(),
    ...page(1_000, 1_000),
    include_all_metadata: flag,
  }),
  run(workspace, { channel, ts, include_all_metadata, ...asked }) {
    const { id } = readable(workspace, channel);
    const parent = workspace.history.find(id, ts);
    if (parent === undefined || parent.ephemeral_to !== undefined) throw new MethodError('thread_not_found');
    const thread = [parent, ...workspace.history.replies(id, ts)];
    return listedPage(workspace, thread, asked, include_all_metadata);
  },
});

export const conversationMethods = [info, all, members, open, join, history, replies];
