import type { Message } from '../render/blocks.ts';
import type { SlackApi } from './slack-api.ts';

/** A person who is told something alone, and where. */
export interface PrivateRecipient {
  readonly user: string;
  /** Theirs with the app, as its id or the user's, for what came from no other. */
  readonly channel: string;
  readonly thread?: string | undefined;
  /** Where Slack takes private answers to a payload. */
  readonly responseUrl?: string | undefined;
}

/**
 * Through the `response_url` where there is one, else as a message that only they see. In a direct message that is any: one
 * that does not vanish. @throws SlackError
 */
export async function sendPrivately(
  api: Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage'>,
  { user, channel, thread, responseUrl }: PrivateRecipient,
  message: Message,
  replaceOriginal = false,
): Promise<void> {
  if (responseUrl !== undefined) await api.respond(responseUrl, { ...message, replaceOriginal, thread });
  else if (channel === user || channel.startsWith('D')) await api.postMessage(channel, message, thread);
  else await api.postEphemeral(channel, user, message, thread);
}
