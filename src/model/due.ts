import type { Request } from './request.ts';
import type { Notice, Step } from './requests.ts';

export const dueKinds = [
  'card',
  'notice',
  'review',
  'alert',
  'suggestion',
  'deadline',
  'watch',
  'delivery',
  'forward',
  'checkpoint',
  'rollout',
] as const;
/**
 * `card`, `notice`, `review` and `alert`: a message in Slack is behind. `suggestion`: one of an agent expires. `deadline`: a request expires, its lease ends, its tasks or its
 * lost answer are looked for. `watch`: a target is looked at after a change. `delivery`: the process
 * of a payload may be gone. `forward`: a SIEM lacks sealed entries of the audit log. `checkpoint`: the newest is to be handed out.
 * `rollout`: its next step is to be looked for.
 */
export type DueKind = (typeof dueKinds)[number];

/** Work that one replica does at a certain time. Times are epoch milliseconds, by the clock of the store. */
export interface Due {
  readonly kind: DueKind;
  /** What it is about, such as the id of a request: one row for each. */
  readonly key: string;
  /** Of what it is about: where a newer one came while this was handled, that is handled as well. */
  readonly version: number;
  /** Since when it waits; later than `claimedAt` where that is before its time, because the clock was set back. */
  readonly since: number;
  readonly claimedAt: number;
  /** Claims since it was due. */
  readonly tries: number;
  /** What else its handler has to know; left out of a draft that keeps its time: as it was. */
  readonly about?: unknown;
}

/** Work to be done, written in the transaction of whatever makes it due. */
export interface DueDraft extends Pick<Due, 'kind' | 'key' | 'about'> {
  /** When it is due, in epoch milliseconds by the clock of this process. */
  readonly at: number;
  /** Left out: 1. */
  readonly version?: number;
  /** This process does it once it is committed: for `ownerMs` nobody else does. */
  readonly owned?: true;
  /** Where it is due already, its time stays: it is done too often else. */
  readonly keepsTime?: true;
}

/** Longer than its own process takes to do what it owns, in milliseconds. */
export const ownerMs = 12_000;

/**
 * What came of it: done, with what is due instead; or not before this many milliseconds from now; or not done, and tried
 * again after so many.
 */
export type Outcome =
  | { readonly done: true; readonly next?: readonly DueDraft[] }
  | { readonly againIn: number }
  | { readonly retryIn: number };

/** How many of a kind wait though their time has come, and for how long the oldest has, in milliseconds. */
export interface DueTally {
  readonly kind: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** What is due, of all replicas. Rejects with BellhopError `store-unavailable`. */
export interface DueWork {
  /** Those whose time has come, at most so many of each kind, for `claimMs` nobody else's. */
  claimDue(limits: ReadonlyMap<DueKind, number>, now: number, claimMs: number): Promise<readonly Due[]>;
  /** In a transaction of its own. */
  setDue(drafts: readonly DueDraft[], now: number): Promise<void>;
  /** What got a newer version meanwhile stays due. */
  settleDue(
    due: Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>,
    outcome: Outcome,
    now: number,
  ): Promise<void>;
}

/** What a step or a proposal makes due. */
type Makes = Pick<Step, 'at'> & Partial<Pick<Step, 'from' | 'notices' | 'watchAt' | 'changes' | 'leaseMs'>>;

/** What is due after a step or a proposal, and whether its deadline is not any more. `row` is the request after it. */
export function dueAfter(step: Makes, row: Request): { set: readonly DueDraft[]; ends: boolean } {
  const { id: key, version } = row;
  const { at } = step;
  const deadline = deadlineAfter(step, row);
  const deadlines =
    typeof deadline === 'number' ? [{ kind: 'deadline', key, version, at: deadline } as const] : [];
  // The single request of a rollout has no messages of its own.
  if (row.partOf !== undefined)
    return {
      set: [{ kind: 'rollout', key: row.partOf, version, at }, ...deadlines],
      ends: deadline === 'none',
    };
  return {
    set: [
      { kind: 'card', key, version, at, owned: true },
      ...(row.rollout && row.state === 'running' ? [{ kind: 'rollout', key, version, at } as const] : []),
      ...deadlines,
      ...(step.notices ?? []).map(noticeDue),
      ...(step.watchAt === undefined ? [] : [{ kind: 'watch', key, at: step.watchAt } as const]),
      ...(step.changes?.review === undefined ? [] : [{ kind: 'review', key, at } as const]),
    ],
    ends: deadline === 'none',
  };
}

/** One of a kind for each request. */
export const noticeDue = (notice: Notice): DueDraft => ({
  kind: 'notice',
  key: `${notice.requestId} ${notice.kind}`,
  at: notice.at,
  about: notice,
});

/** When time changes the request by itself; undefined: as before. */
function deadlineAfter(
  step: Makes,
  { state, expiresAt, outcome, rollout }: Request,
): number | 'none' | undefined {
  switch (state) {
    case 'proposed':
    case 'awaiting approval':
      return expiresAt;
    case 'running':
      if (rollout) return 'none';
      return step.leaseMs === undefined ? undefined : step.at + step.leaseMs;
    case 'unknown':
      if (step.from === 'unknown') return undefined;
      return outcome?.search === undefined ? 'none' : step.at;
    case 'succeeded':
    case 'failed':
    case 'cancelled':
    case 'expired':
    case 'refused':
      return 'none';
  }
}
