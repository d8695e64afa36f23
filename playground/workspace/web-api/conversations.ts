import { z } from 'zod';
import { APP, DIRECT_MESSAGES, findPerson, type Conversation } from '../conversations/directory.ts';
import type { StoredMessage } from '../conversations/history.ts';
import { addMembers } from '../conversations/invitation.ts';
import { LIMITS } from '../limits.ts';
import { messagePayload } from '../dispatch/message-payload.ts';
import { slackConversation } from '../conversations/slack-objects.ts';
import { botIsMember, type Workspace } from '../workspace.ts';
import { flag, list, page, pageOf } from './arguments.ts';
import { method, MethodError } from './method.ts';

const inChannel = z.object({ channel: z.string() });
const READ = ['channels:read', 'groups:read', 'im:read', 'mpim:read'];
const HISTORY = ['channels:history', 'groups:history', 'im:history', 'mpim:history'];

/** Only by id: names are for chat.postMessage. */
function conversationOf(workspace: Workspace, id: string): Conversation {
  const conversation = workspace.conversations.find(id);
  if (conversation === undefined || conversation.id !== id) throw new MethodError('channel_not_found');
  return conversation;
}

function readable(workspace: Workspace, id: string): Conversation {
  const conversation = conversationOf(workspace, id);
  if (!botIsMember(workspace, conversation)) throw new MethodError('not_in_channel');
  return conversation;
}

const info = method({
  name: 'conversations.info',
  token: 'bot',
  scopes: READ,
  input: inChannel,
  run: (workspace, { channel }) => ({
    channel: slackConversation(workspace, conversationOf(workspace, channel)),
  }),
});

const all = method({
  name: 'conversations.list',
  token: 'bot',
  scopes: READ,
  input: z.object({ types: list, ...page(100, 1_000) }),
  run(workspace, { types = ['public_channel'], ...asked }) {
    const wanted = [
      ...(types.includes('public_channel') ? workspace.conversations.channels() : []),
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
    const conversation = conversationOf(workspace, channel);
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
    const conversation = conversationOf(workspace, channel);
    if (conversation.kind !== 'channel') throw new MethodError('method_not_supported_for_channel_type');
    const already = botIsMember(workspace, conversation);
    if (!already) addMembers(workspace, conversation, [APP.user_id]);
    return {
      channel: slackConversation(workspace, conversation),
      warning: already ? 'already_in_channel' : undefined,
    };
  },
});

/** Slack's errors for an invalid channel name. Source: docs.slack.dev/reference/methods/conversations.create. */
function nameRefusal(workspace: Workspace, name: string): string | undefined {
  if (name === '') return 'invalid_name_required';
  if (name.length > LIMITS.channelName) return 'invalid_name_maxlength';
  if (!/^[\p{Ll}\p{Lo}\p{N}_-]+$/u.test(name)) return 'invalid_name_specials';
  if (/^[_-]+$/.test(name)) return 'invalid_name_punctuation';
  return workspace.conversations.channels().some((channel) => channel.name === name)
    ? 'name_taken'
    : undefined;
}

/** Only public channels: private ones can't be created here. */
const create = method({
  name: 'conversations.create',
  token: 'bot',
  scopes: ['channels:manage'],
  input: z.object({ name: z.string(), is_private: flag }),
  run(workspace, { name, is_private }) {
    const refusal = nameRefusal(workspace, name) ?? (is_private ? 'restricted_action' : undefined);
    if (refusal !== undefined) throw new MethodError(refusal);
    const id = workspace.ids.next('C0');
    const channel = { id, kind: 'channel', name, topic: '', members: [], bot: true, shared: false } as const;
    workspace.conversations.save(channel);
    return { channel: slackConversation(workspace, channel) };
  },
});

/** Why a person can't be invited. */
function inviteRefusal(channel: Conversation, user: string): string | undefined {
  if (user === APP.user_id) return 'cant_invite_self';
  const person = findPerson(user);
  if (person === undefined) return 'user_not_found';
  if (channel.members.includes(user)) return 'already_in_channel';
  return person.kind === 'stranger' && !channel.shared ? 'no_external_invite_permission' : undefined;
}

/** One person who can't be invited fails the whole call, unless it is forced. */
const invite = method({
  name: 'conversations.invite',
  token: 'bot',
  scopes: ['channels:manage', 'channels:write.invites'],
  input: inChannel.extend({ users: list.unwrap(), force: flag }),
  run(workspace, { channel, users, force }) {
    const conversation = readable(workspace, channel);
    if (conversation.kind !== 'channel') throw new MethodError('method_not_supported_for_channel_type');
    const asked = [...new Set(users)];
    const errors = asked.flatMap((user) => {
      const error = inviteRefusal(conversation, user);
      return error === undefined ? [] : [{ user, ok: false, error }];
    });
    const [first] = errors;
    if (first !== undefined && (!force || errors.length === asked.length))
      throw new MethodError(first.error, { fields: { errors } });
    const invited = asked.filter((user) => !errors.some((one) => one.user === user));
    const joined = addMembers(workspace, conversation, invited, APP.user_id);
    return {
      channel: slackConversation(workspace, joined),
      errors: first === undefined ? undefined : errors,
    };
  },
});

/** A message as it is listed. Metadata by apps is included only if requested. */
function listed(workspace: Workspace, message: StoredMessage, withMetadata: boolean) {
  const metadata = withMetadata ? message.metadata : undefined;
  return { ...messagePayload(workspace, message), metadata };
}

/** Slack returns a cursor only if there are more pages. */
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

export const conversationMethods = [info, all, members, open, join, create, invite, history, replies];
