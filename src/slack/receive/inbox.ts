import { randomUUID } from 'node:crypto';

import type { Clock, Log, Store } from '../../core/model/ports.ts';
import type { DeliveryRecord } from './delivery.ts';

type IntakeStore = Pick<Store, 'claimOnce' | 'holdDeliveries' | 'closeDeliveries'>;

interface IntakePorts {
  readonly store: IntakeStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** A payload that is in hand. */
export interface AcceptedDelivery {
  /** False for a redelivery: whoever took it first is at work on it, or was. */
  readonly first: boolean;
  /** Something came of it: nobody waits for it any more. */
  done(): void;
}

/** What is written down of payloads before they are acknowledged, so that none is silently lost with its process. */
export interface Inbox {
  /** Answers within a second, whether the store does or not; where it cannot tell, the payload counts as the first. */
  accept(delivered: DeliveryRecord): Promise<AcceptedDelivery>;
  /**
   * For a payload in hand that could not be written down: asks the store again, now that a change hangs on it. Undefined
   * where it was written down.
   */
  recheckDuplicate(key: string): (() => Promise<boolean>) | undefined;
  /** Says that this process still lives, and what it is done with. Called every few seconds. */
  renew(): Promise<void>;
  /** Says what it is done with. */
  close(): Promise<void>;
}

/** Slack retries a payload for a little over 5 minutes. */
const deliveryMemoryMs = 15 * 60_000;

/** A process that was silent for so long is taken for gone. In milliseconds. */
const holdMs = 15_000;

/** Of the 3 s that Slack waits, the store gets so many milliseconds. */
const storeWithinMs = 1000;

export function createInbox({ store, clock, log }: IntakePorts): Inbox {
  const held = new Set<string>();
  const doubted = new Map<string, () => Promise<boolean>>();
  const closing = createClosing(store, log);
  return {
    async accept({ key, kind, waiting }) {
      const again: AcceptedDelivery = { first: false, done: () => undefined };
      if (held.has(key)) return again;
      const at = clock.now();
      const by = randomUUID();
      const holding = waiting && { by, until: at + holdMs, waiting: { ...waiting, at } };
      const ask = (): Promise<boolean> => store.claimOnce(key, at, deliveryMemoryMs, holding);
      if (holding) held.add(key);
      const asked = ask().catch((error: unknown) => {
        log.warn({ err: error, kind }, 'the store cannot tell whether this is a redelivery');
        return undefined;
      });
      const first = await Promise.race([asked, clock.wait(storeWithinMs).then(nextTurn)]);
      if (first === false) {
        held.delete(key);
        log.info({ kind }, 'a redelivery was recognised');
        return again;
      }
      if (first === undefined) doubted.set(key, ask);
      return {
        first: true,
        done() {
          held.delete(key);
          doubted.delete(key);
          if (!holding) return;
          // What the store did not answer in time it may still write.
          void asked.then(() => closing.add(key));
        },
      };
    },
    recheckDuplicate: (key) => doubted.get(key),
    async renew() {
      await closing.flush();
      if (held.size > 0) await store.holdDeliveries([...held], clock.now() + holdMs);
    },
    close: () => closing.flush(),
  };
}

/** An answer that has arrived is heard first, also where the process was kept from working for that long. */
const nextTurn = (): Promise<undefined> => new Promise((resolve) => setImmediate(resolve, undefined));

/** While the store is away; of what it could not be told of on arrival it knows nothing anyway. */
const mostClosing = 20_000;
const closedAtOnce = 500;

/** Says of payloads that they are done with; those that end while others are said go together in the next statement. */
function createClosing(store: IntakeStore, log: Log) {
  const closing = new Set<string>();
  let flushing: Promise<void> | undefined;
  const closeAll = async (): Promise<void> => {
    while (closing.size > 0) {
      const keys = closing.values().take(closedAtOnce).toArray();
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
      if (closing.size > mostClosing && oldest !== undefined) closing.delete(oldest);
      flush().catch((error: unknown) =>
        log.warn({ err: error }, 'that payloads were worked on is said later'),
      );
    },
  };
}
