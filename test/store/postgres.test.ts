import { Client } from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { type Opened, sealedTables } from './contract/opened.ts';
import { storeContract } from './store-contract.ts';
import { commonPostgres } from '../common-postgres.ts';
import { openStore } from './open-store.ts';

const counted = z.tuple([z.object({ rows: z.coerce.number() })]);

let migrated: string;
beforeAll(async () => {
  migrated = await commonPostgres.createDatabase();
  await (await openStore({ databaseUrl: migrated })).close();
});

async function openReplicas(): Promise<Opened> {
  const databaseUrl = await commonPostgres.createDatabase(migrated);
  const unreadable: string[] = [];
  const [one, other] = await Promise.all([
    openStore(
      { databaseUrl },
      { onUnreadable: ({ table, row, field }) => unreadable.push(`${table} ${row} ${field}`) },
    ),
    openStore({ databaseUrl }),
  ]);
  const behind = new Client({ connectionString: databaseUrl });
  await behind.connect();
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
      await behind.end();
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
