import { DatabaseSync } from 'node:sqlite';

import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, expect, it } from 'vitest';

import { sqliteAdapter } from '../../src/store/sqlite/open-sqlite.ts';

const database = new DatabaseSync(':memory:');
const compiled: string[] = [];
const prepare = database.prepare.bind(database);
database.prepare = (sql) => {
  compiled.push(sql);
  return prepare(sql);
};
const queries = new Kysely<{ entries: { id: number; text: string } }>({
  dialect: new SqliteDialect({ database: sqliteAdapter(database) }),
});
database.exec('create table entries (id integer primary key, text text not null)');
afterAll(() => queries.destroy());

const insert = async (from: number, count: number): Promise<number> => {
  compiled.length = 0;
  const rows = Array.from({ length: count }, (_, at) => ({ id: from + at, text: 'one of them' }));
  await queries.insertInto('entries').values(rows).execute();
  return compiled.length;
};

it('compiles a statement once, and keeps none of those that are another for each length of a list', async () => {
  expect([await insert(0, 1), await insert(1, 1)]).toEqual([1, 0]);
  expect([await insert(100, 500), await insert(1_000, 500)]).toEqual([1, 1]);
  expect(await queries.selectFrom('entries').selectAll().execute()).toHaveLength(1_002);
});
