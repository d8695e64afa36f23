import { notSent } from 'bellhop';
import { Client } from 'pg';

/** A snapshot of a database connection. */
export interface Connection {
  readonly pid: number;
  readonly application: string;
  readonly user: string;
  /** `active`, `idle in transaction` … */
  readonly state: string;
  /** When the state began, in epoch milliseconds. */
  readonly since: number;
  /** Pids that hold the locks it waits for. */
  readonly blockedBy: readonly number[];
  readonly query: string;
  /** When its process and its query began, exactly as the server reports it. Together with the pid, they identify the query. */
  readonly startedAt: string;
  readonly queryAt: string;
}

/** The server cancels a query after this time, in milliseconds. */
const maxQueryMs = 8000;

/** @throws the error of `notSent` if the database cannot be reached, because then nothing was done */
export async function withDatabase<T>(
  url: string,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'bellhop',
    connectionTimeoutMillis: 5000,
    statement_timeout: maxQueryMs,
  });
  // Without a listener, a lost connection would end the process. The query that uses the connection rejects.
  client.on('error', () => undefined);
  const stop = (): void => void client.end().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect().catch((error: unknown) => {
      throw notSent(
        `The database cannot be reached: ${error instanceof Error ? error.message : String(error)}.`,
      );
    });
    return await work(client);
  } finally {
    signal.removeEventListener('abort', stop);
    await client.end().catch(() => undefined);
  }
}

/** The busy connections, or the one with this pid. Never Bellhop's own. */
export async function connections(client: Client, pid?: number): Promise<readonly Connection[]> {
  const { rows } = await client.query<Connection>(
    `select pid,
            coalesce(nullif(application_name, ''), 'no name') as application,
            usename as "user",
            coalesce(state, 'unknown') as state,
            (extract(epoch from coalesce(state_change, backend_start)) * 1000)::float8 as since,
            pg_blocking_pids(pid) as "blockedBy",
            left(regexp_replace(coalesce(query, ''), '\\s+', ' ', 'g'), 300) as query,
            backend_start::text as "startedAt",
            coalesce(query_start, backend_start)::text as "queryAt"
       from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
        and ($1::int is null and state <> 'idle' or pid = $1)
      order by query_start nulls last
      limit 200`,
    [pid ?? null],
  );
  return rows;
}

/** Ends the query or connection that has this pid and these start times, and no other. False if it no longer exists. */
export async function endConnection(
  client: Client,
  how: 'pg_cancel_backend' | 'pg_terminate_backend',
  { pid, startedAt, queryAt }: Connection,
): Promise<boolean> {
  const { rows } = await client.query<{ readonly ended: boolean }>(
    `select ${how}(pid) as ended from pg_stat_activity
      where pid = $1 and backend_start = $2::timestamptz and coalesce(query_start, backend_start) = $3::timestamptz`,
    [pid, startedAt, queryAt],
  );
  return rows[0]?.ended === true;
}

/** Finds the application's active queries in the current database. */
const ofApplication = `from pg_stat_activity
  where datname = current_database() and application_name = $1 and state = 'active' and pid <> pg_backend_pid()`;

/** Counts the application's active queries. */
export async function running(client: Client, application: string): Promise<number> {
  const { rows } = await client.query<{ readonly count: number }>(
    `select count(*)::int as count ${ofApplication}`,
    [application],
  );
  return rows[0]?.count ?? 0;
}

/** Cancels the application's active queries. Resolves to their number. */
export async function cancelQueries(client: Client, application: string): Promise<number> {
  const { rowCount } = await client.query(`select pg_cancel_backend(pid) ${ofApplication}`, [application]);
  return rowCount ?? 0;
}
