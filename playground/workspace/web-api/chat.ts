import { z } from 'zod';
import { APP, findPerson, type Conversation } from '../conversations/directory.ts';
import { messagePayload } from '../dispatch/message-payload.ts';
import { metadataSchema, type Metadata, type StoredMessage } from '../conversations/history.ts';
import { slackIssues } from '../blocks/slack-issue.ts';
import { LIMITS } from '../limits.ts';
import {
  addLater,
  addMessage,
  changeMessage,
  deleteMessage,
  NOTHING_YET,
} from '../conversations/messages.ts';
import { checkContent, type GivenContent } from '../conversations/message-content.ts';
import { permalinkOf } from '../conversations/slack-objects.ts';
import { botIsMember, grantedScopes, type Workspace } from '../workspace.ts';
import { flag, json } from './arguments.ts';
import { method, MethodError } from './method.ts';

const content = {
  channel: z.string(),
  text: z.string().optional(),
  markdown_text: z.string().optional(),
  blocks: json.optional(),
  attachments: json.optional(),
};
/**
 * The metadata of a message, for other apps. An empty object removes existing metadata.
 * @throws MethodError with Slack's error
 */
function metadataOf(metadata: unknown): { metadata?: Metadata | undefined } {
  if (metadata === undefined) return {};
  if (typeof metadata !== 'object' || metadata === null) throw new MethodError('invalid_metadata_format');
  if (Object.keys(metadata).length === 0) return { metadata: undefined };
  const parsed = metadataSchema.safeParse(metadata);
  if (!parsed.success)
    throw new MethodError('invalid_metadata_schema', {
      messages: slackIssues(parsed.error.issues, '/metadata', metadata),
    });
  return { metadata: parsed.data };
}

const addressed = z.object({ channel: z.string(), ts: z.string() });

/** The conversation that the app may write to. @throws MethodError as Slack does */
export function writableConversation(workspace: Workspace, reference: string): Conversation {
  const conversation = workspace.conversations.find(reference);
  if (conversation === undefined) throw new MethodError('channel_not_found');
  if (botIsMember(workspace, conversation)) return conversation;
  if (grantedScopes(workspace).includes('chat:write.public')) return conversation;
  throw new MethodError('not_in_channel');
}

/** @throws MethodError with Slack's error */
function contentOf(workspace: Workspace, input: GivenContent, maxText?: number) {
  const checked = checkContent(workspace, input, maxText);
  if (!checked.ok) throw new MethodError(checked.error, { messages: checked.messages });
  const { text, blocks, attachments } = checked;
  return { text, blocks, attachments };
}

/** A reply belongs to the thread's first message. Slack also accepts the ts of a reply in that thread. */
function threadOf(
  workspace: Workspace,
  channel: string,
  thread_ts: string | undefined,
): { thread_ts?: string } {
  if (thread_ts === undefined || thread_ts === '') return {};
  const parent = workspace.history.find(channel, thread_ts);
  if (parent === undefined || parent.ephemeral_to !== undefined) throw new MethodError('thread_not_found');
  return { thread_ts: parent.thread_ts ?? parent.ts };
}

function ownMessage(
  workspace: Workspace,
  { channel, ts }: z.infer<typeof addressed>,
  refusal: string,
): StoredMessage {
  const conversation = workspace.conversations.find(channel);
  if (conversation === undefined || conversation.id !== channel) throw new MethodError('channel_not_found');
  const message = workspace.history.find(channel, ts);
  if (message === undefined || message.ephemeral_to !== undefined) throw new MethodError('message_not_found');
  if (message.user !== APP.user_id) throw new MethodError(refusal);
  return message;
}

const postMessage = method({
  name: 'chat.postMessage',
  token: 'bot',
  scopes: ['chat:write'],
  input: z.object({
    ...content,
    metadata: json.optional(),
    thread_ts: z.string().optional(),
    reply_broadcast: flag,
  }),
  run(workspace, input) {
    const conversation = writableConversation(workspace, input.channel);
    const wait = workspace.rates.take(`post/${conversation.id}`, LIMITS.post);
    if (wait > 0) throw new MethodError('ratelimited', { retryAfter: wait });
    const message = addMessage(workspace, {
      channel: conversation.id,
      user: APP.user_id,
      is_bot: true,
      ...contentOf(workspace, input),
      ...threadOf(workspace, conversation.id, input.thread_ts),
      ...metadataOf(input.metadata),
      broadcast: input.reply_broadcast,
    });
    return { channel: conversation.id, ts: message.ts, message: messagePayload(workspace, message) };
  },
});

const windowOf = (seconds: number): number => Math.floor(seconds / LIMITS.scheduleWindowSeconds);

/** @throws MethodError as Slack does for a time that it cannot keep */
function checkPostAt(workspace: Workspace, channel: string, post_at: number): void {
  const ahead = post_at - workspace.clock.now() / 1_000;
  if (ahead <= 0) throw new MethodError('time_in_past');
  if (ahead > LIMITS.scheduleAheadSeconds) throw new MethodError('time_too_far');
  const beside = workspace.scheduled
    .all()
    .filter((one) => one.message.channel === channel && windowOf(one.post_at) === windowOf(post_at));
  if (beside.length >= LIMITS.scheduledPerWindow) throw new MethodError('restricted_too_many');
}

const scheduleMessage = method({
  name: 'chat.scheduleMessage',
  token: 'bot',
  scopes: ['chat:write'],
  input: z.object({
    ...content,
    post_at: z.coerce.number().int(),
    thread_ts: z.string().optional(),
    reply_broadcast: flag,
  }),
  run(workspace, input) {
    const { id: channel } = writableConversation(workspace, input.channel);
    const { post_at } = input;
    checkPostAt(workspace, channel, post_at);
    const said = contentOf(workspace, input);
    const id = workspace.ids.next('Q0');
    const message = {
      ...NOTHING_YET,
      channel,
      user: APP.user_id,
      is_bot: true,
      ...said,
      ...threadOf(workspace, channel, input.thread_ts),
      broadcast: input.reply_broadcast,
    };
    workspace.scheduled.add({ id, post_at, message });
    addLater(workspace, { id, post_at, message });
    return {
      channel,
      scheduled_message_id: id,
      post_at,
      message: { type: 'delayed_message', subtype: 'bot_message', bot_id: APP.bot_id, ...said },
    };
  },
});

const postEphemeral = method({
  name: 'chat.postEphemeral',
  token: 'bot',
  scopes: ['chat:write'],
  input: z.object({ ...content, user: z.string(), thread_ts: z.string().optional() }),
  run(workspace, input) {
    const conversation = writableConversation(workspace, input.channel);
    if (!botIsMember(workspace, conversation)) throw new MethodError('not_in_channel');
    if (findPerson(input.user) === undefined) throw new MethodError('user_not_found');
    if (!conversation.members.includes(input.user)) throw new MethodError('user_not_in_channel');
    const message = addMessage(workspace, {
      channel: conversation.id,
      user: APP.user_id,
      is_bot: true,
      ...contentOf(workspace, input),
      ...threadOf(workspace, conversation.id, input.thread_ts),
      ephemeral_to: input.user,
    });
    return { message_ts: message.ts };
  },
});

const update = method({
  name: 'chat.update',
  token: 'bot',
  scopes: ['chat:write'],
  input: z.object({ ...content, metadata: json.optional(), ts: z.string() }),
  run(workspace, input) {
    const message = ownMessage(workspace, input, 'cant_update_message');
    const saysNothing = [input.text, input.markdown_text, input.blocks].every((part) => part === undefined);
    const given = {
      ...input,
      blocks: saysNothing ? message.blocks : input.blocks,
      attachments: input.attachments ?? message.attachments,
    };
    const changed = changeMessage(workspace, message, {
      ...contentOf(workspace, given, LIMITS.updateText),
      ...metadataOf(input.metadata),
    });
    const { channel, ts, text } = changed;
    return { channel, ts, text, message: messagePayload(workspace, changed) };
  },
});

const remove = method({
  name: 'chat.delete',
  token: 'bot',
  scopes: ['chat:write'],
  input: addressed,
  run(workspace, input) {
    const message = ownMessage(workspace, input, 'cant_delete_message');
    deleteMessage(workspace, message);
    return { channel: message.channel, ts: message.ts };
  },
});

const getPermalink = method({
  name: 'chat.getPermalink',
  token: 'bot',
  scopes: [],
  input: z.object({ channel: z.string(), message_ts: z.string() }),
  run(workspace, { channel, message_ts }) {
    if (workspace.conversations.find(channel)?.id !== channel) throw new MethodError('channel_not_found');
    const message = workspace.history.find(channel, message_ts);
    if (message === undefined) throw new MethodError('message_not_found');
    return { channel, permalink: permalinkOf(workspace, message) };
  },
});

export const chatMethods = [postMessage, scheduleMessage, postEphemeral, update, remove, getPermalink];
