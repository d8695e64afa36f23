import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import {
  type Clock,
  type Deliveries,
  deliveryKind,
  type Log,
  type Waiting,
  waiting as waitingRow,
} from '../../model/ports.ts';
import type { Handler } from '../../model/records/due.ts';
import type { HeldDelivery, OpenDelivery } from '../../model/values/actor.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import { type PrivateApi, sendPrivately } from '../web-api/deliver.ts';
import { SlackError } from '../web-api/slack-error.ts';
import { slackTime } from '../render/text.ts';

interface InboxPorts {
  readonly store: Deliveries;
  readonly clock: Clock;
  readonly clockIsRight: () => boolean;
  readonly log: Log;
}

export interface DeliveryRecord {
  /** A hash of the parts that a redelivery repeats. */
  readonly key: string;
  readonly kind: string;
  /** The person who waits for the result. */
  readonly waiting?: Omit<Waiting, 'at'> | undefined;
}

export interface AcceptedDelivery {
  /** False for a redelivery. */
  readonly first: boolean;
  /**
   * Asks the store again, before a change that depends on the answer. Resolves to `first`, or rejects with `store-unavailable`. Undefined
   * if the store answered on arrival.
   */
  readonly recheckDuplicate?: (() => Promise<boolean>) | undefined;
  /** Undefined if no one waits, or the store has not recorded the payload yet. */
  readonly open?: OpenDelivery | undefined;
  /** Ends the record: no one waits for a result any more. */
  done(): void;
}

export type Inbox = ReturnType<typeof createInbox>;

/** In milliseconds. Slack retries for a little over 5 minutes. */
const deliveryMemoryMs = 15 * 60_000;

/** In milliseconds. A process that does not renew its deliveries for this long counts as dead. */
const holdMs = 15_000;

/** In milliseconds. While our clock is wrong, records are kept this much longer, because other replicas compare them with their clocks. */
const wrongClockMs = 24 * 60 * 60_000;

/** In milliseconds, of the 3 s that Slack waits. */
const storeWithinMs = 1000;

/** Records payloads before they are acknowledged, so that none is silently lost when a process dies. */
export function createInbox({ store, clock, clockIsRight, log }: InboxPorts) {
  const inFlight = new Set<string>();
  const closing = createClosing(store, log);
  return {
    /** Resolves within a second, even without the store. If the store can't tell, the payload counts as the first. */
    async accept({ key, kind, waiting }: DeliveryRecord): Promise<AcceptedDelivery> {
      const redelivery: AcceptedDelivery = { first: false, done: () => undefined };
      if (inFlight.has(key)) return redelivery;
      const at = clock.now();
      const by = randomUUID();
      const hold = waiting && { by, now: at, forMs: holdMs, waiting: { ...waiting, at } };
      const claim = (): Promise<boolean> =>
        clockIsRight()
          ? store.claimOnce(key, at, deliveryMemoryMs, hold)
          : // While our clock is wrong: at time 0, no record of another replica has expired.
            store.claimOnce(key, 0, at + deliveryMemoryMs + wrongClockMs, hold);
      if (hold) inFlight.add(key);
      const claimed = claim().catch((error: unknown) => {
        log.warn(
          { err: error, kind },
          'delivery not recorded: the store cannot tell whether it is a duplicate',
        );
        return undefined;
      });
      // An answer that arrived while the process was blocked still counts.
      const first = await Promise.race([claimed, clock.wait(storeWithinMs).then(() => nextTurn())]);
      if (first === false) {
        inFlight.delete(key);
        log.info({ kind }, 'duplicate delivery ignored');
        return redelivery;
      }
      let isClosed = false;
      return {
        first: true,
        recheckDuplicate: first === undefined ? claim : undefined,
        open: first && hold ? { key, by, closed: () => void (isClosed = true) } : undefined,
        done() {
          inFlight.delete(key);
          // If this process was silent for `holdMs`, another process may have made the delivery due just as
          // the step closed it.
          const wasSilent = clock.now() - at >= holdMs;
          if (!hold || (isClosed && !wasSilent)) return;
          // The store may write the record after the wait has ended.
          void claimed.then(() => closing.add({ key, by }));
        },
      };
    },
    /** Keeps deliveries in flight from counting as orphaned, and closes finished ones. Called every few seconds. */
    async renew(): Promise<void> {
      await closing.flush();
      if (inFlight.size > 0) await store.holdDeliveries([...inFlight], holdMs, clock.now());
    },
    inFlight: (key: string): boolean => inFlight.has(key),
    close: () => closing.flush(),
  };
}

/** The most finished deliveries that are kept while the store is unavailable. The newest are kept. */
const maxClosing = 20_000;
const closedTogether = 500;

/** While one statement runs, ended deliveries collect for the next. */
function createClosing(store: InboxPorts['store'], log: Log) {
  const closing = new Set<HeldDelivery>();
  let flushing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    while (closing.size > 0) {
      const held = closing.values().take(closedTogether).toArray();
      await store.closeDeliveries(held);
      for (const one of held) closing.delete(one);
    }
  };
  const flush = (): Promise<void> => {
    flushing ??= closeAll().finally(() => (flushing = undefined));
    return flushing;
  };
  return {
    flush,
    add(held: HeldDelivery): void {
      closing.add(held);
      const [oldest] = closing;
      if (closing.size > maxClosing && oldest !== undefined) closing.delete(oldest);
      flush().catch((error: unknown) =>
        log.warn({ err: error }, 'deliveries not closed yet, retrying later'),
      );
    },
  };
}

interface NotifierPorts {
  readonly inFlight: (key: string) => boolean;
  readonly api: PrivateApi;
  readonly log: Log;
  readonly disclaimers: readonly string[];
}

/**
 * Notifies people whose payloads a dead process had acknowledged. The payloads are not handled again, because a click from a while ago must
 * not act now.
 */
export const createInterruptionHandler = ({ inFlight, api, log, disclaimers }: NotifierPorts): Handler => ({
  kind: deliveryKind,
  atOnce: 10,
  trouble: 'interruption notice not delivered',
  byClock: true,
  renewed: true,
  async handle({ key, about, since, claimedAt }) {
    // The clock was set back since the renewal. The other process gets time to renew it before it counts as dead.
    if (inFlight(key) || since > claimedAt) return { againIn: holdMs };
    const waits = waitingRow.parse(about);
    try {
      await sendPrivately(api, { ...waits, user: waits.actor.user }, interruption(waits, disclaimers));
    } catch (error) {
      if (error instanceof SlackError && error.retryable) throw error;
      log.warn({ err: error }, 'interruption notice not delivered');
    }
    return { done: true };
  },
});

/** Another process went silent, but how far it got is unknown. */
function interruption({ what, at }: Waiting, disclaimers: readonly string[]): Message {
  const text =
    `⏳ Bellhop was interrupted while handling ${what} from ${slackTime(at)}, so it may or may not have run. ` +
    'Before you try again, look for its card or reply and check the target.';
  return textMessage(text, disclaimers);
}
