import { z } from 'zod';

import type { Review, Notice } from './requests.ts';
import type { Request } from './request.ts';
import type { AlertMessage } from './alert.ts';
import { actor } from './actor.ts';

/** Who is at work on a payload, and for whom. */
export interface DeliveryHold {
  /** Unique to this delivery. */
  readonly by: string;
  /** After this its holder is taken for gone, unless it said otherwise. Epoch milliseconds. */
  readonly until: number;
  readonly waiting: Waiting;
}

/** What came from Slack, deduplicated and durable. */
export interface Inbox {
  /**
   * True for whoever names this key first within its life, and for the same holder again; false for a redelivery, on any
   * replica. With a holder, somebody waits for what comes of it until it is closed.
   */
  claimOnce(key: string, now: number, keepMs: number, held?: DeliveryHold): Promise<boolean>;
  /** Their holder is still at work on them. */
  holdDeliveries(keys: readonly string[], until: number): Promise<void>;
  /** Something came of them. */
  closeDeliveries(keys: readonly string[]): Promise<void>;
  /** Those whose holder is gone while somebody waits, claimed for `claimMs`. */
  claimOrphanedDeliveries(now: number, claimMs: number, limit: number): Promise<readonly OrphanedDelivery[]>;
}

export interface OrphanedDelivery {
  readonly key: string;
  readonly waiting: Waiting;
}

/** A message in Slack. */
export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
  /** The `ts` of the first message of the thread that it was posted in. */
  readonly thread?: string | undefined;
}

/** A review, and the newest message that announced it. */
export type Announcement = Review & { readonly message?: MessageRef | undefined };

/** What is to be shown in Slack, until it stands there. */
export interface Outbox {
  /**
   * Requests whose card does not yet show their version, whose next try is due, claimed for `claimMs` so that no
   * other replica takes them too. Oldest first.
   */
  claimStaleCards(now: number, claimMs: number, limit: number): Promise<readonly Request[]>;
  /** Where the card of a request is; undefined before it was posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
  /** The card shows `version`. False where a newer one was shown meanwhile, so that this may have overwritten it. */
  markCardShown(id: string, version: number, shown: MessageRef): Promise<boolean>;
  /** The card could not be shown; tried again at `retryAt`, or never where undefined. */
  markCardFailed(id: string, retryAt: number | undefined): Promise<void>;
  /** Notices that are due, claimed for `claimMs`, oldest first. */
  claimNotices(now: number, claimMs: number, limit: number): Promise<readonly Notice[]>;
  /** It is tried again at `againAt`; undefined: it stands in Slack, or is told no more. */
  settleNotice(told: Notice, againAt: number | undefined): Promise<void>;
  /** Reviews that are due to be announced, claimed for `claimMs`. */
  claimReviews(now: number, claimMs: number, limit: number): Promise<readonly Announcement[]>;
  /**
   * `announced` was announced in `message`, or could not be where undefined; again at `againAt`, or never where undefined.
   * Where it was closed meanwhile, the closing stays due.
   */
  markReviewAnnounced(
    announced: Review,
    message: MessageRef | undefined,
    againAt: number | undefined,
  ): Promise<void>;
}

/** Messages about alerts that are to be shown, until they stand in Slack. */
export interface AlertOutbox {
  /** Those that are behind and due, claimed for `claimMs`, oldest first. */
  claimAlertMessages(now: number, claimMs: number, limit: number): Promise<readonly AlertMessage[]>;
  /** It shows its version where it stands, or is shown no more where undefined; not edited again before `againAt`. */
  markAlertShown(message: AlertMessage, shown: MessageRef | undefined, againAt: number): Promise<void>;
  /** It could not be shown; tried again at `retryAt`, or at its next change where undefined. */
  markAlertFailed(id: string, retryAt: number | undefined): Promise<void>;
}

/** Who waits for the result of a payload, as it is stored with its delivery. */
export const waiting = z.object({
  actor,
  channel: z.string(),
  thread: z.string().optional(),
  what: z.string(),
  /** When it arrived, in epoch milliseconds. */
  at: z.number(),
  responseUrl: z.string().optional(),
});

export type Waiting = Readonly<z.output<typeof waiting>>;
