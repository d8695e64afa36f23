import type { MessageRef } from '../../model/values/actor.ts';
import type { Message } from '../render/blocks.ts';
import type { Responder, ResponseAnswer } from './response-url.ts';
import type { SlackApi } from './slack-api.ts';
import { cannotBeEdited, refusesContent, type SlackError } from './slack-error.ts';

/**
 * Edits the message, or posts a new one if there is none or Slack will never accept the edit.
 * @param post gets Slack's refusal of the edit
 * @throws SlackError
 */
export async function editOrPost<T>(
  api: Pick<SlackApi, 'updateMessage'>,
  shown: MessageRef | undefined,
  message: Message,
  post: (refusal?: SlackError) => Promise<T>,
): Promise<MessageRef | T> {
  if (!shown) return post();
  try {
    return await edit(api, shown, message);
  } catch (error) {
    if (cannotBeEdited(error)) return post(error);
    throw error;
  }
}

export interface PrivateRecipient {
  readonly user: string;
  /** Without a channel in the payload, the direct messages with the app, named by their id or the user's. */
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly responseUrl?: string | undefined;
  /** Whether to replace the URL's original message, or which earlier message to replace. */
  readonly replaces?: boolean | MessageRef | undefined;
}

export type PrivateApi = Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage' | 'updateMessage'>;

type Way = () => Promise<MessageRef | undefined>;

/**
 * Tries the `response_url`, then an ephemeral message (in direct messages a normal one), at last a direct message. Resolves to the message
 * if it can be replaced later.
 * @throws SlackError
 * @param once only the first way, without retries, because a later answer would be too late
 */
export function sendPrivately(
  api: PrivateApi,
  { user, channel, thread, responseUrl, replaces = false }: PrivateRecipient,
  message: Message,
  once = false,
): Promise<MessageRef | undefined> {
  const ways: Way[] = [];
  if (typeof replaces === 'object') ways.push(() => edit(api, replaces, message));
  else if (responseUrl !== undefined)
    ways.push(() =>
      respond(api.respond, responseUrl, { ...message, replaceOriginal: replaces, thread, once }),
    );
  const isDirect = channel === user || channel.startsWith('D');
  if (isDirect) ways.push(() => api.postMessage(channel, message, thread, once));
  else
    ways.push(async () => {
      await api.postEphemeral(channel, user, message, thread, once);
      return undefined;
    });
  if (channel !== user) ways.push(() => api.postMessage(user, message, undefined, once));
  return firstThatWorks(once ? ways.slice(0, 1) : ways);
}

/** @throws SlackError */
export const sendPublicly = (
  api: Pick<SlackApi, 'postMessage' | 'updateMessage'>,
  { channel, thread }: Pick<PrivateRecipient, 'channel' | 'thread'>,
  replaces: PrivateRecipient['replaces'],
  message: Message,
): Promise<MessageRef | undefined> =>
  firstThatWorks([
    ...(typeof replaces === 'object' ? [() => edit(api, replaces, message)] : []),
    () => api.postMessage(channel, message, thread, false),
  ]);

/** If Slack rejects the blocks, no other way is tried, because the caller sends plain blocks. */
async function firstThatWorks(ways: readonly Way[]): Promise<MessageRef | undefined> {
  for (const [at, way] of ways.entries()) {
    try {
      return await way();
    } catch (error) {
      if (at === ways.length - 1 || refusesContent(error)) throw error;
    }
  }
  return undefined;
}

async function edit(
  api: Pick<SlackApi, 'updateMessage'>,
  shown: MessageRef,
  message: Message,
): Promise<MessageRef> {
  await api.updateMessage(shown, message);
  return shown;
}

async function respond(send: Responder, url: string, answer: ResponseAnswer): Promise<undefined> {
  try {
    await send(url, answer);
  } catch (error) {
    if (answer.replaceOriginal !== true || !cannotBeEdited(error)) throw error;
    await send(url, { ...answer, replaceOriginal: false });
  }
}
