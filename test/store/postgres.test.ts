import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Opened, sealedTables } from './contract/opened.ts';
import { storeContract } from './store-contract.ts';
import { commonPostgres } from '../common-postgres.ts';
import { openStore } from './open-store.ts';

const counted = z.tuple([z.object({ rows: z.coerce.number() })]);
const tables = z.array(z.object({ name: z.string(), identity: z.string().nullable() }));

let databaseUrl: string;
let behind: Client;
/** Statements that restore the rows of a migrated database. They take a tenth of the time of a new database. */
let restore: string;

beforeAll(async () => {
  databaseUrl = await commonPostgres.createDatabase();
  await (await openStore({ databaseUrl })).close();
  behind = new Client({ connectionString: databaseUrl });
  await behind.connect();
  const { rows } = await behind.query(
    `select tablename as name, pg_get_serial_sequence(tablename, column_name) as identity from pg_tables
     left join information_schema.columns on table_name = tablename and is_identity = 'YES' where schemaname = 'public'`,
  );
  const kept = tables.parse(rows);
  await behind.query(
    ['create schema kept', ...kept.map(({ name }) => `create table kept.${name} as table ${name}`)].join(';'),
  );
  restore = [
    // The triggers that refuse changes stay off for this transaction.
    'begin; set local session_replication_role = replica',
    ...kept.map(({ name }) => `delete from ${name}; insert into ${name} select * from kept.${name}`),
    ...kept.flatMap(({ identity }) => (identity === null ? [] : [`select setval('${identity}', 1, false)`])),
    ...sealedTables.map((table) => `alter table ${table} enable trigger user`),
    'commit',
  ].join(';');
});
afterAll(() => behind.end());

async function openReplicas(): Promise<Opened> {
  await behind.query(restore);
  const unreadable: string[] = [];
  const [one, other] = await Promise.all([
    openStore(
      { databaseUrl },
      { onUnreadable: ({ table, row, field }) => unreadable.push(`${table} ${row} ${field}`) },
    ),
    openStore({ databaseUrl }),
  ]);
  return {
    one,
    other,
    run: async (statement) => {
      await behind.query(statement);
    },
    unreadable: () => unreadable,
    count: async (table) => {
      const { rows } = await behind.query(`select count(*) as rows from ${table}`);
      return counted.parse(rows)[0].rows;
    },
    disarm: async () => {
      for (const table of sealedTables) await behind.query(`alter table ${table} disable trigger user`);
    },
    close: async () => {
      await Promise.all([one.close(), other.close()]);
    },
  };
}

describe('the store on PostgreSQL', () => {
  storeContract(openReplicas);

  it('is never sure to be used by one process alone', async () => {
    const { one, close } = await openReplicas();
    expect(one.soleProcess).toBe(false);
    await close();
  });
});
