import type { Message } from '../render/blocks.ts';
import type { MessageRef } from '../../model/actor.ts';
import type { SlackApi } from './slack-api.ts';
import { SlackError } from './slack-error.ts';

/** A person who is told something alone, and where. */
export interface PrivateRecipient {
  readonly user: string;
  /** Theirs with the app, as its id or the user's, for what came from no other. */
  readonly channel: string;
  readonly thread?: string | undefined;
  /** Where Slack takes private answers to a payload. */
  readonly responseUrl?: string | undefined;
}

interface SendOptions {
  /** What stands there gives way: what `replace_original` of the URL means, or an earlier message to them. */
  readonly replaces?: boolean | MessageRef | undefined;
  /** A `response_url` that fails is not tried again: soon it would come too late. */
  readonly once?: boolean | undefined;
}

export type PrivateApi = Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage' | 'updateMessage'>;

/**
 * Through the `response_url` where there is one, else as a message that only they see. In a direct message that is any: one
 * that does not vanish. Resolves to what can be replaced later, where Slack says that. @throws SlackError
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

/** What Slack finds nothing to replace for is answered below. */
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
