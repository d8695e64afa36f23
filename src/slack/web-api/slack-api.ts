import type { HomeView, ModalView } from '@slack/types';
import { z } from 'zod';

import type { Message } from '../render/blocks.ts';
import { createResponder, type ResponseAnswer, type ResponseUrlPorts } from './response-url.ts';
import type { SlackCall } from './slack-call.ts';
import { SlackError } from './slack-error.ts';
import { uploadFile } from './upload-file.ts';

/** A message that was posted. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
  /** The `ts` of the first message of the thread that it was posted in. */
  readonly thread?: string | undefined;
}

/** A person as `users.info` tells. */
export interface SlackPerson {
  readonly id: string;
  readonly teamId: string;
  readonly isBot: boolean;
  readonly isDeleted: boolean;
  /** `is_restricted` or `is_ultra_restricted`. */
  readonly isGuest: boolean;
  /** `is_stranger`: of another organisation, seen in a shared channel. */
  readonly isStranger: boolean;
  /** IANA zone. */
  readonly timeZone: string;
  /** As the profile has it. */
  readonly name?: string | undefined;
}

/**
 * The Web API methods that the bot uses, with parsed replies. Each lane has its own: `answers` for a person who waits,
 * `background` for the rest.
 * @throws SlackError from every method
 */
export interface SlackChannel {
  readonly isArchived: boolean;
  /** Whether the bot is in it: elsewhere it may post, and gets no mention. Undefined where Slack does not say. */
  readonly isMember?: boolean | undefined;
}

export interface SlackApi {
  authTest(): Promise<{ teamId: string; botUserId: string; scopes: readonly string[] }>;
  /** @param thread the `ts` of the message that it replies to */
  postMessage(channel: string, message: Message, thread?: string): Promise<MessageRef>;
  updateMessage(posted: MessageRef, message: Message): Promise<void>;
  deleteMessage(message: MessageRef): Promise<void>;
  /** Seen in a thread only where somebody has replied in it before. @param thread as for `postMessage` */
  postEphemeral(channel: string, user: string, message: Message, thread?: string): Promise<void>;
  permalink(message: MessageRef): Promise<string>;
  /** @param onTop of the modal that the trigger came from */
  openView(triggerId: string, view: ModalView, onTop?: boolean): Promise<void>;
  updateView(viewId: string, hash: string | undefined, view: ModalView): Promise<void>;
  publishHome(user: string, view: HomeView): Promise<void>;
  person(user: string): Promise<SlackPerson>;
  /** The id of whom this e-mail address belongs to; undefined where it is nobody's. Needs `users:read.email`. */
  userByEmail(email: string): Promise<string | undefined>;
  usergroupMembers(usergroup: string): Promise<readonly string[]>;
  /** Needs a scope that the bot itself has no use for, such as `channels:read`. */
  channel(channel: string): Promise<SlackChannel>;
  /** A file with a comment, in a channel or a direct message. */
  uploadFile(
    channel: string,
    file: { readonly name: string; readonly content: string; readonly title: string },
  ): Promise<void>;
  /** Answers through a `response_url`: at most 5 times in 30 minutes. */
  respond(responseUrl: string, answer: ResponseAnswer): Promise<void>;
}

const done = z.object({ ok: z.literal(true) });
const posted = z.object({ channel: z.string(), ts: z.string() });

const identity = z.object({
  team_id: z.string(),
  user_id: z.string(),
  response_metadata: z.object({ scopes: z.array(z.string()).default([]) }),
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

/** Nothing is taken for granted of what is left out, but of whom is let in by it anyway less: who left, and strangers. */
const userInfo = z.object({
  user: z.union([
    member,
    member.partial().extend({ id: z.string(), deleted: z.literal(true) }),
    member.partial().extend({ id: z.string(), deleted: z.literal(false), is_stranger: z.literal(true) }),
  ]),
});

/** Nothing in a message of ours is to be made into a preview or a mention by Slack. */
const content = ({ text, blocks }: Message) => ({
  text,
  blocks,
  unfurl_links: false,
  unfurl_media: false,
  link_names: false,
});

/** The methods that the bot uses, each with its arguments in Slack's words and its reply parsed. */
export function createSlackApi(call: SlackCall, ports: ResponseUrlPorts): SlackApi {
  return {
    async authTest() {
      const { team_id, user_id, response_metadata } = await call('auth.test', {}, identity);
      return { teamId: team_id, botUserId: user_id, scopes: response_metadata.scopes };
    },
    async postMessage(channel, message, thread) {
      const input = { channel, ...content(message), thread_ts: thread };
      return { ...(await call('chat.postMessage', input, posted)), thread };
    },
    async updateMessage({ channel, ts }, { text, blocks }) {
      await call('chat.update', { channel, ts, text, blocks, link_names: false }, done);
    },
    async deleteMessage({ channel, ts }) {
      await call('chat.delete', { channel, ts }, done);
    },
    async postEphemeral(channel, user, { text, blocks }, thread) {
      const input = { channel, user, text, blocks, link_names: false, thread_ts: thread };
      await call('chat.postEphemeral', input, done);
    },
    async permalink({ channel, ts }) {
      const reply = z.object({ permalink: z.string() });
      return (await call('chat.getPermalink', { channel, message_ts: ts }, reply)).permalink;
    },
    async openView(triggerId, view, onTop = false) {
      await call(onTop ? 'views.push' : 'views.open', { trigger_id: triggerId, view }, done);
    },
    async updateView(viewId, hash, view) {
      await call('views.update', { view_id: viewId, view, hash }, done);
    },
    async publishHome(user, view) {
      await call('views.publish', { user_id: user, view }, done);
    },
    async person(user) {
      return personOf((await call('users.info', { user }, userInfo)).user);
    },
    async userByEmail(email) {
      try {
        const reply = z.object({ user: z.object({ id: z.string() }) });
        return (await call('users.lookupByEmail', { email }, reply)).user.id;
      } catch (error) {
        if (error instanceof SlackError && error.slackCode === 'users_not_found') return undefined;
        throw error;
      }
    },
    async usergroupMembers(usergroup) {
      const reply = z.object({ users: z.array(z.string()) });
      return (await call('usergroups.users.list', { usergroup }, reply)).users;
    },
    async channel(channel) {
      const { is_archived: isArchived, is_member: isMember } = (
        await call('conversations.info', { channel }, conversationInfo)
      ).channel;
      return { isArchived, isMember };
    },
    uploadFile: (channel, file) => uploadFile({ call, ...ports }, channel, file),
    respond: createResponder(ports),
  };
}

/** Slack says of Slackbot that it is no bot. */
const slackbot = 'USLACKBOT';

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
