import type { DatabaseSync } from 'node:sqlite';

import type { Queries } from './database.ts';

interface Pending {
  /** Does the work inside the open transaction; keeps the answer. */
  attempt(): Promise<void>;
  /** Gives the answer, once what was done is durable. */
  answer(): void;
  fail(cause: unknown): void;
}

/** So many writes share a transaction at most, to let reads and the network have their turn. */
const mostAtOnce = 256;

/**
 * The only writer of an embedded database. Writes that arrive in the same turn of the event loop share one
 * transaction, hence one sync to disk; each has its savepoint, so that one that fails does not take others along.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  readonly #queries: Queries;
  #queue: Pending[] = [];
  #running: Promise<void> | undefined;

  constructor(database: DatabaseSync, queries: Queries) {
    this.#database = database;
    this.#queries = queries;
  }

  write<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#queue.push(this.#pending(work, resolve, reject));
    this.#running ??= this.#run();
    return promise;
  }

  /** Resolves once nothing is waiting to be written. */
  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await endOfTurn();
      const group = this.#queue.splice(0, mostAtOnce);
      await this.#commit(group);
    }
    this.#running = undefined;
  }

  async #commit(group: readonly Pending[]): Promise<void> {
    try {
      this.#database.exec('begin immediate');
      for (const pending of group) await pending.attempt();
      this.#database.exec('commit');
    } catch (cause) {
      this.#rollBack();
      for (const pending of group) pending.fail(cause);
      return;
    }
    for (const pending of group) pending.answer();
  }

  #pending<T>(
    work: (queries: Queries) => Promise<T>,
    resolve: (value: T) => void,
    reject: (cause: unknown) => void,
  ): Pending {
    let answer: (() => void) | undefined;
    return {
      attempt: async () => {
        this.#database.exec('savepoint one_write');
        try {
          const value = await work(this.#queries);
          answer = () => resolve(value);
        } catch (cause) {
          // A full disk ends the whole transaction, and with it what the others did.
          if (!this.#database.isTransaction) throw cause;
          this.#database.exec('rollback to one_write');
          answer = () => reject(cause);
        }
        this.#database.exec('release one_write');
      },
      answer: () => answer?.(),
      fail: reject,
    };
  }

  #rollBack(): void {
    try {
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('rollback');
    } catch {
      // Whoever wrote is told that it failed, which is all that can be done: the next group starts anew.
    }
  }
}

const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
