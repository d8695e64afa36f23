import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

import type { Actor } from '../../model/actor.ts';
import type { Clock, Log } from '../../model/ports.ts';

/** Who waits for the result of an acknowledged payload, and is told if the process that handles it dies. */
export interface Waiting {
  readonly actor: Actor;
  /** Where it was sent from. */
  readonly channel: string;
  readonly thread?: string | undefined;
  /** What was sent, in words: your `/cloud` command. */
  readonly what: string;
  /** When it arrived, in epoch milliseconds. */
  readonly at: number;
  /** Where Slack takes a private reply, for 30 minutes. */
  readonly responseUrl?: string | undefined;
}

/** Who is at work on a payload, and for whom. */
interface DeliveryHold {
  /** Unique to this delivery. */
  readonly by: string;
  /** After this its holder is taken for gone, unless it said otherwise. Epoch milliseconds. */
  readonly until: number;
  readonly waiting: Waiting;
}

export interface OrphanedDelivery {
  readonly key: string;
  readonly waiting: Waiting;
}

/** What is kept of payloads, for all replicas. Rejects with BellhopError `store-unavailable`. */
export interface InboxStore {
  /** True for whoever names this key first within its life, and for the same holder again; false for a redelivery. */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  /** Their holder is still at work on them. */
  holdDeliveries(keys: readonly string[], until: number): Promise<void>;
  /** Something came of them. */
  closeDeliveries(keys: readonly string[]): Promise<void>;
  /** Those whose holder is gone while somebody waits, claimed for `claimMs`. */
  claimOrphanedDeliveries(now: number, claimMs: number, limit: number): Promise<readonly OrphanedDelivery[]>;
}

interface InboxPorts {
  readonly store: Omit<InboxStore, 'claimOrphanedDeliveries'>;
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
  /** Closes those that are done. */
  close(): Promise<void>;
}

/** Slack retries a payload for a little over 5 minutes. */
const deliveryMemoryMs = 15 * 60_000;

/** A process that has not renewed its deliveries for so long counts as gone. In milliseconds. */
const holdMs = 15_000;

/** While the clock is wrong, what it writes down lasts so much longer, in milliseconds: other replicas read it by theirs. */
const wrongClockMs = 24 * 60 * 60_000;

/** How many of the 3,000 ms that Slack waits the store gets. */
const storeWithinMs = 1000;

export function createInbox({ store, clock, clockIsRight, log }: InboxPorts): Inbox {
  const inFlight = new Set<string>();
  const closing = createClosing(store, log);
  const heldUntil = (now: number): number => now + holdMs + (clockIsRight() ? 0 : wrongClockMs);
  return {
    async accept({ key, kind, waiting }) {
      const redelivery: AcceptedDelivery = { first: false, done: () => undefined };
      if (inFlight.has(key)) return redelivery;
      const at = clock.now();
      const by = randomUUID();
      const hold = waiting && { by, until: heldUntil(at), waiting: { ...waiting, at } };
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
      if (inFlight.size > 0) await store.holdDeliveries([...inFlight], heldUntil(clock.now()));
    },
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
