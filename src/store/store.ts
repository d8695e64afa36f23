import type { AlertMessage } from '../core/alerts/alert.ts';
import type { Alerts } from '../core/alerts/alerts.ts';
import type { AuditDraft, AuditLog } from '../core/audit/audit.ts';
import type { Forwardings } from '../core/audit/forwarding.ts';
import type {
  Cosignatures,
  LastSealed,
  LogKeys,
  SealedLog,
  StoredCheckpoint,
} from '../core/audit/sealed-log.ts';
import type { Tally } from '../core/introspection/status.ts';
import type { Notice } from '../core/request/notice.ts';
import type { Request } from '../core/request/request.ts';
import type { Hash } from '../core/transparency/merkle.ts';
import type { Requests } from '../core/request/requests.ts';
import type { Review, Reviews } from '../core/review/review.ts';
import type { UnreadableRow } from './queries/parse-row.ts';
import type { Waiting } from './schema.ts';

export interface StoreOptions {
  /** Told of what goes wrong while nobody waits for an answer: a lost idle connection, for example. */
  readonly onProblem?: (problem: unknown) => void;
  /** Told of each row that a list leaves out because it cannot be read, each time. */
  readonly onUnreadable?: (row: UnreadableRow) => void;
  /** Leaves of the tree that this replica has sealed: a store with fewer went back in time. */
  readonly sealed?: number | undefined;
}

/**
 * All that is stored, for all replicas. Every method rejects with BellhopError `store-unavailable` where the database
 * cannot be reached or is full. Users name the part that they need.
 */
export interface Store
  extends
    Requests,
    AuditLog,
    SealedLog,
    Cosignatures,
    Forwardings,
    Sealing,
    Reviews,
    Alerts,
    Inbox,
    Outbox,
    AlertOutbox {
  /**
   * Removes at most `limit` requests that were settled, created before `olderThan`, and whose card shows it or was
   * given up. Resolves to how many; fewer than `limit` means that none is left. The audit keeps what they did.
   */
  removeSettled(olderThan: number, limit: number): Promise<number>;
  /**
   * Removes at most `limit` groups of alerts of which nothing was heard since `olderThan`, or that are too many, with
   * messages that tell of none. Resolves to how many groups; fewer than `limit` means that none is left.
   */
  removeAlerts(olderThan: number, limit: number): Promise<number>;
  /** What waits, counted. */
  tally(): Promise<Tally>;
  /** A cheap question to the database. Rejects where it cannot answer, or takes no changes since the last one was refused. */
  ping(): Promise<void>;
  /** What the clock of the database server says, in epoch milliseconds; undefined where the store is embedded. */
  serverTime(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** What makes the sealed log of recorded entries. */
export interface Sealing {
  /**
   * A round: verifies that one of these keys signed the newest checkpoint and that it continues `last`, then numbers
   * entries that were recorded, grows the tree over them and signs its checkpoint, all or nothing. One replica at a time.
   * Resolves to undefined where none waited and the newest checkpoint is `last`.
   * @param now epoch milliseconds
   * @param last left out: the newest checkpoint is believed if one of these keys signed it
   * @throws SealingStopped
   */
  seal(keys: LogKeys, now: number, last?: LastSealed): Promise<SealedRound | undefined>;
  /**
   * Seals this entry, and with it whatever log is there, whoever signed it: somebody has decided that these keys vouch
   * for it from now on.
   */
  adopt(keys: LogKeys, now: number, entry: AuditDraft): Promise<SealedRound>;
  /** Whether this process could change or remove what is sealed; true for an embedded store, which it owns. */
  mayRewrite(): Promise<boolean>;
}

export interface SealedRound {
  /** That of the tree after it. */
  readonly checkpoint: StoredCheckpoint;
  /** The edge of that tree. */
  readonly edge: readonly Hash[];
  /** More waits than goes into a round. */
  readonly more: boolean;
}

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
