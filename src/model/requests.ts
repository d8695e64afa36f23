import { z } from 'zod';

import type { SuggestedAlert } from './alert.ts';
import type { AuditDraft } from './audit.ts';
import { type Actor, actor, sameActor, type MessageRef } from './actor.ts';
import { isOpen, type Request, type RequestChanges, type State } from './request.ts';

/** One step of a request: happens only if the row is still in `from` at `version`. */
export interface Step {
  readonly id: string;
  readonly from: State;
  readonly version: number;
  readonly to: State;
  readonly changes: RequestChanges;
  /** While it runs: how long from now on its process is trusted to be at it, or until the next look at its tasks, in milliseconds. */
  readonly leaseMs?: number | undefined;
  /** Only where its lease is over: its process renews it in a conditional update as well, so that only one of both happens. */
  readonly leaseOver?: true | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Written in the same transaction: no step without its entries. */
  readonly audit: readonly AuditDraft[];
  /** To be told to those who wait, written in the same transaction. */
  readonly notices?: readonly Notice[] | undefined;
  /** When the target is looked at first, in epoch milliseconds: what was accepted is not done yet. */
  readonly watchAt?: number | undefined;
  /** Asked in the same transaction, of changes that others started: where it does not admit, no step. */
  readonly check?: StartCheck | undefined;
}

export interface StartCheck {
  readonly of: readonly StartFilter[];
  admits(started: readonly Start[]): boolean;
}

/** Which changes that were started are looked at, newest first. More of them may come than have these labels. */
export interface StartFilter {
  /** Epoch milliseconds. */
  readonly since: number;
  readonly targetKey?: string | undefined;
  readonly requester?: Actor | undefined;
  /** Names or `area.*`; all where absent. */
  readonly operations?: readonly string[] | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly limit: number;
}

/** A change that was started, as limits and guards look at it. */
export type Start = Pick<Request, 'id' | 'state' | 'operation' | 'target' | 'requester'> & {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Only of one that a person settled: what they and the service's tasks say of it. */
  readonly settled?: Request['outcome'];
};

/** A newly proposed request, and the open one of the same target that it replaces, if any. */
export interface Proposal {
  readonly request: Request;
  readonly supersedes?: Step | undefined;
  /** The step of its rollout to it. If that does not happen, nothing is written, and the rollout is returned as it is. */
  readonly turn?: Step | undefined;
  readonly notices?: readonly Notice[] | undefined;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly audit: readonly AuditDraft[];
  /**
   * At most one request has this key, until it ended before `freeBefore` (epoch milliseconds), or without a change. It is
   * that of a button or form and a person, so that a double click is one request.
   */
  readonly press?: { readonly key: string; readonly freeBefore: number } | undefined;
  /** The suggestion that it comes of, and ends; its entries are in `audit`. Where that had ended before, it rejects with a SuggestionEndedError. */
  readonly ends?: SuggestedAlert | undefined;
}

/** What came of a proposal. */
export interface Proposed {
  /** The one in the way: then nothing was written. */
  readonly conflict?: Request | undefined;
  /** The one that was superseded, or the rollout, as it is now. */
  readonly superseded?: Request | undefined;
  /** When the last attempt at the same began, where nobody knows what came of that. Epoch milliseconds. */
  readonly lastUnknownAt?: number | undefined;
}

export interface RequestFilter {
  readonly states?: readonly State[] | undefined;
  readonly targetKey?: string | undefined;
  readonly requester?: Actor | undefined;
  /** Leaves out the single requests of rollouts. */
  readonly whole?: true | undefined;
  /** Newest first, at most this many. */
  readonly limit: number;
}

/** What shows that a store went back in time: a restore, a copy of its files put back, a standby that lagged. */
export type SetBackSign = 'restored' | 'moved' | 'entries missing' | 'step missing' | 'start missing';

/** A store that is as it was at an earlier moment. Times are epoch milliseconds. */
export interface SetBack {
  readonly sign: SetBackSign;
  /** When that was noticed. */
  readonly at: number;
  /** What it was restored from, such as `the standby`; undefined where only its content tells. */
  readonly source?: string | undefined;
  /** The newest in it. */
  readonly checkpoint?: { readonly number: number; readonly size: number; readonly at: number } | undefined;
}

/** What was done in a store that went back in time. */
export interface EndedBySetBack {
  readonly setBack: SetBack;
  /** Requests that were open, and are unknown now. Their cards are due. */
  readonly ended: readonly Pick<Request, 'id' | 'words'>[];
  readonly audit: readonly AuditDraft[];
}

/**
 * The requests of all replicas. Leases, and what is due, go by the clock of the database server, so that replicas whose clocks
 * differ agree; the embedded store has none, and takes `now` of its only process. Every method rejects with BellhopError `store-unavailable` where the database cannot be
 * reached or is full. Lists leave out a row that a newer version wrote and this one cannot read; what names such a row
 * rejects.
 */
export interface Requests {
  /** No other process can be on these while this one lives. */
  readonly soleProcess: boolean;
  /**
   * Inserts the request. At most one request of a target key is open at a time: where another than
   * `supersedes` is, or one of the same press, nothing is written and that one is returned.
   */
  propose(proposal: Proposal): Promise<Proposed>;
  find(id: string): Promise<Request | undefined>;
  /** The same once no step of it is under way: one whose answer was lost may be committed only now. */
  findCommitted(id: string): Promise<Request | undefined>;
  /**
   * The row after the step, or undefined where somebody else's step came first. A start rejects where the store went back in
   * time, as far as it and this process can tell.
   */
  advance(step: Step): Promise<Request | undefined>;
  /**
   * Ends every open request as unknown, in one transaction, where the store went back in time; undefined where it did not.
   * @param known what the caller knows; undefined: what the store and this process can tell
   */
  endIfSetBack(now: number, known?: Pick<SetBack, 'sign' | 'source'>): Promise<EndedBySetBack | undefined>;
  /** Begins the lease of a running request anew; false where it no longer runs by this claim, or its lease is over. */
  renewLease(id: string, runner: string, leaseMs: number, now: number): Promise<boolean>;
  list(filter: RequestFilter): Promise<readonly Request[]>;
  /** Changes that were started, by any of the filters, newest first. */
  started(of: readonly StartFilter[]): Promise<readonly Start[]>;
}

const kinds = [
  'waiting',
  'reminder',
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

/** What somebody who waits is told: the approvers of `waiting` and `reminder`, of the others the requester. */
export const notice = z.object({
  requestId: z.string(),
  kind: z.enum(kinds),
  /** When it is due, in epoch milliseconds. */
  at: z.number(),
  /** Who did it, where a person did. */
  by: actor.optional(),
  why: z.string().optional(),
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
  const why = hand?.reason ?? changes.note ?? changes.outcome?.error?.message;
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

/** Break-glass reviews: a step of a request opens one, another person closes it. */
export interface Reviews {
  /** Requests whose review is open, oldest first. */
  openReviews(limit: number): Promise<readonly Request[]>;
  /** The request with its review closed, or undefined where that was not open: then nothing is written. */
  closeReview(closing: ReviewClosing): Promise<Request | undefined>;
}

/** Where what is shown of a request stands in Slack. */
export interface Outbox {
  /** Where the card of a request is; undefined before it was posted. */
  findCard(id: string): Promise<MessageRef | undefined>;
  /** The card shows `version`. False where a newer one was shown meanwhile, so that this may have overwritten it. */
  markCardShown(id: string, version: number, shown: MessageRef): Promise<boolean>;
  /** `message` is the newest that announced the review. */
  keepAnnouncement(requestId: string, message: MessageRef): Promise<void>;
}
