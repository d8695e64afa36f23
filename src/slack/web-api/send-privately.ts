import type { Message } from '../render/blocks.ts';
import type { MessageRef } from '../../model/actor.ts';
import type { SlackApi } from './slack-api.ts';
import { SlackError } from './slack-error.ts';

/** The recipient of a private message, and where. */
export interface PrivateRecipient {
  readonly user: string;
  /** Without a channel: the person's direct messages with the app, as its id or the user's. */
  readonly channel: string;
  readonly thread?: string | undefined;
  /** Slack's URL for private answers to a payload. */
  readonly responseUrl?: string | undefined;
}

interface SendOptions {
  /** Replaces the original message of the URL, or an earlier message to the person. */
  readonly replaces?: boolean | MessageRef | undefined;
  /** A failed `response_url` is not retried, because the answer would come too late. */
  readonly once?: boolean | undefined;
}

export type PrivateApi = Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage' | 'updateMessage'>;

/**
 * Sends through the `response_url` if there is one, otherwise as an ephemeral message, or a normal one in direct messages.
 * Resolves to the message if it can be replaced later. @throws SlackError
 */
export async function sendPrivately(
  api: PrivateApi,
  { user, channel, thread, responseUrl }: PrivateRecipient,
  message: Message,
  { replaces = false, once }: SendOptions = {},
): Promise<MessageRef | undefined> {
  if (typeof replaces === 'object') {
    await api.updateMessage(replaces, message);
    return replaces;
  }
  if (responseUrl !== undefined) {
    await respond(api, responseUrl, { ...message, replaceOriginal: replaces, thread, once });
    return undefined;
  }
  if (channel === user || channel.startsWith('D')) return api.postMessage(channel, message, thread);
  await api.postEphemeral(channel, user, message, thread);
  return undefined;
}

/** If Slack finds nothing to replace, the answer is sent as a new message. */
async function respond(
  api: PrivateApi,
  url: string,
  answer: Parameters<SlackApi['respond']>[1],
): Promise<void> {
  try {
    await api.respond(url, answer);
  } catch (error) {
    const nothingThere = error instanceof SlackError && error.slackCode === 'message_not_found';
    if (answer.replaceOriginal !== true || !nothingThere) throw error;
    await api.respond(url, { ...answer, replaceOriginal: false });
  }
}
