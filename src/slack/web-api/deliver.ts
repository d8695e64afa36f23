import type { MessageRef } from '../../model/values/actor.ts';
import type { Message } from '../render/blocks.ts';
import type { Responder, ResponseAnswer } from './response-url.ts';
import type { SlackApi } from './slack-api.ts';
import { cannotBeEdited, refusesContent, type SlackError } from './slack-error.ts';

/**
 * Edits a message. If there is no message yet, or Slack will never accept an edit of it, posts a new one.
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
  /** A payload without a channel gets the person's direct messages with the app, named by their id or the user's id. */
  readonly channel: string;
  readonly thread?: string | undefined;
  readonly responseUrl?: string | undefined;
  /** Whether to replace the original message of the URL. A reference names an earlier message to replace. */
  readonly replaces?: boolean | MessageRef | undefined;
}

export type PrivateApi = Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage' | 'updateMessage'>;

type Way = () => Promise<MessageRef | undefined>;

/**
 * Sends through the `response_url` if there is one. If that fails, sends an ephemeral message, or a normal
 * one in direct messages, and at last a direct message. Resolves to the message if it can be replaced later.
 * @throws SlackError
 * @param once only the first way is tried, without retries, because a later answer would be too late
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

/** Posts an answer for everyone, or replaces an earlier answer. @throws SlackError */
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

/**
 * Tries the ways in order. A message whose blocks Slack rejects is not sent another way, because the caller
 * sends it again with plain blocks.
 */
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
