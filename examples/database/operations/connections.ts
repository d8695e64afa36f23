import { notSent } from 'bellhop';
import { Client } from 'pg';

/** A connection of a database, as it was at a moment. */
export interface Connection {
  readonly pid: number;
  readonly application: string;
  readonly user: string;
  /** `active`, `idle in transaction` … */
  readonly state: string;
  /** When the state began, in epoch milliseconds. */
  readonly since: number;
  /** Pids that hold what it waits for. */
  readonly blockedBy: readonly number[];
  readonly query: string;
  /** When its process and its query began, exactly as the server tells it: with the pid, these say which one it is. */
  readonly startedAt: string;
  readonly queryAt: string;
}

/** The server itself gives a query up after so long, in milliseconds. */
const longestMs = 8000;

/** @throws what `notSent` makes, if there is no connection: then nothing was done */
export async function withDatabase<T>(
  url: string,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({
    connectionString: url,
    application_name: 'bellhop',
    connectionTimeoutMillis: 5000,
    statement_timeout: longestMs,
  });
  // Whatever waits for it rejects: here it is only kept from ending the process.
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

/** Of all that run something, or of one, without Bellhop's own. */
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

/** Ends what has this pid, these times and this query, and nothing else. False if there is no such thing. */
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

/** What an application runs on the database that is asked. */
const ofApplication = `from pg_stat_activity
  where datname = current_database() and application_name = $1 and state = 'active' and pid <> pg_backend_pid()`;

/** How many queries it runs. */
export async function running(client: Client, application: string): Promise<number> {
  const { rows } = await client.query<{ readonly count: number }>(
    `select count(*)::int as count ${ofApplication}`,
    [application],
  );
  return rows[0]?.count ?? 0;
}

/** Cancels what it runs. Resolves to how many queries that were. */
export async function cancelQueries(client: Client, application: string): Promise<number> {
  const { rowCount } = await client.query(`select pg_cancel_backend(pid) ${ofApplication}`, [application]);
  return rowCount ?? 0;
}
