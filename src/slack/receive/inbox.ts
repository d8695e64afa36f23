import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Inbox as InboxStore, Waiting } from '../../model/outbox.ts';
import type { Clock, Log } from '../../model/ports.ts';

interface InboxPorts {
  readonly store: InboxStore;
  readonly clock: Clock;
  readonly clockIsRight: () => boolean;
  readonly log: Log;
}

/** A payload as its redelivery is recognised, and who waits for its result. */
export interface DeliveryRecord {
  /** A hash of what a redelivery repeats. */
  readonly key: string;
  /** For the log. */
  readonly kind: string;
  /** Undefined where nobody waits. */
  readonly waiting?: Omit<Waiting, 'at'> | undefined;
}

export interface AcceptedDelivery {
  /** False for a redelivery: another accepted it before. */
  readonly first: boolean;
  /**
   * Where the store could not tell on arrival: asks it again, now that a change hangs on it. Resolves to `first`, or
   * rejects with `store-unavailable`.
   */
  readonly recheckDuplicate?: (() => Promise<boolean>) | undefined;
  /** The work on it has ended: nobody waits for it any more. */
  done(): void;
}

/** What is recorded of payloads before they are acknowledged, so that none is silently lost with its process. */
export interface Inbox {
  /** Answers within a second, whether the store does or not; where it cannot tell, the payload counts as the first. */
  accept(delivery: DeliveryRecord): Promise<AcceptedDelivery>;
  /** Keeps the deliveries in flight from being taken for orphaned, and closes those that are done. Called every few seconds. */
  renew(): Promise<void>;
  /** Whether this process is at work on it. */
  inFlight(key: string): boolean;
  /** Closes those that are done. */
  close(): Promise<void>;
}

/** Slack retries a payload for a little over 5 minutes. */
const deliveryMemoryMs = 15 * 60_000;

/** A process that has not renewed its deliveries for so long counts as gone. In milliseconds. */
export const holdMs = 15_000;

/** While the clock is wrong, what it writes down lasts so much longer, in milliseconds: other replicas read it by theirs. */
const wrongClockMs = 24 * 60 * 60_000;

/** How many of the 3,000 ms that Slack waits the store gets. */
const storeWithinMs = 1000;

export function createInbox({ store, clock, clockIsRight, log }: InboxPorts): Inbox {
  const inFlight = new Set<string>();
  const closing = createClosing(store, log);
  return {
    async accept({ key, kind, waiting }) {
      const redelivery: AcceptedDelivery = { first: false, done: () => undefined };
      if (inFlight.has(key)) return redelivery;
      const at = clock.now();
      const by = randomUUID();
      const hold = waiting && { by, now: at, forMs: holdMs, waiting: { ...waiting, at } };
      const claim = (): Promise<boolean> =>
        clockIsRight()
          ? store.claimOnce(key, at, deliveryMemoryMs, hold)
          : // At 0 nothing is over yet that others wrote down.
            store.claimOnce(key, 0, at + deliveryMemoryMs + wrongClockMs, hold);
      if (hold) inFlight.add(key);
      const claimed = claim().catch((error: unknown) => {
        log.warn(
          { err: error, kind },
          'delivery not recorded: the store cannot tell whether it is a duplicate',
        );
        return undefined;
      });
      // An answer that has arrived is heard first, also where the process was kept from working for that long.
      const first = await Promise.race([claimed, clock.wait(storeWithinMs).then(() => nextTurn())]);
      if (first === false) {
        inFlight.delete(key);
        log.info({ kind }, 'duplicate delivery ignored');
        return redelivery;
      }
      return {
        first: true,
        recheckDuplicate: first === undefined ? claim : undefined,
        done() {
          inFlight.delete(key);
          if (!hold) return;
          // What the store did not answer in time it may still write.
          void claimed.then(() => closing.add(key));
        },
      };
    },
    async renew() {
      await closing.flush();
      if (inFlight.size > 0) await store.holdDeliveries([...inFlight], holdMs, clock.now());
    },
    inFlight: (key) => inFlight.has(key),
    close: () => closing.flush(),
  };
}

/** Kept while the store is away, the newest. */
const maxClosing = 20_000;
const closedTogether = 500;

/** Closes deliveries in the store; those that end during one statement go together in the next. */
function createClosing(store: InboxPorts['store'], log: Log) {
  const closing = new Set<string>();
  let flushing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    while (closing.size > 0) {
      const keys = closing.values().take(closedTogether).toArray();
      await store.closeDeliveries(keys);
      for (const key of keys) closing.delete(key);
    }
  };
  const flush = (): Promise<void> => {
    flushing ??= closeAll().finally(() => (flushing = undefined));
    return flushing;
  };
  return {
    flush,
    add(key: string): void {
      closing.add(key);
      const [oldest] = closing;
      if (closing.size > maxClosing && oldest !== undefined) closing.delete(oldest);
      flush().catch((error: unknown) =>
        log.warn({ err: error }, 'deliveries not closed yet: tried again later'),
      );
    },
  };
}
