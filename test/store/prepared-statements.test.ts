import { sql } from 'kysely';
import { Client } from 'pg';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { openDatabase } from '../../src/store/open-store.ts';
import { preparedStatements } from '../../src/store/postgres/prepared-statements.ts';
import type { Store } from '../../src/store/store.ts';
import { commonPostgres } from '../common-postgres.ts';
import { alice } from '../people.ts';
import { aProposal, aRequest, aStep } from './sample-request.ts';
import { openStore, createStore } from './open-store.ts';
import { dueKind } from '../../src/model/records/due.ts';

let databaseUrl: string;
let client: Client;
beforeAll(async () => {
  databaseUrl = await commonPostgres.createDatabase();
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
  return () => client.end();
});

/** A request from its proposal to its end, with the reads in between. */
async function operate(store: Store): Promise<string | undefined> {
  const request = aRequest();
  await store.propose(aProposal(request));
  const check = { of: [{ since: 5, limit: 3 }], admits: () => true };
  await store.advance(aStep(request, 'running', { changes: { startedAt: 10 }, check }));
  await store.markCardShown(request.id, 2, { channel: 'C1', ts: '1.1' });
  for (const seldom of [true, false])
    await store.claimDue(new Map([[dueKind('card'), 1] as const]), 0, 1, seldom);
  await store.list({ states: ['proposed'], limit: 10 });
  await store.audit({ actor: alice, limit: 1 });
  await store.advance(aStep({ ...request, state: 'running', version: 2 }, 'succeeded'));
  return (await store.find(request.id))?.state;
}

/** The server decides on a plan permanently after five runs. */
const runs = 8;

async function operateOften(store: Store): Promise<readonly unknown[]> {
  const states: unknown[] = [];
  for (let run = 0; run < runs; run += 1) states.push(await operate(store));
  return states;
}

const allSucceeded = Array.from({ length: runs }, () => 'succeeded');

it('a replica continues when a newer version adds columns', async () => {
  const store = await openStore({ databaseUrl });
  onTestFinished(() => store.close());
  await operateOften(store);
  for (const table of ['requests', 'due', 'audit_head'])
    await client.query(`alter table ${table} add column added text`);
  expect(await operateOften(store)).toEqual(allSucceeded);
});

it('a replica continues on connections that have lost its statements, as those of a pooler', async () => {
  const database = await openDatabase({ databaseUrl });
  const store = createStore(database);
  onTestFinished(() => store.close());
  await operateOften(store);
  for (const way of ['write', 'note'] as const)
    await database[way]((queries) => sql`deallocate all`.execute(queries));
  expect(await operateOften(store)).toEqual(allSucceeded);
});

const readRows = z.array(z.object({ read: z.coerce.number() }));

it('a plan of a small table reads only a few rows once the table has grown', async () => {
  const grown = 20_000;
  const store = await openStore({ databaseUrl });
  await operate(store);
  await client.query('analyze');
  await operateOften(store);
  await client.query(`insert into due (kind, key, version, at, since, set_at, tries)
    select 'card', 'k-' || n, 1, 9e12, 9e12, extract(epoch from now()) * 1000, 0 from generate_series(1, ${grown}) n`);
  await operateOften(store);
  // The counters of its connections are complete when they have ended.
  await store.close();
  const counted = async () => {
    const { rows } = await client.query(`select coalesce(seq_tup_read, 0) as read from pg_stat_user_tables
      where relname = 'due' union all select idx_tup_read from pg_stat_user_indexes where relname = 'due'`);
    return Math.max(...readRows.parse(rows).map(({ read }) => read));
  };
  await expect.poll(counted).toBeGreaterThan(0);
  expect(await counted()).toBeLessThan(grown);
});

it('names statements that recur, and not too many', () => {
  const prepared = preparedStatements();
  const nameOf = (text: string, ...values: unknown[]) => prepared.nameOf(text, values);
  expect(nameOf('select $1', 1)).toBe(nameOf('select $1', 2));
  expect(nameOf('select $1', 1)).toBe(preparedStatements().nameOf('select $1', [1]));
  expect(nameOf('select 1')).toBeDefined();
  expect(nameOf('begin')).toBeUndefined();
  expect(nameOf('select $1, $2', ...Array.from({ length: 100 }))).toBeUndefined();
  const names = Array.from({ length: 1000 }, (_, n) => nameOf(`select ${n}`));
  expect(names.filter((name) => name !== undefined).length).toBeLessThan(300);
  expect(nameOf('select $1', 1)).toBeDefined();
});
