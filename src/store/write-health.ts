import { BellhopError } from '../core/model/errors.ts';
import { currentHead } from './queries/audit.ts';
import type { Database } from './database.ts';
import { rememberDelivery } from './queries/inbox.ts';

/** A database that remembers whether it takes changes: one whose disk is full can still be read. */
interface WatchedDatabase extends Database {
  /** Reads; where a change was refused, also writes something of no consequence. Rejects where either cannot be done. */
  readonly ping: () => Promise<void>;
}

export function trackWriteHealth(database: Database): WatchedDatabase {
  let refused = false;
  const noticing = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      if (error instanceof BellhopError && error.code === 'store-unavailable') refused = true;
      throw error;
    }
  };
  return {
    ...database,
    write: (work) => noticing(database.write(work)),
    note: (work) => noticing(database.note(work)),
    async ping() {
      await database.read(currentHead);
      if (!refused) return;
      // Its life is over at once, so it is written anew each time. That others succeed proves nothing: many change no row.
      await database.note((queries) => rememberDelivery(queries, 'a try to write', 0, 0));
      refused = false;
    },
  };
}
