import { z } from 'zod';

import type { AlertMessage } from './alert.ts';
import { actor } from './actor.ts';

/** Who is at work on a payload, and for whom. */
export interface DeliveryHold {
  /** Unique to this delivery. */
  readonly by: string;
  /** By the clock of this process, in epoch milliseconds. */
  readonly now: number;
  /** After this its holder is taken for gone, unless it said otherwise. In milliseconds from now. */
  readonly forMs: number;
  readonly waiting: Waiting;
}

/** What came from Slack, deduplicated and durable. Rejects with BellhopError `store-unavailable`. */
export interface Deliveries {
  /**
   * True for whoever names this key first within its life, and for the same holder again; false for a redelivery, on any
   * replica. With a holder, somebody waits for what comes of it: it is due unless it is closed or held again in time.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  /** Their holder is still at work on them. */
  holdDeliveries(keys: readonly string[], forMs: number, now: number): Promise<void>;
  /** Something came of them. */
  closeDeliveries(keys: readonly string[]): Promise<void>;
}

/** A message in Slack. */
export const messageRef = z.object({
  channel: z.string(),
  ts: z.string(),
  /** The `ts` of the first message of the thread that it was posted in. */
  thread: z.string().optional(),
});
export type MessageRef = Readonly<z.output<typeof messageRef>>;

/** Where messages about alerts stand in Slack. */
export interface AlertOutbox {
  /** It shows its version where it stands, or is shown no more where undefined. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined): Promise<void>;
}

/** Who waits for the result of an acknowledged payload, and is told if the process that handles it dies. */
export const waiting = z.object({
  actor,
  /** Where it was sent from. */
  channel: z.string(),
  thread: z.string().optional(),
  /** What was sent, in words: your `/cloud` command. */
  what: z.string(),
  /** When it arrived, in epoch milliseconds. */
  at: z.number(),
  /** Where Slack takes a private reply, for 30 minutes. */
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
