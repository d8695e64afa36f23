import type { Clock, Log } from '../../model/ports.ts';
import type { InboxStore, OrphanedDelivery, Waiting } from './inbox.ts';
import { contextBlock, type Message, section, noticeLines } from '../render/blocks.ts';
import { sendPrivately, type PrivateApi } from '../web-api/send-privately.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { slackTime } from '../render/text.ts';

interface NotifierPorts {
  readonly store: Pick<InboxStore, 'claimOrphanedDeliveries' | 'closeDeliveries'>;
  readonly api: PrivateApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly notices: readonly string[];
}

const claimedTogether = 20;
/** People are notified one after another, each in a call to Slack of at most 10 s. */
const claimMs = claimedTogether * 10_000 + 10_000;

/** While the store was away no replica could renew its deliveries: it gets this long to do so. In milliseconds. */
const restMs = 10_000;

/**
 * Notifies the people whose payloads a process acknowledged and died over. Such a payload is not handled again: a button
 * that was clicked a while ago must not act now. Safe on any number of replicas at once.
 */
export function createInterruptionNotifier({
  store,
  api,
  clock,
  log,
  notices,
}: NotifierPorts): () => Promise<void> {
  let restUntil = 0;
  const claim = async (): Promise<readonly OrphanedDelivery[]> => {
    try {
      return await store.claimOrphanedDeliveries(clock.now(), claimMs, claimedTogether);
    } catch (error) {
      restUntil = clock.now() + restMs;
      throw error;
    }
  };
  return async () => {
    if (clock.now() < restUntil) return;
    for (const { key, waiting } of await claim()) {
      try {
        await sendPrivately(api, { ...waiting, user: waiting.actor.user }, interruption(waiting, notices));
      } catch (error) {
        log.warn({ err: error }, 'interruption notice not delivered');
        if (error instanceof SlackError && error.retryable) continue;
      }
      await store.closeDeliveries([key]);
    }
  };
}

/** This process knows only that another fell silent over it, and not how far that had come. */
function interruption({ what, at }: Waiting, notices: readonly string[]): Message {
  const text =
    `⏳ Bellhop was interrupted while handling ${what} from ${slackTime(at)}, so it may or may not have run. ` +
    'Before you try again, look for its card or reply, and check the target.';
  return {
    text,
    blocks: [section(text), ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))])],
  };
}
