import { z } from 'zod';

import type { SuggestedAlert } from './alert.ts';
import type { AuditDraft } from './audit.ts';
import { type Actor, actor, sameActor, type MessageRef } from '../values/actor.ts';
import { isOpen, type Request, type RequestChanges, type State } from './request.ts';

/** One step of a request: happens only if the row is still in `from` at `version`. */
export interface Step {
  readonly id: string;
  readonly from: State;
  readonly version: number;
  readonly to: State;
  readonly changes: RequestChanges;
  /** While running, the length of the lease, or the time until its tasks are checked next, in milliseconds. */
  readonly leaseMs?: number | undefined;
  /**
   * Takes the step only if the lease is over. Renewal is also a conditional update, so only one of the two succeeds.
   */
  readonly leaseOver?: true | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Written in the same transaction: no step without its entries. */
  readonly audit: readonly AuditDraft[];
  /** Notices for the people who wait, written in the same transaction. */
  readonly notices?: readonly Notice[] | undefined;
  /** When the target of an accepted change is first checked, in epoch milliseconds. */
  readonly watchAt?: number | undefined;
  /** Checked in the same transaction against started changes; if it does not admit, there is no step. */
  readonly check?: StartCheck | undefined;
}

export interface StartCheck {
  readonly of: readonly StartFilter[];
  admits(started: readonly Start[]): boolean;
}

/** A filter for started changes, newest first. The result may include other labels. */
export interface StartFilter {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly targetKey?: string | undefined;
  readonly requester?: Actor | undefined;
  /** Names or `area.*`. Default: all. */
  readonly operations?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly limit: number;
}

/** A started change, as limits and guards see it. */
export type Start = Pick<Request, 'id' | 'state' | 'operation' | 'target' | 'requester'> & {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Only if a person settled it: the verdicts of the person and of the service's tasks. */
  readonly settled?: Request['outcome'];
};

/** A newly proposed request, and the open one of the same target that it replaces, if any. */
export interface Proposal {
  readonly request: Request;
  readonly supersedes?: Step | undefined;
  /**
   * The step of its rollout that proposes it. If another step was faster, nothing is written, and the current rollout is
   * returned.
   */
  readonly turn?: Step | undefined;
  readonly notices?: readonly Notice[] | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly audit: readonly AuditDraft[];
  /**
   * At most one request has this key, until it has ended before `freeBefore` (epoch milliseconds), or without a change. The key
   * identifies a button or form and a person, so that a double click is one request.
   */
  readonly press?: { readonly key: string; readonly freeBefore: number } | undefined;
  /**
   * The suggestion that the request comes from and ends; its entries are in `audit`. Rejects with a SuggestionEndedError if that
   * has ended before.
   */
  readonly ends?: SuggestedAlert | undefined;
}

/** The result of a proposal. */
export interface Proposed {
  /** The request in the way; nothing was written. */
  readonly conflict?: Request | undefined;
  /** The request that was superseded, or the rollout, as it is now. */
  readonly superseded?: Request | undefined;
  /** When the last attempt with an unknown outcome started, in epoch milliseconds. */
  readonly lastUnknownAt?: number | undefined;
}

export interface RequestFilter {
  readonly states?: readonly State[] | undefined;
  readonly targetKey?: string | undefined;
  readonly requester?: Actor | undefined;
  /** Omits the single requests of rollouts. */
  readonly whole?: true | undefined;
  /** Newest first, at most this many. */
  readonly limit: number;
}

/** Signs that a store was rolled back: a restore, restored files, a lagging standby. */
export type SetBackSign = 'restored' | 'moved' | 'entries missing' | 'step missing' | 'start missing';

/** A store that was rolled back. Times are epoch milliseconds. */
export interface SetBack {
  readonly sign: SetBackSign;
  /** When that was noticed. */
  readonly at: number;
  /** What it was restored from, such as `the standby`; undefined if unknown. */
  readonly source?: string | undefined;
  /** The newest checkpoint in it. */
  readonly checkpoint?: { readonly number: number; readonly size: number; readonly at: number } | undefined;
}

/** The result of handling a store that was rolled back. */
export interface EndedBySetBack {
  readonly setBack: SetBack;
  /** Requests that were open and are now unknown. Their cards are due. */
  readonly ended: readonly Pick<Request, 'id' | 'words'>[];
  readonly audit: readonly AuditDraft[];
}

/**
 * The requests of all replicas. Leases and due work use the database server's clock, so that replicas agree; the embedded
 * store uses `now` of its only process. Every method rejects with BellhopError `store-unavailable` if the database can't be
 * reached or is full. Lists skip rows that a newer version wrote and this one can't read; methods that name such a row reject.
 */
export interface Requests {
  /** Whether no other process can run requests while this one lives. */
  readonly soleProcess: boolean;
  /**
   * Inserts the request. At most one request per target key is open. If one other than `supersedes` is open, or the
   * same press has made one, nothing is written and that one is returned.
   */
  propose(proposal: Proposal): Promise<Proposed>;
  find(id: string): Promise<Request | undefined>;
  /** Like `find`, after waiting for steps in flight, because a commit whose answer was lost may still be finishing. */
  findCommitted(id: string): Promise<Request | undefined>;
  /**
   * The row after the step, or undefined if another step was faster. A start rejects if the store is known to be rolled
   * back.
   */
  advance(step: Step): Promise<Request | undefined>;
  /**
   * If the store was rolled back, ends every open request as unknown, in one transaction; otherwise undefined.
   * @param known what the caller knows; if undefined, the store and this process decide
   */
  endIfSetBack(now: number, known?: Pick<SetBack, 'sign' | 'source'>): Promise<EndedBySetBack | undefined>;
  /** Renews the lease of a running request; false if it no longer runs under this claim, or its lease is over. */
  renewLease(id: string, runner: string, leaseMs: number, now: number): Promise<boolean>;
  list(filter: RequestFilter): Promise<readonly Request[]>;
  /** Started changes that match any of the filters, newest first. */
  started(of: readonly StartFilter[]): Promise<readonly Start[]>;
}

const kinds = [
  'waiting',
  'reminder',
  'no login',
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

/** A notice: `waiting` and `reminder` go to the approvers, `further` to those who may approve from now on, the others to the requester. */
export const notice = z.object({
  requestId: z.string(),
  kind: z.enum(kinds),
  /** When it is due, in epoch milliseconds. */
  at: z.number(),
  /** The person who caused it, if any. */
  by: actor.optional(),
  why: z.string().optional(),
  /** The roles that a `further` notice asks. */
  roles: z.array(z.string()).optional(),
});

export type Notice = Readonly<z.output<typeof notice>>;

/** A step from any state: a known outcome counts, even after the store was restored. */
export function correctTo(
  at: number,
  seen: Request,
  to: State,
  changes: RequestChanges,
  audit: readonly AuditDraft[],
): Step {
  const notices = noticesOf(seen, to, changes, at);
  return { id: seen.id, from: seen.state, version: seen.version, to, at, changes, audit, notices };
}

/** Approvers are reminded when this fraction of the time is left. */
const reminderPart = 1 / 3;

/** The notices of a request that needs an approval. */
export function waitingNotices(
  { id, createdAt, expiresAt }: Pick<Request, 'id' | 'createdAt' | 'expiresAt'>,
  now: number,
): readonly Notice[] {
  const remindAt = Math.round(expiresAt - (expiresAt - createdAt) * reminderPart);
  return [
    { requestId: id, kind: 'waiting', at: now },
    ...(remindAt > now ? [{ requestId: id, kind: 'reminder', at: remindAt } as const] : []),
  ];
}

/** The notice that a step causes. */
function noticesOf(seen: Request, to: State, changes: RequestChanges, at: number): readonly Notice[] {
  if (to === seen.state) return [];
  if (to === 'awaiting approval') return waitingNotices(seen, at);
  const kind = noticeKind(seen, to, changes);
  if (kind === undefined) return [];
  const hand = changes.outcome?.settledByHand;
  const by = hand?.by ?? (byPerson.has(kind) ? changes.decidedBy : undefined);
  const { error } = changes.outcome ?? {};
  const why = hand?.reason ?? changes.note ?? error?.summary ?? error?.message;
  return [{ requestId: seen.id, kind, at, by, why }];
}

const byPerson: ReadonlySet<Notice['kind']> = new Set<Notice['kind']>([
  'approved',
  'denied',
  'replaced',
  'stopped',
]);

function noticeKind(seen: Request, to: State, { decidedBy }: RequestChanges): Notice['kind'] | undefined {
  if (!isOpen(seen.state)) return 'settled';
  switch (to) {
    case 'running':
      return seen.state === 'awaiting approval' ? 'approved' : undefined;
    case 'refused':
      return decidedBy ? 'denied' : 'refused';
    case 'expired':
    case 'failed':
    case 'unknown':
      return to;
    case 'succeeded':
      return seen.outcome?.tasks || seen.rollout ? 'done' : undefined;
    case 'cancelled':
      if (seen.rollout?.startedAt === undefined)
        return decidedBy && !sameActor(decidedBy, seen.requester) ? 'replaced' : undefined;
      return decidedBy && sameActor(decidedBy, seen.requester) ? undefined : 'stopped';
    case 'proposed':
    case 'awaiting approval':
      return undefined;
  }
}

/** A person closes a review with a word. */
export interface ReviewClosing {
  readonly requestId: string;
  readonly by: Actor;
  readonly at: number;
  readonly word: string;
  readonly audit: readonly AuditDraft[];
}

/** Break-glass reviews: a step of a request opens one, someone else closes it. */
export interface Reviews {
  /** Requests whose review is open, oldest first. */
  openReviews(limit: number): Promise<readonly Request[]>;
  /** The request with its review closed. Undefined if it was not open; then nothing is written. */
  closeReview(closing: ReviewClosing): Promise<Request | undefined>;
}

/** The positions of a request's messages in Slack. */
export interface Outbox {
  /** The position of a request's card; undefined before it is posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
  /** Records that the card shows `version`. False if a newer version was shown, which this one may have overwritten. */
  markCardShown(id: string, version: number, shown: MessageRef): Promise<boolean>;
  /** `message` is the newest announcement of the review. */
  keepAnnouncement(requestId: string, message: MessageRef): Promise<void>;
}
