import { hash } from 'node:crypto';

import { describe, expect, it, onTestFinished } from 'vitest';

import { tables } from '../../src/store/database/schema.ts';
import { migrations } from '../../src/store/migrate.ts';
import { openDatabase } from '../../src/store/open-store.ts';
import { commonPostgres } from '../common-postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { statementsOf } from './migration-statements.ts';

// A change of a released step would leave stores behind that do not have it: write a new step instead. If a new Kysely
// words the same statements differently, keep the hash, and fit this test.
it.each(migrations)('the hash of $name is that of its statements', async ({ hash: kept, run }) => {
  const statements = [...(await statementsOf(run, 'postgres')), ...(await statementsOf(run, 'sqlite'))];
  expect(hash('sha256', statements.join('\n')).slice(0, 16)).toBe(kept);
});

describe.each(['the embedded store', 'PostgreSQL'])('%s', (kind) => {
  it('has the columns that are declared, each as naming people or as naming no one', async () => {
    const database = await openDatabase(
      kind === 'PostgreSQL'
        ? { databaseUrl: await commonPostgres.createDatabase() }
        : { dataDir: temporaryFolder() },
    );
    onTestFinished(() => database.close());
    const existing = await database.read((queries) => queries.introspection.getTables());
    const found = existing.map(
      ({ name, columns }) => [name, columns.map((column) => column.name).toSorted()] as const,
    );
    const declared = Object.entries(tables).map(
      ([table, columns]) => [table, Object.keys(columns).toSorted()] as const,
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(declared));
  });
});
