import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely';

import { errorCode } from '../../model/values/errors.ts';
import type { Repeat } from '../database/group-commit.ts';
import type { PreparedStatements } from './prepared-statements.ts';

/** Of the driver, while connecting or querying. Mistakes in Bellhop's own code are not driver errors. */
export class DriverError extends Error {
  override readonly name = 'DriverError';
  override readonly cause: unknown;
  /** The server rolled the work back because of another transaction. A retry may succeed. */
  readonly conflict: boolean;
  /** The connection can't be used any more. A new one may work. */
  readonly lost: boolean;
  /** The work may have been committed although no answer came. */
  readonly mayBeCommitted: boolean;

  constructor(cause: unknown, { outdated = false, commits = false } = {}) {
    super('The database driver failed');
    this.cause = cause;
    const state = stateOf(cause);
    this.conflict = outdated || ['40P01', '40001'].includes(state ?? '');
    this.lost = !outdated && (state === undefined || lostStates.test(state));
    this.mayBeCommitted = commits && this.lost && state !== readOnly;
  }
}

const readOnly = '25006';

/**
 * Appendix A of PostgreSQL: connection exceptions, a read-only session, an expired idle transaction, a server that goes down. After a
 * failover, the sessions of the old primary answer so until they are closed.
 */
const lostStates = /^(?:08|25006|25P03|57P)/u;

/** A SQLSTATE has five characters. */
export function stateOf(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/u.test(code) && !systemCode.test(code) ? code : undefined;
}

/** `EPIPE` has five characters too, but no SQLSTATE begins with an E. */
const systemCode = /^E[A-Z]+$/u;

const maxTries = 5;

/** Only if nothing of the work can have been committed. Once after a lost connection. */
export function repeatOf(error: unknown, tries: number, purpose: 'read' | 'write' = 'write'): Repeat {
  if (!(error instanceof DriverError)) return 'no';
  if (error.conflict) return tries < maxTries ? 'apart' : 'no';
  const harmless = purpose === 'read' || !error.mayBeCommitted;
  return error.lost && harmless && tries === 1 ? 'together' : 'no';
}

interface NamingPool extends PostgresPool {
  connect(): Promise<NamingClient>;
}

interface NamingClient extends PostgresPoolClient {
  query<R>(statement: {
    readonly name: string | undefined;
    readonly text: string;
    readonly values: unknown[];
  }): Promise<PostgresQueryResult<R>>;
  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
}

/** Shared by all pools of a server. */
export interface Sessions {
  readonly prepared: PreparedStatements;
  /** Names and values of settings. They are not sent as start-up parameters, because poolers refuse those. */
  readonly settings: Readonly<Record<string, string | number>>;
  /** Lost connections so far. Connections from before the last loss are not used again. */
  losses: number;
}

/** Prepares statements, and marks driver errors as such. */
export function forKysely(pool: NamingPool, sessions: Sessions): PostgresPool {
  const lossesBefore = new WeakMap<NamingClient, number>();
  const connect = async (): Promise<PostgresPoolClient> => {
    const client = await pool.connect();
    const before = lossesBefore.get(client);
    if (before === sessions.losses) return new SessionClient(client, sessions);
    if (before !== undefined) {
      client.release(true);
      return connect();
    }
    lossesBefore.set(client, sessions.losses);
    const first = new SessionClient(client, sessions);
    try {
      await first.query(setting('set', sessions), []);
      return first;
    } catch (error) {
      first.release(true);
      throw error;
    }
  };
  return {
    options: pool.options,
    connect: () =>
      connect().catch((error: unknown) => {
        throw error instanceof DriverError ? error : new DriverError(error);
      }),
    end: () => pool.end(),
  };
}

/** A server, database or login may have `synchronous_commit = off`, which could lose a change that was recorded as running. */
const setting = (set: 'set' | 'set local', { settings }: Sessions): string =>
  Object.entries(settings)
    .map(([name, value]) => `${set} ${name} = ${value}`)
    .concat(
      `select set_config('synchronous_commit', 'on', ${set === 'set local'}) where current_setting('synchronous_commit') = 'off'`,
    )
    .join('; ');

/** For one statement or one transaction. */
class SessionClient implements PostgresPoolClient {
  readonly #client: NamingClient;
  readonly #sessions: Sessions;
  #begun = false;
  #lost: DriverError | undefined;

  constructor(client: NamingClient, sessions: Sessions) {
    this.#client = client;
    this.#sessions = sessions;
  }

  query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>;
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>;
  query<R>(asked: string | PostgresCursor<R>, values: readonly unknown[] = []) {
    return typeof asked === 'string' ? this.#send<R>(asked, values) : this.#client.query(asked);
  }

  async #send<R>(asked: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    // On a lost connection, a rollback would wait for an answer that never comes.
    if (this.#lost) throw this.#lost;
    const { prepared } = this.#sessions;
    const begins = /^(?:begin|start transaction)\b/u.test(asked);
    this.#begun ||= begins;
    // In its transaction mode, a pooler gives each transaction another session, so the settings come with it.
    const text = begins ? `${asked}; ${setting('set local', this.#sessions)}` : asked;
    try {
      return await this.#client.query({ name: prepared.nameOf(asked, values), text, values: [...values] });
    } catch (error) {
      const commits = !this.#begun || asked === 'commit';
      const problem = new DriverError(error, { outdated: prepared.isOutdated(error), commits });
      if (problem.lost) {
        this.#lost = problem;
        this.#sessions.losses += 1;
      }
      throw problem;
    }
  }

  release(destroy = false): void {
    this.#client.release(destroy || this.#lost !== undefined);
  }
}
