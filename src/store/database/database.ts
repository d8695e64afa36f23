import { type Kysely, type RawBuilder, sql } from 'kysely';

import { BellhopError } from '../../model/values/errors.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

export type Queries = Kysely<Schema>;

/** Failures of the database reject with BellhopError `store-unavailable`. */
export interface Database {
  readonly dialect: Dialect;
  /** True if this process has locked the database, so that no other process can write until this process has ended. */
  readonly locked: boolean;
  /**
   * Resolves once the transaction is durable. If `work` throws, nothing is written. Other waiting work shares the transaction, so `work` is
   * short, and may run again after a rollback. If the server is lost during the commit, this rejects although the change may have been
   * written.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * Like `write`, for work that is one statement on a server. If no other step waits, it runs without a transaction. So if `work` throws
   * after the statement, the statement is not undone.
   */
  readonly step: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * Like `write`, but on a server in a separate transaction, which no step waits for. The work may take long and change session settings.
   */
  readonly writeAlone: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * Like `write`, for a single statement that is not about requests. It does not queue behind steps, because an acknowledgement or a card
   * waits for it.
   */
  readonly note: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * Like `write`, for floods. On a server, they have their own queue and transactions, so that no step of a request waits. Work in one
   * transaction is ordered by lock key, so that two replicas never deadlock.
   */
  readonly writeInTurn: <T>(turn: string, work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** On committed data. */
  readonly read: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** On one snapshot of committed data, however long the work takes. */
  readonly snapshot: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Rejects if the disk is full, as a change would. Changes nothing. */
  readonly tryRoom: () => Promise<void>;
  /**
   * The time that all replicas agree on, in epoch milliseconds: the server's clock, or that of the only process.
   * @param now by this process's clock
   */
  readonly sharedNow: (now: number) => RawBuilder<number>;
  /**
   * Identifies this database, but no copy of it: by the file, or by server, timeline, database and table. A failover changes the identity,
   * too. The expression is null if the identity is unknown.
   */
  readonly home: () => Promise<RawBuilder<string | null>>;
  /** Waits for running work. */
  readonly close: () => Promise<void>;
}

export type Purpose = 'read' | 'write' | 'open';

const consequences = {
  read: "The store can't be read right now, so nothing was run.",
  write: "Changes can't be recorded right now, so nothing was run.",
  open: "Bellhop can't start without its store.",
} as const satisfies Record<Purpose, string>;

interface StoreErrorOptions {
  readonly cause?: unknown;
  /** The next action for the operator: a sentence without the full stop. */
  readonly advice?: string | undefined;
  /** False if the database refuses the value itself, so that a retry would fail, too. */
  readonly retryable?: boolean | undefined;
  /** Whether the failure may end without a change of the settings, so that a start may wait for that. */
  readonly passes?: boolean | undefined;
}

/** @param reason the start of a sentence, such as `The disk is full` */
export class StoreUnavailableError extends BellhopError {
  override readonly name = 'StoreUnavailableError';
  readonly reason: string;
  readonly advice: string | undefined;
  readonly passes: boolean;

  constructor(reason: string, purpose: Purpose, options: StoreErrorOptions = {}) {
    const { cause, advice, retryable = true, passes = false } = options;
    const next = retryable && purpose !== 'open' ? ' Try again in a moment.' : '';
    super('store-unavailable', `${reason}. ${consequences[purpose]}${next}`, { cause, retryable });
    this.reason = reason;
    this.advice = advice;
    this.passes = passes;
  }
}

export type SharedClock = Pick<Database, 'sharedNow' | 'dialect'>;

/**
 * In milliseconds. A row written this much later than now was written before the clock was set back, and would wait too long. A write that
 * waits for a lock stays within this margin.
 */
export const setBackMs = 60_000;

/** Rounded up, because times are stored as whole numbers. */
export const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + ${Math.ceil(ms)}`;
