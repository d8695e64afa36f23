import type { Clock, OrphanedDelivery, Log, Store } from '../../core/model/ports.ts';
import type { Waiting } from '../../core/model/waiting.ts';
import { contextBlock, type Message, section } from '../render/blocks.ts';
import { noticeLines } from '../render/report/report.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { slackTime } from '../render/text.ts';

interface TellPorts {
  readonly store: Pick<Store, 'claimOrphanedDeliveries' | 'closeDeliveries'>;
  readonly api: Pick<SlackApi, 'respond' | 'postEphemeral' | 'postMessage'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: readonly string[];
}

const atMost = 20;
/** They are told one after another, each in a call to Slack of at most 10 s. */
const claimMs = atMost * 10_000 + 10_000;

/** After the store was away nobody could say that they live: they are given this long to say so. In milliseconds. */
const restMs = 10_000;

/**
 * Tells whoever waits for a payload that a process acknowledged and died over. It is not worked on again: a button that was
 * pressed a while ago must not act now. Safe on any number of replicas at once.
 */
export function createInterruptionNotifier({
  store,
  api,
  clock,
  log,
  notices,
}: TellPorts): () => Promise<void> {
  let restUntil = 0;
  const claim = async (): Promise<readonly OrphanedDelivery[]> => {
    try {
      return await store.claimOrphanedDeliveries(clock.now(), claimMs, atMost);
    } catch (error) {
      restUntil = clock.now() + restMs;
      throw error;
    }
  };
  return async () => {
    if (clock.now() < restUntil) return;
    for (const { key, waiting } of await claim()) {
      try {
        await tell(api, waiting, interruption(waiting, notices));
      } catch (error) {
        log.warn({ err: error }, 'somebody could not be told of an interruption');
        if (error instanceof SlackError && error.retryable) continue;
      }
      await store.closeDeliveries([key]);
    }
  };
}

async function tell(
  api: TellPorts['api'],
  { actor, channel, responseUrl }: Waiting,
  message: Message,
): Promise<void> {
  if (responseUrl !== undefined) return api.respond(responseUrl, { ...message, replaceOriginal: false });
  if (channel !== actor.user) return api.postEphemeral(channel, actor.user, message);
  await api.postMessage(actor.user, message);
  return undefined;
}

/** Claims no more than is known: whether something came of it, its card or answer tells. */
function interruption({ what, at }: Waiting, notices: readonly string[]): Message {
  const text =
    `⏳ Bellhop was interrupted while it worked on ${what} of ${slackTime(at)}. Look for the card or the answer: ` +
    'where nothing came of it, nothing was done. Then try again.';
  return {
    text,
    blocks: [section(text), ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))])],
  };
}
