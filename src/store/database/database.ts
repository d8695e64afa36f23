import type { Kysely, RawBuilder } from 'kysely';

import { BellhopError } from '../../model/errors.ts';
import type { Schema } from './schema.ts';

export type Dialect = 'sqlite' | 'postgres';

/** Where queries run. A transaction is one of these too. */
export type Queries = Kysely<Schema>;

/** What both databases offer to the store. Failures of the database reject with BellhopError `store-unavailable`. */
export interface Database {
  readonly dialect: Dialect;
  /** It is locked for this process: no other can write to it until this one is gone. */
  readonly locked: boolean;
  /**
   * Runs `work` in a transaction and answers once that is durable; nothing is written where `work` throws. Others that wait
   * share the transaction, so `work` is short, and may be run again after it was undone. Where a server is lost in the
   * middle of the commit, it rejects though the change may have been written.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** The same in a transaction that no step shares or waits for on a server: it may take long, and set what holds in it. */
  readonly writeAlone: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * The same for a single statement that has nothing to do with the record: it does not stand in the line of those that
   * have, because an acknowledgement or a card waits for it.
   */
  readonly note: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * As `write`, for what comes in floods: on a server in a line and a transaction that no step of a request shares or waits
   * for. Work that shares a transaction is done in the order of what it takes its turn on, so that two replicas lock in
   * the same order and neither waits for the other in a circle.
   */
  readonly writeInTurn: <T>(turn: string, work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Runs `work` on what is committed. */
  readonly read: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Runs `work` on what is committed now: all its reads see the same moment, however long it takes. */
  readonly snapshot: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Rejects as a change does where its disk has no room for more than it holds; nothing stays of the try. */
  readonly tryRoom: () => Promise<void>;
  /**
   * The time that all replicas agree on, in epoch milliseconds: by the clock of the server, else of the only process.
   * @param now by the clock of this process
   */
  readonly sharedNow: (now: number) => RawBuilder<number>;
  /**
   * What tells this database from a copy of it: of the file, or of server, timeline, database and table. A failover changes it,
   * too. Undefined if unknown.
   */
  readonly home: (queries: Queries) => Promise<string | undefined>;
  /** Lets what is under way finish, then closes. */
  readonly close: () => Promise<void>;
}

/** What the database was asked for when it failed. */
export type Purpose = 'read' | 'write' | 'open';

const consequences = {
  read: 'What is recorded cannot be read now, so nothing was run.',
  write: 'Changes cannot be recorded now, so nothing was run.',
  open: 'Bellhop cannot start without its record.',
} as const satisfies Record<Purpose, string>;

interface StoreErrorOptions {
  readonly cause?: unknown;
  /** What to do about it, for those who start it: a sentence without its full stop. */
  readonly advice?: string | undefined;
  /** False if the value is refused, which would be refused again. */
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
