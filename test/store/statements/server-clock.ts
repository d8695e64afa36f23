import { Client } from 'pg';

import { commonPostgres } from '../../common-postgres.ts';
import { unrecorded } from './recorder.ts';

export interface ServerClock {
  readonly databaseUrl: string;
  /** @param now epoch milliseconds */
  readonly set: (now: number) => Promise<void>;
}

/** A database whose statements see the time of the test as theirs. */
export async function createDrivenDatabase(): Promise<ServerClock> {
  const databaseUrl = await commonPostgres.createDatabase();
  const run = async (statements: string): Promise<void> => {
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    await client.query(`${unrecorded}${statements}`);
    await client.end();
  };
  const now = 'select to_timestamp(now / 1000.0) from test.clock';
  await run(`create schema test; create table test.clock as select 0::bigint as now;
    create function test.statement_timestamp() returns timestamptz language sql stable as '${now}';
    alter database ${new URL(databaseUrl).pathname.slice(1)} set search_path = public, test, pg_catalog`);
  return { databaseUrl, set: (to) => run(`update test.clock set now = ${to}`) };
}
