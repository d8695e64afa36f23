import { z } from 'zod';

import type { OfferEnd } from './offer.ts';
import type { AuditDraft } from './audit.ts';
import { type Due, type DueDraft, type DueKind, dueKind, type Outcome } from './due.ts';
import type { Target } from '../rulebook/target.ts';
import { type Actor, actor, type MessageRef, type OpenDelivery } from '../values/actor.ts';
import type { Request, RequestChanges, State } from './request.ts';

/** Taken only if the row still has the state and the version of `before`. */
export interface Step {
  /** As read. Its card, lease and review may have changed since. */
  readonly before: Request;
  readonly to: State;
  readonly changes: RequestChanges;
  /** In milliseconds. While running, the length of the lease, or the time until the request's tasks are checked next. */
  readonly leaseMs?: number | undefined;
  /** Takes the step only if the lease is over. A renewal is also a conditional update, so only one of the two succeeds. */
  readonly leaseOver?: true | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Written in the same transaction. */
  readonly audit: readonly AuditDraft[];
  /** Instead of the usual notices. Written in the same transaction. */
  readonly notices?: readonly Notice[] | undefined;
  /** In addition to what follows from the row. */
  readonly due?: readonly DueDraft[] | undefined;
  /** A step of another request, in the same transaction. Both steps are taken, or neither. */
  readonly replaces?: Step | undefined;
  /** Compares the step with started changes, in the same transaction. Taken only if this passes. */
  readonly check?: StartCheck | undefined;
  /** The payload that led to this step. Its record is closed in the same transaction. */
  readonly closes?: OpenDelivery | undefined;
}

export interface StartCheck {
  /** By kind: the keys of all lasting work that the decision knew. If the store has other work of these kinds, the step is not taken. */
  readonly lasting?: readonly { readonly kind: DueKind; readonly keys: readonly string[] }[] | undefined;
  readonly of: readonly StartFilter[];
  admits(started: readonly Start[]): boolean;
}

/** Newest first. The result may include other labels. */
export interface StartFilter {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly targetKey?: string | undefined;
  readonly requester?: Actor | undefined;
  /** Names, or `area.*`. Default: all. */
  readonly operations?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly limit: number;
}

export type Start = Pick<Request, 'id' | 'state' | 'operation' | 'target' | 'requester'> & {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Set only if a person settled the outcome. Has the verdicts of the person and of the service's tasks. */
  readonly settled?: Request['outcome'];
};

export interface Proposal {
  readonly request: Request;
  /** If another step was faster, nothing is written, and a blocking request is returned, or else this one as it was read. */
  readonly supersedes?: Step | undefined;
  /**
   * The step of the whole that proposes this request as its part. If another step of the whole was faster, nothing is written, and the
   * whole is returned as it was read.
   */
  readonly turn?: Step | undefined;
  readonly notices?: readonly Notice[] | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly audit: readonly AuditDraft[];
  /** One person and button (`key`) have at most one request that is open, or that may have changed something after `freeBefore`. */
  readonly press?: { readonly key: string; readonly freeBefore: number } | undefined;
  /** The payload that led to the proposal. Its record is closed in the same transaction. */
  readonly closes?: OpenDelivery | undefined;
  /** The offer that the request comes from and ends. Rejects with its error if the offer had ended. */
  readonly ends?: OfferEnd | undefined;
}

export interface Proposed {
  /** Blocks the proposal. Nothing was written then. */
  readonly conflict?: Request | undefined;
  /** The superseded request or the whole, as it is now. */
  readonly superseded?: Request | undefined;
  /** When the last attempt with an unknown outcome started, in epoch milliseconds. */
  readonly lastUnknownAt?: number | undefined;
  /** See `Request.recentChange`. */
  readonly recentChange?: string | undefined;
}

export interface RequestFilter {
  readonly states?: readonly State[] | undefined;
  readonly targetKey?: string | undefined;
  readonly operation?: string | undefined;
  readonly requester?: Actor | undefined;
  /** In the thread with this `ts`, created at `since` or later. The channel is not compared. */
  readonly thread?: { readonly ts: string; readonly since: number } | undefined;
  /** Omits parts of another request. */
  readonly whole?: true | undefined;
  /** Only requests that follow this one in the list, which is newest first. */
  readonly before?: Pick<Request, 'createdAt' | 'id'> | undefined;
  readonly limit: number;
}

/** A restore, restored files or a lagging standby rolled the store back. */
export type SetBackSign = 'restored' | 'moved' | 'entries missing' | 'step missing' | 'start missing';

/** Times are epoch milliseconds. */
export interface SetBack {
  readonly sign: SetBackSign;
  readonly at: number;
  /** The source of the restored data, such as `the standby`. */
  readonly source?: string | undefined;
  readonly checkpoint?: { readonly number: number; readonly size: number; readonly at: number } | undefined;
}

export interface EndedBySetBack {
  readonly setBack: SetBack;
  readonly ended: readonly Pick<Request, 'id' | 'words'>[];
  readonly audit: readonly AuditDraft[];
}

/**
 * The requests of all replicas. Leases and due work use the database server's clock, so that replicas agree. The embedded store uses `now`
 * of its only process. Every method rejects with BellhopError `store-unavailable` if the database can't be reached or is full. Lists skip
 * rows that only a newer version can read. A method that gets the id of such a row rejects.
 */
export interface Requests {
  /** Whether no other process can run requests while this process lives. */
  readonly soleProcess: boolean;
  /**
   * At most one request per target key is open. If one other than `supersedes` is open, or the same press has already made a request,
   * resolves to that request and writes nothing.
   */
  propose(proposal: Proposal): Promise<Proposed>;
  find(id: string): Promise<Request | undefined>;
  /** Like `find`, but waits for steps in flight, because a commit whose answer was lost may still be finishing. */
  findCommitted(id: string): Promise<Request | undefined>;
  /** Undefined if another step was faster. A start rejects if the store is known to be rolled back. */
  advance(step: Step): Promise<Request | undefined>;
  /**
   * If the store was rolled back, ends every open request as unknown, in one transaction.
   * @param known if undefined, the store and this process decide
   */
  endIfSetBack(now: number, known?: Pick<SetBack, 'sign' | 'source'>): Promise<EndedBySetBack | undefined>;
  /** False if the request no longer runs under this claim, or the lease is over. */
  renewLease(id: string, runner: string, leaseMs: number, now: number): Promise<boolean>;
  list(filter: RequestFilter): Promise<readonly Request[]>;
  /**
   * Makes each waiting request for these targets decide anew before it starts. Resolves to those running. A start that was decided without
   * the new lasting work is either among them or does not happen.
   * @param around the running whole that includes these targets, for the cards of the waiting requests
   */
  reconsider(meets: (target: Target) => boolean, now: number, around?: string): Promise<readonly Request[]>;
  /** Matches any of the filters. Newest first. */
  started(of: readonly StartFilter[]): Promise<readonly Start[]>;
}

const kinds = [
  'waiting',
  'reminder',
  'no login',
  'pressed',
  'further',
  'approved',
  'denied',
  'replaced',
  'refused',
  'expired',
  'failed',
  'unknown',
  'seen',
  'settled',
  'done',
  'watched',
  'paused',
  'stopped',
] as const;

/** `waiting` and `reminder` go to the approvers, `further` to roles that may now approve too, others to the requester. */
export const notice = z.object({
  requestId: z.string(),
  kind: z.enum(kinds),
  /** When the notice is due, in epoch milliseconds. */
  at: z.number(),
  by: actor.optional(),
  why: z.string().optional(),
  /** Set if a watched target did not reach its end state. */
  warns: z.literal(true).optional(),
  roles: z.array(z.string()).optional(),
});

export type Notice = Readonly<z.output<typeof notice>>;

/** A notice has to be posted. */
export const noticeKind = dueKind('notice');

/** A review has to be announced, or its closing has to be shown. */
export const reviewKind = dueKind('review');

export interface ReviewClosing {
  readonly requestId: string;
  readonly by: Actor;
  readonly at: number;
  readonly word: string;
  readonly audit: readonly AuditDraft[];
}

/** A step of a request opens a review, and someone else closes it. */
export interface Reviews {
  /** Oldest first. */
  openReviews(limit: number): Promise<readonly Request[]>;
  /** Undefined, and nothing is written, if the review was not open. */
  closeReview(closing: ReviewClosing): Promise<Request | undefined>;
}

export interface FinishedDue {
  readonly due: Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>;
  readonly outcome: Outcome;
  readonly now: number;
}

export interface Outbox {
  /** Undefined before the card is posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
  /**
   * False, and nothing is written, if a newer version was shown before. This version may then have replaced it in Slack.
   * @param finished the due work that showed the card, and its outcome, which has no work that follows
   */
  markCardShown(id: string, version: number, shown: MessageRef, finished?: FinishedDue): Promise<boolean>;
  keepAnnouncement(requestId: string, message: MessageRef): Promise<void>;
}
