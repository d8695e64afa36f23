import type { Actor, Membership, Person } from './actor.ts';
import type { AuditDraft, AuditEntry, AuditHead, KeptEntry } from '../audit/audit.ts';
import type { Card, Request, RequestChanges, State } from '../request/request.ts';

import type { Tally } from '../introspection/status.ts';
import type { Review } from '../review/review.ts';
import type { Waiting } from './waiting.ts';

export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Runs `task` every `ms` until the returned function is called. Does not keep the process alive. */
  every(ms: number, task: () => void): () => void;
  /** Resolves after `ms`. */
  wait(ms: number): Promise<void>;
}

export interface Ids {
  /** Short enough to be read aloud: `r-7k3m9qpd`. Unguessable. */
  request(): string;
  /** One for each ask; sent to the service as `X-Request-Id`. */
  correlation(): string;
}

/** One step of a request: happens only if the row is still in `from` at `version`. */
export interface Step {
  readonly id: string;
  readonly from: State;
  readonly version: number;
  readonly to: State;
  readonly changes: RequestChanges;
  /** Until then the process that takes this step shows the card; later any replica may. Epoch milliseconds. */
  readonly cardOwnerUntil: number;
  /** Written in the same transaction: no step without its entries. */
  readonly audit: readonly AuditDraft[];
  /** Opened in the same transaction: the step skips an approval. */
  readonly review?: Review | undefined;
  /** Asked in the same transaction, of all changes that others started since: where it does not admit, no step. */
  readonly check?: { readonly since: number; admits(started: readonly Start[]): boolean } | undefined;
}

/** A change that was started, as limits and guards look at it. */
export type Start = Pick<Request, 'id' | 'state' | 'operation' | 'target' | 'requester'> & {
  /** Epoch milliseconds. */
  readonly startedAt: number;
};

/** A newly proposed request, and the open one of the same target that it replaces, if any. */
export interface Proposal {
  readonly request: Request;
  readonly supersedes?: Step;
  /** As in a step. */
  readonly cardOwnerUntil: number;
  readonly audit: readonly AuditDraft[];
}

/** Who is at work on a payload, and for whom. */
export interface DeliveryHold {
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

/** A person closes a review with a word. */
export interface ReviewClosing {
  readonly requestId: string;
  readonly by: Actor;
  readonly at: number;
  readonly word: string;
  readonly audit: readonly AuditDraft[];
}

export interface RequestFilter {
  readonly states?: readonly State[];
  readonly targetKey?: string;
  readonly requester?: Actor;
  /** Newest first, at most this many. */
  readonly limit: number;
}

export interface AuditFilter {
  /** Only entries with a smaller `seq`, to page back in time. */
  readonly before?: number;
  readonly since?: number;
  readonly actor?: Actor;
  readonly targetName?: string;
  readonly requestId?: string;
  readonly limit: number;
}

/**
 * Every method rejects with BellhopError `store-unavailable` where the database cannot be reached or is full. Lists leave
 * out a row that a newer version wrote and this one cannot read; what names such a row rejects.
 */
export interface Store {
  /** No other process can be on this store while this one lives. */
  readonly soleProcess: boolean;
  /**
   * Inserts the request. At most one request of a target key is open at a time: where another than
   * `supersedes` is, nothing is written and that one is returned.
   */
  propose(proposal: Proposal): Promise<{ readonly conflict?: Request }>;
  find(id: string): Promise<Request | undefined>;
  /** The row after the step, or undefined where somebody else's step came first. */
  advance(step: Step): Promise<Request | undefined>;
  /** Moves the end of the lease of a running request; false where it no longer runs. */
  renewLease(id: string, version: number, leaseUntil: number): Promise<boolean>;
  list(filter: RequestFilter): Promise<readonly Request[]>;
  /** Open requests whose expiry, or running ones whose lease, lies at or before `now`; oldest first. */
  due(now: number, limit: number): Promise<readonly Request[]>;

  /** Appends entries to the chain, in order, all or none. */
  record(drafts: readonly AuditDraft[]): Promise<readonly AuditEntry[]>;
  /** Newest first. */
  audit(filter: AuditFilter): Promise<readonly AuditEntry[]>;
  /** Oldest first from after `seq`, for export; rejects rather than leave one out. */
  auditFrom(seq: number, limit: number): Promise<readonly AuditEntry[]>;
  /** The same as they are kept, for verification. */
  keptFrom(seq: number, limit: number): Promise<readonly KeptEntry[]>;
  auditHead(): Promise<AuditHead>;

  /** Changes started at or after `since`, newest first. */
  startedSince(since: number): Promise<readonly Start[]>;

  findReview(requestId: string): Promise<Review | undefined>;
  /** Oldest first. */
  openReviews(limit: number): Promise<readonly Review[]>;
  /** The review as closed, or undefined where it was not open: then nothing is written. */
  closeReview(closing: ReviewClosing): Promise<Review | undefined>;
  /** Reviews that are due to be told of, claimed for `claimMs`. */
  claimReviews(now: number, claimMs: number, limit: number): Promise<readonly Review[]>;
  /**
   * `told` was told of in `message`, or could not be where undefined; again at `againAt`, or never where undefined.
   * Where it was closed meanwhile, the closing stays due.
   */
  markReviewAnnounced(told: Review, message: Card | undefined, againAt: number | undefined): Promise<void>;

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

  /**
   * Requests whose card does not yet show their version, whose next try is due, claimed for `claimMs` so that no
   * other replica takes them too. Oldest first.
   */
  claimStaleCards(now: number, claimMs: number, limit: number): Promise<readonly Request[]>;
  /** The card shows `version`. False where a newer one was shown meanwhile, so that this may have overwritten it. */
  markCardShown(id: string, version: number, shown: Card): Promise<boolean>;
  /** The card could not be shown; tried again at `retryAt`, or never where undefined. */
  markCardFailed(id: string, retryAt: number | undefined): Promise<void>;

  /**
   * Removes at most `limit` requests that were settled, created before `olderThan`, and whose card shows it or was
   * given up. Resolves to how many; fewer than `limit` means that none is left. The audit keeps what they did.
   */
  removeSettled(olderThan: number, limit: number): Promise<number>;

  /** What waits, counted. */
  tally(): Promise<Tally>;

  /** A cheap question to the database. Rejects where it cannot answer, or takes no changes since the last one was refused. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The messages of requests. `changed` is told after the change is durable; it never throws, never blocks. */
export interface Messages {
  changed(request: Request): void;
  /** Where people find the message of a request; undefined where there is none, or it cannot be told. Never throws. */
  link(request: Request): Promise<string | undefined>;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Who people are, as the chat platform knows them. */
export interface Directory {
  /** Undefined where the person cannot be looked up. */
  person(actor: Actor): Promise<Person | undefined>;
  /** Whether the group lists this user id, whatever kind of member that is. */
  inUsergroup(group: string, actor: Actor): Promise<Membership>;
}
