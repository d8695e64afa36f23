import type { Log } from '../../core/model/ports.ts';
import type { Request } from '../../core/request/request.ts';
import type { SlackApi } from '../web-api/slack-api.ts';

/** A link to the card of a request. Undefined where it has none yet, or Slack does not tell. Never throws. */
export async function permalink(
  api: Pick<SlackApi, 'permalink'>,
  log: Log,
  { id, card }: Pick<Request, 'id' | 'card'>,
): Promise<string | undefined> {
  if (!card) return undefined;
  try {
    const link = await api.permalink(card);
    return /^https?:\/\/[^\s<>|()]+$/u.test(link) ? link : undefined;
  } catch (error) {
    log.warn({ err: error, requestId: id }, 'a link to a card could not be had');
    return undefined;
  }
}
