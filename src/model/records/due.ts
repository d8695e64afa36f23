import { z } from 'zod';

import type { AuditDraft } from './audit.ts';

const dueName = z.string().brand<'DueKind'>();

/**
 * The name of a kind of due work. Each kind is declared once. Its handler and the code that makes the work
 * due use that declaration.
 */
export type DueKind = z.output<typeof dueName>;

export const dueKind = (name: string): DueKind => dueName.parse(name);

/** The message that shows a request in Slack is out of date. */
export const cardKind = dueKind('card');

/** Records that the store was rolled back. This work is never due. `at` in its data is the time. */
export const setBackKind = dueKind('set back');

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
  /** The work is no longer due, whatever its version. */
  readonly ends?: true;
  /** Work that is already due keeps its time, so that the work is not done too often. Resting work becomes due. */
  readonly keepsTime?: true;
}

/** In milliseconds. Longer than a process takes for the work it owns. */
export const ownerMs = 12_000;

/** In milliseconds. After this time, a card says that the service has not answered. */
export const answeredWithinMs = 5_000;

/**
 * The result of handling: the work is done, or is due again after `againIn` milliseconds, or failed and is
 * retried after `retryIn` milliseconds. Done work may have follow-up work, and is done up to `version` if
 * that is newer. Resting work keeps its row until `setDue` gives it a time. `about` replaces the data of the
 * row, unless another replica has claimed the work since.
 */
export type Outcome =
  | { readonly done: true; readonly next?: readonly DueDraft[]; readonly version?: number }
  | { readonly againIn: number; readonly about?: unknown }
  | { readonly retryIn: number; readonly about?: unknown }
  | { readonly rests: true; readonly about: unknown }
  /** The handler has recorded the outcome itself, together with other changes. */
  | { readonly recorded: true };

/** How many pieces of work of a kind are overdue, and for how long the oldest of them has been, in milliseconds. */
export interface DueTally {
  readonly kind: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** Work that is kept while something lasts, and its data. */
export type Lasting = Pick<Due, 'key' | 'version' | 'about'>;

export interface LastingChange {
  /** The drafts to write. The draft of a record that already exists needs a higher version. */
  readonly drafts: readonly DueDraft[];
  readonly audit: readonly AuditDraft[];
}

/** Things that last until they are ended, each as due work of its kind. Rejects with BellhopError `store-unavailable`. */
export interface LastingWork {
  /** Resolves to all that lasts of a kind. Its feature bounds the number. Unreadable rows are skipped. */
  lasting(kind: DueKind): Promise<readonly Lasting[]>;
  /**
   * Writes a change together with its audit entries. Changes take turns on all replicas.
   * @param decide pure; if it throws, nothing is written
   */
  changeLasting<Change extends LastingChange>(
    kind: DueKind,
    now: number,
    decide: (all: readonly Lasting[]) => Change,
  ): Promise<Change>;
}

/** The due work of all replicas. Rejects with BellhopError `store-unavailable`. */
export interface DueWork {
  /**
   * Claims due work, at most `limits` of each kind, exclusively for `claimMs`.
   * @param seldom whether there is usually no due work, so that the store looks before it takes locks
   */
  claimDue(
    limits: ReadonlyMap<DueKind, number>,
    now: number,
    claimMs: number,
    seldom?: boolean,
  ): Promise<readonly Due[]>;
  /** Runs in a transaction of its own. */
  setDue(drafts: readonly DueDraft[], now: number): Promise<void>;
  /**
   * Makes work due, and resolves to the number of calls so far, which is the version of the work. From the
   * second call on, waiting work is due at once.
   */
  countDue(
    draft: Pick<DueDraft, 'kind' | 'key' | 'about'> & { readonly at: number },
    now: number,
  ): Promise<number>;
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

/** Does the due work of a kind. */
export interface Handler {
  readonly kind: DueKind;
  readonly atOnce: number;
  readonly trouble: string;
  /** How long attempts may fail before the work is given up, in milliseconds. Default: forever. */
  readonly giveUpAfterMs?: number;
  /**
   * Set if the work depends on this process's clock. Such work is not claimed while the clock is known to be
   * wrong.
   */
  readonly byClock?: true;
  /**
   * Set if the owner of the work keeps postponing it, so that it falls due only if the owner has stopped.
   * After the store was down, such work is claimed only once owners have had time to postpone it.
   */
  readonly renewed?: true;
  /** Rejects if the work should be tried again. */
  handle(due: Due): Promise<Outcome>;
}
