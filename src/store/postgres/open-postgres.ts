import { Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client, type ClientConfig, DatabaseError, Pool, TypeOverrides } from 'pg';

import { badConfiguration } from '../../model/values/errors.ts';
import type { Database, Purpose, Queries } from '../database/database.ts';
import { GroupCommit } from '../database/group-commit.ts';
import type { Schema } from '../database/schema.ts';
import { forKysely, repeatOf, type Sessions } from './connections.ts';
import { closedProblem, postgresProblem } from './postgres-problem.ts';
import { preparedStatements } from './prepared-statements.ts';

interface PostgresOptions {
  readonly onProblem?: (problem: unknown) => void;
  /** For new connections. Default: always the same URL. */
  readonly currentUrl?: (() => string) | undefined;
}

/**
 * In milliseconds. A replica that is stopped in the middle of a transaction must not hold up the others for long. PostgreSQL keeps a plan
 * while the table grows, so a scan of a few rows could become a scan of all: every statement has its index. Such plans look expensive, and
 * a server with LLVM would compile each.
 */
const settings = {
  statement_timeout: 5000,
  lock_timeout: 4000,
  idle_in_transaction_session_timeout: 2000,
  enable_seqscan: 'off',
  jit: 'off',
} as const;

/** In milliseconds. A connection is renewed every hour, so that replicas find a server that moved. */
const clientSettings = {
  connectionTimeoutMillis: 3000,
  query_timeout: 6000,
  idleTimeoutMillis: 600_000,
  maxLifetimeSeconds: 3600,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} as const;

/**
 * Three write: for steps, which share transactions, for work with a separate transaction, and for floods. Waiting longer than the connect
 * timeout is an error.
 */
const connections = { reading: 6, writing: 2, flooding: 1 } as const;

/** Steps per transaction. A server is slower with more than 64 savepoints. */
const maxAtOnce = 50;

/** In milliseconds. */
const pauseAfterFailure = 20;

/** The oid. Pg returns int8 as text, but Bellhop's are times and entry numbers, far below 2⁵³. */
const int8 = 20;

/** @param isClosing prevents a new pool, because Kysely opens a pool that was closed before its first use */
function groupOn(queries: Queries, isClosing: () => boolean): GroupCommit {
  const open = (): Queries => {
    if (isClosing()) throw closedProblem('write');
    return queries;
  };
  return new GroupCommit({
    alone: open,
    begin: async () => {
      const transaction = await open().startTransaction().execute();
      return {
        queries: transaction,
        run: async (statements) => {
          await sql.raw(statements).execute(transaction);
        },
        commit: () => transaction.commit().execute(),
        rollback: () => transaction.rollback().execute(),
      };
    },
    maxAtOnce,
    repeat: repeatOf,
    pause: (tries) => setTimeout(tries * pauseAfterFailure),
  });
}

/** Connects on first use, and again after the server was lost. */
export function openPostgres(
  databaseUrl: string,
  { onProblem, currentUrl = () => databaseUrl }: PostgresOptions = {},
): Database {
  const told = (problem: unknown): void => onProblem?.(problem);
  const sessions: Sessions = { prepared: preparedStatements(), settings, losses: 0 };
  const queriesFor = (max: number) => {
    const pool = poolFor(currentUrl, max);
    pool.on('error', told);
    // A connection can be lost between two statements. Without a listener, the error would end the process.
    pool.on('connect', (client) => client.on('error', told));
    return new Kysely<Schema>({ dialect: new PostgresDialect({ pool: forKysely(pool, sessions) }) });
  };
  const writes = queriesFor(connections.writing);
  const reads = queriesFor(connections.reading);
  const floods = queriesFor(connections.flooding);
  let closing: Promise<unknown> | undefined;
  const isClosing = (): boolean => closing !== undefined;
  const steps = groupOn(writes, isClosing);
  const inTurn = groupOn(floods, isClosing);
  return {
    dialect: 'postgres',
    locked: false,
    write: (work) => naming('write', () => steps.write(work)),
    step: (work) => naming('write', () => steps.write(work, { single: true })),
    writeAlone: (work) => naming('write', () => retried(() => writes.transaction().execute(work))),
    note: (work) => naming('write', () => retried(() => work(reads))),
    writeInTurn: (turn, work) => naming('write', () => inTurn.write(work, { turn })),
    read: (work) => naming('read', () => retried(() => work(reads), 'read')),
    snapshot: (work) => naming('read', () => retried(() => onSnapshot(reads, work), 'read')),
    tryRoom: () => naming('write', () => retried(() => reads.transaction().execute(spill))),
    sharedNow: () => serverNow,
    home: homeTeller(reads),
    close: async () => {
      closing ??= Promise.all([steps.idle(), inTurn.idle()]).then(() =>
        Promise.all([writes, reads, floods].map((queries) => queries.destroy())),
      );
      await closing;
    },
  };
}

/**
 * A rewritten row fits into existing pages and would not notice a full disk. So a query spills some MB into a temporary file on the same
 * disk, which any login may do.
 */
async function spill(queries: Queries): Promise<void> {
  await sql`select set_config('temp_tablespaces', '', true), set_config('work_mem', '64kB', true)`.execute(
    queries,
  );
  await sql`select count(*) from generate_series(1, 100000)`.execute(queries);
}

const onSnapshot = <T>(reads: Kysely<Schema>, work: (queries: Queries) => Promise<T>): Promise<T> =>
  reads
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (queries) => {
      // The transaction is idle while `work` handles the rows.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(queries);
      return work(queries);
    });

/** Constant within a statement, so that it can be compared with an index. */
const serverNow = sql<number>`(extract(epoch from statement_timestamp()) * 1000)::bigint`;

/** The timeline is the first part of the current WAL file's name. A promoted standby begins a new one. */
const homeOfServer = sql<string>`(select 'server ' || system_identifier
  || ', timeline ' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8)
  || ', database ' || (select oid from pg_database where datname = current_database())
  || ', table ' || 'store_home'::regclass::oid from pg_control_system())`;

function homeTeller(reads: Queries): Database['home'] {
  let tells: boolean | undefined;
  return async () => {
    tells ??= await canTellHome(reads);
    return tells ? homeOfServer : sql`null`;
  };
}

/** Outside a transaction, because some hosted servers refuse these functions, and the error would end it. */
async function canTellHome(queries: Queries): Promise<boolean> {
  try {
    await sql`select ${homeOfServer}`.execute(queries);
    return true;
  } catch (error) {
    // PostgreSQL, appendix A: insufficient_privilege, undefined_function, feature_not_supported.
    if (error instanceof DatabaseError && ['42501', '42883', '0A000'].includes(error.code ?? ''))
      return false;
    throw error;
  }
}

/** @param databaseUrl read for each new connection, so that the password can be rotated */
function poolFor(databaseUrl: () => string, max: number): Pool {
  if (!URL.canParse(databaseUrl())) {
    throw badConfiguration(
      'DATABASE_URL cannot be read. It looks like postgresql://user:password@host:5432/database.',
    );
  }
  const types = new TypeOverrides();
  types.setTypeParser(int8, Number);
  class CurrentClient extends Client {
    readonly socket: Socket;

    constructor(config: ClientConfig = {}) {
      const socket = new Socket();
      super({ ...config, connectionString: databaseUrl(), stream: () => socket });
      this.socket = socket;
    }
  }
  const pool = new Pool({
    Client: CurrentClient,
    application_name: 'bellhop',
    max,
    types,
    ...clientSettings,
  });
  // A goodbye would wait for a server that is gone.
  pool.on('release', (lost, client) => {
    if (lost && client instanceof CurrentClient) setImmediate(() => client.socket.destroy());
  });
  return pool;
}

async function retried<T>(work: () => Promise<T>, purpose: 'read' | 'write' = 'write'): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (repeatOf(error, tries, purpose) === 'no') throw error;
      // After a deadlock, the other transaction needs a lock of this one, so the pause lets it finish.
      await setTimeout(tries * pauseAfterFailure);
    }
  }
}

async function naming<T>(purpose: Purpose, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw postgresProblem(error, purpose);
  }
}
