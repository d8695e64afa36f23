import type { Kysely } from 'kysely';

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
   * Runs `work` in a transaction and answers once that is durable; nothing is written where `work` throws. Where a server
   * is lost in the middle of the commit, it rejects though the change may have been written.
   */
  readonly write: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /**
   * The same for a single statement that has nothing to do with the record: it does not stand in the line of those that
   * have, because an acknowledgement or a card waits for it.
   */
  readonly note: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Runs `work` on what is committed. */
  readonly read: <T>(work: (queries: Queries) => Promise<T>) => Promise<T>;
  /** Lets what is under way finish, then closes. */
  readonly close: () => Promise<void>;
}
