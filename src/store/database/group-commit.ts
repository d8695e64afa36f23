import type { Queries } from './database.ts';

interface OpenTransaction {
  readonly queries: Queries;
  readonly run: (statements: string) => Promise<void>;
  /** Rejects if nothing of the transaction was committed. */
  readonly commit: () => Promise<void>;
  readonly rollback: () => Promise<void>;
}

/**
 * Work that lost a conflict is repeated one write at a time (`apart`), so that no write waits for a lock of the same group. Work that lost
 * its connection is repeated in the same group (`together`).
 */
export type Repeat = 'together' | 'apart' | 'no';

export interface GroupOptions {
  readonly begin: () => Promise<OpenTransaction>;
  /** Runs a single statement without a transaction. Undefined if each write has a transaction. */
  readonly alone?: () => Queries;
  readonly maxAtOnce: number;
  /** After `tries` failures. */
  readonly repeat: (cause: unknown, tries: number) => Repeat;
  readonly pause: (tries: number) => Promise<void>;
}

interface Pending {
  /** The lock key that orders the work. Steps have none. */
  readonly turn: string;
  /** The work is one statement, which takes effect as a whole or not at all. */
  readonly single: boolean;
  attempt(queries: Queries): Promise<void>;
  refuse(cause: unknown): void;
  /** Called once the transaction is durable. */
  answer(): void;
  fail(cause: unknown): void;
}

/**
 * Waiting writes share one transaction, and so one sync to disk. Each has a savepoint, so that a failure does not affect the others. Writes
 * that arrive during a commit form the next group.
 */
export class GroupCommit {
  readonly #options: GroupOptions;
  #queue: Pending[] = [];
  #running: Promise<void> | undefined;

  constructor(options: GroupOptions) {
    this.#options = options;
  }

  write<T>(work: (queries: Queries) => Promise<T>, { turn = '', single = false } = {}): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#queue.push({ turn, single, ...pending(work, resolve, reject) });
    this.#running ??= this.#run();
    return promise;
  }

  async idle(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await endOfTurn();
      const group = this.#queue.splice(0, this.#options.maxAtOnce);
      await this.#commit(group.toSorted(byTurn), 1);
    }
    this.#running = undefined;
  }

  async #commit(group: readonly Pending[], tries: number): Promise<void> {
    const { begin, alone, repeat, pause } = this.#options;
    const [first, ...others] = group;
    try {
      if (first?.single && others.length === 0 && alone) await first.attempt(alone());
      else await this.#inTransaction(await begin(), group);
    } catch (cause) {
      const how = repeat(cause, tries);
      if (how === 'no') {
        for (const one of group) one.fail(cause);
        return;
      }
      await pause(tries);
      for (const part of how === 'together' ? [group] : group.map((one) => [one]))
        await this.#commit(part, tries + 1);
      return;
    }
    for (const one of group) one.answer();
  }

  async #inTransaction(open: OpenTransaction, group: readonly Pending[]): Promise<void> {
    const [first, ...others] = group;
    try {
      if (first && others.length === 0) await first.attempt(open.queries);
      else {
        await open.run('savepoint one_write');
        for (const one of group) await this.#attempt(open, one);
      }
      await open.commit();
    } catch (cause) {
      // The writers get the error, and the next group starts with a new transaction.
      await open.rollback().catch(() => undefined);
      throw cause;
    }
  }

  async #attempt({ queries, run }: OpenTransaction, one: Pending): Promise<void> {
    try {
      await one.attempt(queries);
      await run('release savepoint one_write; savepoint one_write');
    } catch (cause) {
      if (this.#options.repeat(cause, 1) !== 'no') throw cause;
      // A full disk or a lost connection rolls back the whole transaction, with the work of other writers.
      await run('rollback to savepoint one_write').catch(() => {
        throw cause;
      });
      one.refuse(cause);
    }
  }
}

const byTurn = (one: Pending, other: Pending): number =>
  one.turn === other.turn ? 0 : one.turn < other.turn ? -1 : 1;

function pending<T>(
  work: (queries: Queries) => Promise<T>,
  resolve: (value: T) => void,
  reject: (cause: unknown) => void,
): Omit<Pending, 'turn' | 'single'> {
  let answer: (() => void) | undefined;
  return {
    attempt: async (queries) => {
      const value = await work(queries);
      answer = () => resolve(value);
    },
    refuse: (cause) => {
      answer = () => reject(cause);
    },
    answer: () => answer?.(),
    fail: reject,
  };
}

export const endOfTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
