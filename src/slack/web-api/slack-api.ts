import type { ModalView, HomeView } from '@slack/types';

import type { Card } from '../../core/request/request.ts';
import type { Message } from '../render/blocks.ts';

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
export interface SlackApi {
  authTest(): Promise<{ teamId: string; botUserId: string; scopes: readonly string[] }>;
  postMessage(channel: string, message: Message): Promise<Card>;
  updateMessage(card: Card, message: Message): Promise<void>;
  deleteMessage(card: Card): Promise<void>;
  postEphemeral(channel: string, user: string, message: Message): Promise<void>;
  permalink(card: Card): Promise<string>;
  openView(triggerId: string, view: ModalView): Promise<void>;
  updateView(viewId: string, hash: string | undefined, view: ModalView): Promise<void>;
  publishHome(user: string, view: HomeView): Promise<void>;
  person(user: string): Promise<SlackPerson>;
  usergroupMembers(usergroup: string): Promise<readonly string[]>;
  /** A file with a comment, in a channel or a direct message. */
  uploadFile(
    channel: string,
    file: { readonly name: string; readonly content: string; readonly title: string },
  ): Promise<void>;
  /** Answers through a `response_url`: at most 5 times in 30 minutes. */
  respond(
    responseUrl: string,
    answer: Message & { readonly replaceOriginal?: boolean; readonly inChannel?: boolean },
  ): Promise<void>;
}
