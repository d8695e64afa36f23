import type { HomeView, ModalView } from '@slack/types';
import { z } from 'zod';

import { sendOnce } from '../../http/send.ts';
import type { MessageRef } from '../../model/values/actor.ts';
import { badConfiguration } from '../../model/values/errors.ts';
import type { Message } from '../render/blocks.ts';
import {
  createPatience,
  createResponder,
  isSlackAddress,
  type Patiently,
  type ResponseUrlPorts,
} from './response-url.ts';
import { noAnswer, SlackError } from './slack-error.ts';

/** @throws SlackError */
export type SlackCall = <T>(
  method: string,
  given: Readonly<Record<string, unknown>>,
  reply: z.ZodType<T>,
) => Promise<T>;

export type SlackApi = ReturnType<typeof createSlackApi>;

/** Each lane has its own methods: `answers` for a waiting person, `background` for the rest. All throw SlackError. */
export function createSlackApi(call: SlackCall, ports: ResponseUrlPorts) {
  const patiently = createPatience(ports.clock);
  return {
    ...messageMethods(call, patiently),
    ...lookUpMethods(call),
    uploadFile: (channel: string, file: UploadedFile): Promise<void> =>
      uploadFile(call, ports, channel, file),
    /** At most 5 times in 30 minutes. */
    respond: createResponder(ports, patiently),
  };
}

const done = z.object({ ok: z.literal(true) }).transform((): void => undefined);
const posted = z.object({ channel: z.string(), ts: z.string() });
const opened = z.object({ view: z.object({ id: z.string() }) }).transform((reply) => reply.view.id);
const permalink = z.object({ permalink: z.string() }).transform((reply) => reply.permalink);

/** Keeps Slack from adding previews and mentions to Bellhop's messages. */
const inert = { unfurl_links: false, unfurl_media: false, link_names: false } as const;

const messageMethods = (call: SlackCall, patiently: Patiently) => ({
  /**
   * @param thread the `ts` of the message that this message replies to
   * @param once false for an answer to a person, which is retried here because no row in the store repeats it
   */
  async postMessage(
    channel: string,
    { text, blocks }: Message,
    thread?: string,
    once = true,
  ): Promise<MessageRef> {
    const input = { channel, text, blocks, thread_ts: thread, ...inert };
    return { ...(await patiently(() => call('chat.postMessage', input, posted), once)), thread };
  },
  updateMessage: ({ channel, ts }: MessageRef, { text, blocks }: Message) =>
    call('chat.update', { channel, ts, text, blocks, link_names: false }, done),
  deleteMessage: ({ channel, ts }: MessageRef) => call('chat.delete', { channel, ts }, done),
  /**
   * In a thread, visible only if the thread already has replies.
   * @param thread as for `postMessage`
   * @param once as for `postMessage`
   */
  postEphemeral: (
    channel: string,
    user: string,
    { text, blocks }: Message,
    thread?: string,
    once = true,
  ): Promise<void> => {
    const input = { channel, user, text, blocks, link_names: false, thread_ts: thread };
    return patiently(() => call('chat.postEphemeral', input, done), once);
  },
  permalink: ({ channel, ts }: MessageRef) =>
    call('chat.getPermalink', { channel, message_ts: ts }, permalink),
  /**
   * Resolves to the view's id.
   * @param onTop on top of the modal that the trigger came from
   */
  openView: (triggerId: string, view: ModalView, onTop = false) =>
    call(onTop ? 'views.push' : 'views.open', { trigger_id: triggerId, view }, opened),
  updateView: (viewId: string, hash: string | undefined, view: ModalView) =>
    call('views.update', { view_id: viewId, view, hash }, done),
  publishHome: (user: string, view: HomeView) => call('views.publish', { user_id: user, view }, done),
});

const lookUpMethods = (call: SlackCall) => ({
  authTest: () => call('auth.test', {}, identity),
  /** For an app-level token. Opens no connection yet. */
  checkAppToken: () => call('apps.connections.open', {}, done),
  person: (user: string): Promise<SlackPerson> => call('users.info', { user }, userInfo),
  /**
   * Undefined if there is no such user.
   * @throws BellhopError with the next action if the scope is missing, because the bot does not request it by default
   */
  userByEmail: async (email: string): Promise<string | undefined> => {
    try {
      return (await call('users.lookupByEmail', { email }, foundUser)).user.id;
    } catch (error) {
      const { slackCode } = error instanceof SlackError ? error : {};
      if (slackCode === 'users_not_found') return undefined;
      if (slackCode !== 'missing_scope') throw error;
      const text =
        'the app lacks the scope users:read.email. Add it under OAuth & Permissions, and reinstall the app';
      throw badConfiguration(text, { cause: error });
    }
  },
  usergroupMembers: async (usergroup: string): Promise<readonly string[]> =>
    (await call('usergroups.users.list', { usergroup }, groupMembers)).users,
  /** By id. */
  usergroupHandles: (): Promise<ReadonlyMap<string, string>> => call('usergroups.list', {}, groupHandles),
  /** Needs a scope that the bot does not request, such as `channels:read`. */
  channel: (channel: string) => call('conversations.info', { channel }, conversationInfo),
});

const identity = z
  .object({ team_id: z.string(), user_id: z.string(), is_enterprise_install: z.boolean().default(false) })
  .transform((reply) => ({
    teamId: reply.team_id,
    botUserId: reply.user_id,
    ofOrganization: reply.is_enterprise_install,
  }));

const foundUser = z.object({ user: z.object({ id: z.string() }) });
const groupMembers = z.object({ users: z.array(z.string()) });

const groupHandles = z
  .object({ usergroups: z.array(z.object({ id: z.string(), handle: z.string() })) })
  .transform(({ usergroups }) => new Map(usergroups.map(({ id, handle }) => [id, handle])));

const conversationInfo = z
  .object({
    channel: z.object({
      is_archived: z.boolean().default(false),
      is_member: z.boolean().optional(),
      name: z.string().optional(),
    }),
  })
  .transform(({ channel }) => ({
    isArchived: channel.is_archived,
    /** A non-member can post but gets no mentions. Undefined if Slack does not say. */
    isMember: channel.is_member,
    /** Undefined for a direct message. */
    name: channel.name,
  }));

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
  /** Enterprise Grid: the workspaces of the organization that the person is a member of. */
  enterprise_user: z
    .object({ teams: z.array(z.string()) })
    .nullish()
    .catch(undefined),
});

/** Slack does not mark Slackbot as a bot. */
const slackbot = 'USLACKBOT';

/** Missing flags default to the value that grants less, except those that Slack omits for members. */
const userInfo = z
  .object({
    user: z.union([
      member,
      member.partial().extend({ id: z.string(), deleted: z.literal(true) }),
      member.partial().extend({ id: z.string(), deleted: z.literal(false), is_stranger: z.literal(true) }),
    ]),
  })
  .transform(({ user }) => ({
    id: user.id,
    teamId: user.team_id ?? '',
    teams: user.enterprise_user?.teams ?? [],
    isBot: user.is_bot === true || user.id === slackbot,
    isDeleted: user.deleted,
    isGuest: user.is_restricted === true || user.is_ultra_restricted === true,
    /** From another organization, in a shared channel. */
    isStranger: user.is_stranger === true,
    /** An IANA zone. */
    timeZone: user.tz ?? 'UTC',
    name: user.real_name ?? undefined,
  }));

export type SlackPerson = Readonly<z.output<typeof userInfo>>;

interface UploadedFile {
  readonly name: string;
  readonly content: string;
  readonly title: string;
}

const uploadUrl = z.object({ upload_url: z.url(), file_id: z.string() });

/** @throws SlackError */
async function uploadFile(
  call: SlackCall,
  { slackApiUrl, dispatcher, timeoutMs }: ResponseUrlPorts,
  channel: string,
  { name, content, title }: UploadedFile,
): Promise<void> {
  const body = Buffer.from(content, 'utf8');
  const place = await call('files.getUploadURLExternal', { filename: name, length: body.length }, uploadUrl);
  if (!isSlackAddress(place.upload_url, slackApiUrl)) {
    throw new SlackError('file upload', 'refused_url', { retryable: false, sent: false });
  }
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = await sendOnce(place.upload_url, { dispatcher, method: 'POST', headers, body, timeoutMs });
  if (sent.kind === 'no-response') throw noAnswer('file upload', sent);
  const { status } = sent;
  if (status !== 200)
    throw new SlackError('file upload', `http_${status}`, { retryable: status >= 500, sent: false });
  const files = [{ id: place.file_id, title }];
  await call('files.completeUploadExternal', { files, channel_id: channel }, done);
}
