import type { HomeView, ModalView } from '@slack/types';
import { z } from 'zod';

import { sendOnce } from '../../http/send.ts';
import type { MessageRef } from '../../model/actor.ts';
import type { Message } from '../render/blocks.ts';
import { createResponder, isSlackAddress, type ResponseUrlPorts } from './response-url.ts';
import type { SlackCall } from './slack-call.ts';
import { noAnswer, SlackError } from './slack-error.ts';

/** A person from `users.info`. */
export interface SlackPerson {
  readonly id: string;
  readonly teamId: string;
  readonly isBot: boolean;
  readonly isDeleted: boolean;
  /** `is_restricted` or `is_ultra_restricted`. */
  readonly isGuest: boolean;
  /** `is_stranger`: of another organization, in a shared channel. */
  readonly isStranger: boolean;
  /** IANA zone. */
  readonly timeZone: string;
  /** As the profile has it. */
  readonly name?: string | undefined;
}

const done = z.object({ ok: z.literal(true) });
const posted = z.object({ channel: z.string(), ts: z.string() });

const identity = z.object({
  team_id: z.string(),
  user_id: z.string(),
  is_enterprise_install: z.boolean().default(false),
});

const member = z.object({
  id: z.string(),
  team_id: z.string(),
  deleted: z.boolean(),
  is_bot: z.boolean(),
  is_restricted: z.boolean(),
  is_ultra_restricted: z.boolean(),
  is_stranger: z.boolean().default(false),
  tz: z.string().nullish(),
  real_name: z.string().nullish(),
});

/** Missing flags default to the value that grants less, except those that Slack omits for members. */
const userInfo = z.object({
  user: z.union([
    member,
    member.partial().extend({ id: z.string(), deleted: z.literal(true) }),
    member.partial().extend({ id: z.string(), deleted: z.literal(false), is_stranger: z.literal(true) }),
  ]),
});

export type SlackApi = ReturnType<typeof createSlackApi>;

/**
 * The methods that the bot uses, with parsed replies. Each lane has its own: `answers` for a waiting person, `background` for
 * the rest. All of them throw SlackError.
 */
export const createSlackApi = (call: SlackCall, ports: ResponseUrlPorts) => ({
  ...messageMethods(call),
  ...lookUpMethods(call),
  /** A file, in a channel or a direct message. */
  uploadFile: (channel: string, file: UploadedFile): Promise<void> => uploadFile(call, ports, channel, file),
  /** Answers through a `response_url`: at most 5 times in 30 minutes. */
  respond: createResponder(ports),
});

/** Keeps Slack from adding previews and mentions to our messages. */
const inert = { unfurl_links: false, unfurl_media: false, link_names: false } as const;

const messageMethods = (call: SlackCall) => ({
  /** @param thread the `ts` of the message that it replies to */
  async postMessage(channel: string, { text, blocks }: Message, thread?: string): Promise<MessageRef> {
    const input = { channel, text, blocks, thread_ts: thread, ...inert };
    return { ...(await call('chat.postMessage', input, posted)), thread };
  },
  async updateMessage({ channel, ts }: MessageRef, { text, blocks }: Message): Promise<void> {
    await call('chat.update', { channel, ts, text, blocks, link_names: false }, done);
  },
  async deleteMessage({ channel, ts }: MessageRef): Promise<void> {
    await call('chat.delete', { channel, ts }, done);
  },
  /** Visible in a thread only if it already has replies. @param thread as for `postMessage` */
  async postEphemeral(
    channel: string,
    user: string,
    { text, blocks }: Message,
    thread?: string,
  ): Promise<void> {
    const input = { channel, user, text, blocks, link_names: false, thread_ts: thread };
    await call('chat.postEphemeral', input, done);
  },
  async permalink({ channel, ts }: MessageRef): Promise<string> {
    const reply = z.object({ permalink: z.string() });
    return (await call('chat.getPermalink', { channel, message_ts: ts }, reply)).permalink;
  },
  /** @param onTop opens it on top of the modal that the trigger came from */
  async openView(triggerId: string, view: ModalView, onTop = false): Promise<void> {
    await call(onTop ? 'views.push' : 'views.open', { trigger_id: triggerId, view }, done);
  },
  async updateView(viewId: string, hash: string | undefined, view: ModalView): Promise<void> {
    await call('views.update', { view_id: viewId, view, hash }, done);
  },
  async publishHome(user: string, view: HomeView): Promise<void> {
    await call('views.publish', { user_id: user, view }, done);
  },
});

const lookUpMethods = (call: SlackCall) => ({
  async authTest(): Promise<{ teamId: string; botUserId: string; ofOrganisation: boolean }> {
    const { team_id, user_id, is_enterprise_install } = await call('auth.test', {}, identity);
    return { teamId: team_id, botUserId: user_id, ofOrganisation: is_enterprise_install };
  },
  async person(user: string): Promise<SlackPerson> {
    return personOf((await call('users.info', { user }, userInfo)).user);
  },
  /** The user id with this e-mail address; undefined if there is none. Needs `users:read.email`. */
  async userByEmail(email: string): Promise<string | undefined> {
    try {
      const reply = z.object({ user: z.object({ id: z.string() }) });
      return (await call('users.lookupByEmail', { email }, reply)).user.id;
    } catch (error) {
      if (error instanceof SlackError && error.slackCode === 'users_not_found') return undefined;
      throw error;
    }
  },
  async usergroupMembers(usergroup: string): Promise<readonly string[]> {
    const reply = z.object({ users: z.array(z.string()) });
    return (await call('usergroups.users.list', { usergroup }, reply)).users;
  },
  /** Needs a scope that the bot does not request, such as `channels:read`. */
  async channel(channel: string): Promise<SlackChannel> {
    const { is_archived: isArchived, is_member: isMember } = (
      await call('conversations.info', { channel }, conversationInfo)
    ).channel;
    return { isArchived, isMember };
  },
});

/** Slack does not mark Slackbot as a bot. */
const slackbot = 'USLACKBOT';

interface SlackChannel {
  readonly isArchived: boolean;
  /** Whether the bot is a member. Otherwise it can post but gets no mentions. Undefined if Slack does not say. */
  readonly isMember?: boolean | undefined;
}

const conversationInfo = z.object({
  channel: z.object({ is_archived: z.boolean().default(false), is_member: z.boolean().optional() }),
});

const personOf = (user: z.output<typeof userInfo>['user']): SlackPerson => ({
  id: user.id,
  teamId: user.team_id ?? '',
  isBot: user.is_bot === true || user.id === slackbot,
  isDeleted: user.deleted,
  isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
  isStranger: user.is_stranger === true,
  timeZone: user.tz ?? 'UTC',
  name: user.real_name ?? undefined,
});

interface UploadedFile {
  readonly name: string;
  readonly content: string;
  readonly title: string;
}

const uploadUrl = z.object({ upload_url: z.url(), file_id: z.string() });

/** Uploads a file in Slack's three steps: get a URL, send the bytes, share the file. @throws SlackError */
async function uploadFile(
  call: SlackCall,
  { slackApiUrl, dispatcher, timeoutMs }: ResponseUrlPorts,
  channel: string,
  { name, content, title }: UploadedFile,
): Promise<void> {
  const bytes = Buffer.from(content, 'utf8');
  const place = await call('files.getUploadURLExternal', { filename: name, length: bytes.length }, uploadUrl);
  if (!isSlackAddress(place.upload_url, slackApiUrl)) {
    throw new SlackError('file upload', 'refused_url', { retryable: false, sent: false });
  }
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = await sendOnce(place.upload_url, {
    dispatcher,
    method: 'POST',
    headers,
    body: bytes,
    timeoutMs,
  });
  if (sent.kind === 'no-response') throw noAnswer('file upload', sent);
  const { status } = sent;
  if (status !== 200)
    throw new SlackError('file upload', `http_${status}`, { retryable: status >= 500, sent: false });
  await call(
    'files.completeUploadExternal',
    { files: [{ id: place.file_id, title }], channel_id: channel },
    z.object({ ok: z.literal(true) }),
  );
}
