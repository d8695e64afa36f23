import type { Kysely, RawBuilder } from 'kysely';

import { BellhopError } from '../../model/values/errors.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/** Where queries run. A transaction is one of these too. */
export type Queries = Kysely<Schema>;

/** The interface of both databases. Database failures reject with BellhopError `store-unavailable`. */
export interface Database {
  readonly dialect: Dialect;
  /** True if this process has locked it, so that no other can write to it until this one has ended. */
  readonly locked: boolean;
  /**
   * Runs `work` in a transaction and resolves once that is durable. If `work` throws, nothing is written. Other waiting work
   * shares the transaction, so `work` is short, and may run again after a rollback. If the server is lost during the commit,
   * this rejects although the change may have been written.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * The same, on a server in its own transaction, for which no step waits. It may take long and change session
   * settings.
   */
  readonly writeAlone: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * The same for a single statement that is not about requests. It does not queue behind steps, because an acknowledgement or a
   * card waits for it.
   */
  readonly note: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * As `write`, for floods: on a server it has its own queue and transactions, so that no step of a request waits for it.
   * Work in one transaction is ordered by its lock key, so that two replicas lock in the same order and never deadlock.
   */
  readonly writeInTurn: <T>(turn: string, work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Runs `work` on committed data. */
  readonly read: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Runs `work` on one snapshot of committed data, however long it takes. */
  readonly snapshot: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Rejects as a change would if the disk is full; leaves nothing behind. */
  readonly tryRoom: () => Promise<void>;
  /**
   * The time that all replicas agree on, in epoch milliseconds: the server's clock, or that of the only process.
   * @param now this process's clock
   */
  readonly sharedNow: (now: number) => RawBuilder<number>;
  /**
   * Distinguishes this database from a copy: the file's identity, or server, timeline, database and table. A failover
   * changes it, too. An expression, for a statement that reads more; null if unknown.
   */
  readonly home: () => Promise<RawBuilder<string | null>>;
  /** Closes after running work has finished. */
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
  /** The next action for the operator: a sentence without its full stop. */
  readonly advice?: string | undefined;
  /** False if the value itself is refused, so a retry would fail, too. */
  readonly retryable?: boolean | undefined;
}

/** @param reason what is wrong, as the start of a sentence: `The disk is full` */
export class StoreUnavailableError extends BellhopError {
  override readonly name = 'StoreUnavailableError';
  readonly reason: string;
  readonly advice: string | undefined;

  constructor(reason: string, purpose: Purpose, { cause, advice, retryable = true }: StoreErrorOptions = {}) {
    const next = retryable && purpose !== 'open' ? ' Try again in a moment.' : '';
    super('store-unavailable', `${reason}. ${consequences[purpose]}${next}`, { cause, retryable });
    this.reason = reason;
    this.advice = advice;
  }
}
