import type { Request } from './request.ts';
import type { Notice, Step } from './requests.ts';

export const dueKinds = [
  'card',
  'notice',
  'review',
  'alert',
  'suggestion',
  'deadline',
  'approvers',
  'watch',
  'delivery',
  'forward',
  'checkpoint',
  'rollout',
  'rules',
] as const;
/**
 * The kinds that name a message, `card`, `notice`, `review` and `alert`, mean that the message in Slack is out of date.
 * `suggestion`: an agent's suggestion expires. `deadline`: a request expires, its lease ends, or Bellhop searches for
 * its tasks or its lost answer. `approvers`: further approvers are asked. `watch`: a target is checked after a change.
 * `delivery`: the process that handled a payload may be gone. `forward`: a SIEM lacks sealed entries of the audit log;
 * the row keeps its position, and rests while nothing is missing. `checkpoint`: the newest checkpoint has to be
 * published. `rollout`: the next step of a rollout may be due. `rules`: people have to know whether bellhop.yaml is
 * valid.
 */
export type DueKind = (typeof dueKinds)[number];

/** Work that one replica does at a certain time. Times are epoch milliseconds by the store's clock. */
export interface Due {
  readonly kind: DueKind;
  /** The subject of the work, such as a request's id. There is one row for each kind and key. */
  readonly key: string;
  /** The version of the subject. A newer version that arrives during handling is handled too. */
  readonly version: number;
  /** When the work became due. Later than `claimedAt` only if the clock was set back. */
  readonly since: number;
  readonly claimedAt: number;
  readonly tries: number;
  /** Data for the handler. If a draft that keeps its time has no data, the stored data is unchanged. */
  readonly about?: unknown;
}

/** Work to be done, written in the transaction that makes the work due. */
export interface DueDraft extends Pick<Due, 'kind' | 'key' | 'about'> {
  /** When the work is due, in epoch milliseconds by this process's clock. Undefined if the work rests. */
  readonly at: number | undefined;
  /** Default: 1. */
  readonly version?: number;
  /** This process handles the work right after the commit. No other process does for `ownerMs`. */
  readonly owned?: true;
  /** Work that is already due keeps its time, so that the work is not done too often. Resting work becomes due. */
  readonly keepsTime?: true;
}

/** In milliseconds. Longer than a process takes for the work it owns. */
export const ownerMs = 12_000;

/**
 * The result of handling. The work is done and may have follow-up work, or is due again after `againIn` milliseconds.
 * Failed work is retried after `retryIn` milliseconds. Work that rests keeps its row, and is due once someone makes it
 * due. `about` replaces the data of the row, unless another replica has claimed the work since.
 */
export type Outcome =
  | { readonly done: true; readonly next?: readonly DueDraft[] }
  | { readonly againIn: number; readonly about?: unknown }
  | { readonly retryIn: number; readonly about?: unknown }
  | { readonly rests: true; readonly about: unknown };

/** How many pieces of work of a kind are overdue, and for how long the oldest of them has been, in milliseconds. */
export interface DueTally {
  readonly kind: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** The due work of all replicas. Rejects with BellhopError `store-unavailable`. */
export interface DueWork {
  /** Claims due work, at most `limits` of each kind, exclusively for `claimMs`. */
  claimDue(limits: ReadonlyMap<DueKind, number>, now: number, claimMs: number): Promise<readonly Due[]>;
  /** Runs in a transaction of its own. */
  setDue(drafts: readonly DueDraft[], now: number): Promise<void>;
  /** Resolves to undefined if there is no such work. */
  findDue(
    kind: DueKind,
    key: string,
  ): Promise<{ readonly about: unknown; readonly rests: boolean } | undefined>;
  /** Records the outcome. Work with a newer version stays due. */
  finishDue(
    due: Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>,
    outcome: Outcome,
    now: number,
  ): Promise<void>;
}

type Makes = Pick<Step, 'at'> & Partial<Pick<Step, 'from' | 'notices' | 'watchAt' | 'changes' | 'leaseMs'>>;

/**
 * Returns the work that is due after a step or a proposal, and whether the old deadline is dropped.
 * @param row the request after the step
 */
export function dueAfter(step: Makes, row: Request): { set: readonly DueDraft[]; ends: boolean } {
  const { id: key, version } = row;
  const { at } = step;
  const deadline = deadlineAfter(step, row);
  const deadlines =
    typeof deadline === 'number' ? [{ kind: 'deadline', key, version, at: deadline } as const] : [];
  const waits = row.state === 'awaiting approval';
  const further = waits ? row.decision.later?.find(({ since }) => since === undefined) : undefined;
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
      ...(further ? [{ kind: 'approvers', key, version, at: further.at } as const] : []),
      ...(step.notices ?? []).map(noticeDue),
      ...(step.watchAt === undefined ? [] : [{ kind: 'watch', key, at: step.watchAt } as const]),
      ...(step.changes?.review === undefined ? [] : [{ kind: 'review', key, at } as const]),
    ],
    ends: deadline === 'none',
  };
}

/** Each request has at most one notice of a kind. */
export const noticeDue = (notice: Notice): DueDraft => ({
  kind: 'notice',
  key: `${notice.requestId} ${notice.kind}`,
  at: notice.at,
  about: notice,
});

/** Returns when the request changes by itself. Undefined keeps the current deadline. */
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
