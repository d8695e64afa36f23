import { z } from 'zod';

import type { AuditDraft } from './audit.ts';

const dueName = z.string().brand<'DueKind'>();

/** A name, declared once and used by the handler and by the code that makes the work due. */
export type DueKind = z.output<typeof dueName>;

export const dueKind = (name: string): DueKind => dueName.parse(name);

/** The message that shows a request in Slack is out of date. */
export const cardKind = dueKind('card');

/** Records that the store was rolled back, at `at` in its data. Never due. */
export const setBackKind = dueKind('set back');

/** Done by one replica at a certain time. Times are epoch milliseconds by the store's clock. */
export interface Due {
  readonly kind: DueKind;
  /** The subject, such as a request's id. One row for each kind and key. */
  readonly key: string;
  /** A newer version that arrives during handling is handled too. */
  readonly version: number;
  /** Later than `claimedAt` only if the clock was set back. */
  readonly since: number;
  readonly claimedAt: number;
  readonly tries: number;
  /** Unchanged by a draft that keeps its time and has no data. */
  readonly about?: unknown;
}

/** Written in the transaction that makes the work due. */
export interface DueDraft extends Pick<Due, 'kind' | 'key' | 'about'> {
  /** In epoch milliseconds by this process's clock. Undefined if the work rests. */
  readonly at: number | undefined;
  /** Default: 1. */
  readonly version?: number;
  /** This process handles the work right after the commit. No other process does for `ownerMs`. */
  readonly owned?: true;
  /** The work is no longer due, whatever its version. */
  readonly ends?: true;
  /** Work that is already due keeps its time, so that it is not done too often. Resting work becomes due. */
  readonly keepsTime?: true;
}

/** In milliseconds. Longer than a process takes for work that it owns. */
export const ownerMs = 12_000;

/** In milliseconds. After this time, a card says that the service has not answered. */
export const answeredWithinMs = 5_000;

/**
 * Done work may have follow-up work (`next`), and is done up to `version`. Other work is due again after `againIn`, or retried after a
 * failure after `retryIn`, in milliseconds. Resting work keeps its row until `setDue` gives it a time. `about` replaces the row's data,
 * unless another replica has claimed the work since.
 */
export type Outcome =
  | { readonly done: true; readonly next?: readonly DueDraft[]; readonly version?: number }
  | { readonly againIn: number; readonly about?: unknown }
  | { readonly retryIn: number; readonly about?: unknown }
  | { readonly rests: true; readonly about: unknown }
  /** The handler has recorded the outcome itself, together with other changes. */
  | { readonly recorded: true };

/** Overdue work of a kind, and for how long the oldest has been, in milliseconds. */
export interface DueTally {
  readonly kind: string;
  readonly count: number;
  readonly oldestMs: number;
}

/** Kept while something lasts. */
export type Lasting = Pick<Due, 'key' | 'version' | 'about'>;

export interface LastingChange {
  /** The draft of a record that already exists needs a higher version. */
  readonly drafts: readonly DueDraft[];
  readonly audit: readonly AuditDraft[];
}

/** Things that last until they are ended, each as due work of its kind. Rejects with BellhopError `store-unavailable`. */
export interface LastingWork {
  /** The feature bounds the number. Skips unreadable rows. */
  lasting(kind: DueKind): Promise<readonly Lasting[]>;
  /**
   * Writes a change with its audit entries. Changes take turns on all replicas.
   * @param decide pure; if it throws, nothing is written
   */
  changeLasting<Change extends LastingChange>(
    kind: DueKind,
    now: number,
    decide: (all: readonly Lasting[]) => Change,
  ): Promise<Change>;
}

/** Of all replicas. Rejects with BellhopError `store-unavailable`. */
export interface DueWork {
  /**
   * Claims at most `limits` of each kind, exclusively for `claimMs`.
   * @param seldom whether there is usually no due work, so that the store looks before it takes locks
   */
  claimDue(
    limits: ReadonlyMap<DueKind, number>,
    now: number,
    claimMs: number,
    seldom?: boolean,
  ): Promise<readonly Due[]>;
  /** In a transaction of its own. */
  setDue(drafts: readonly DueDraft[], now: number): Promise<void>;
  /**
   * Makes work due, and resolves to the number of calls so far, which is its version. From the second call on, waiting work is due at once.
   */
  countDue(
    draft: Pick<DueDraft, 'kind' | 'key' | 'about'> & { readonly at: number },
    now: number,
  ): Promise<number>;
  /** Undefined if there is no such work. */
  findDue(
    kind: DueKind,
    key: string,
  ): Promise<{ readonly about: unknown; readonly rests: boolean } | undefined>;
  /** Work with a newer version stays due. */
  finishDue(
    due: Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>,
    outcome: Outcome,
    now: number,
  ): Promise<void>;
}

export interface Handler {
  readonly kind: DueKind;
  readonly atOnce: number;
  readonly trouble: string;
  /** In milliseconds. Default: forever. */
  readonly giveUpAfterMs?: number;
  /** Set if the work depends on this process's clock. It is not claimed while the clock is known to be wrong. */
  readonly byClock?: true;
  /**
   * Set if the owner keeps postponing the work, so that it falls due only once the owner has stopped. After the store was down, owners
   * first get time to postpone it.
   */
  readonly renewed?: true;
  /** If it rejects, the work is tried again, as after `retryIn`. */
  handle(due: Due): Promise<Outcome>;
}
