import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteQueryCompiler,
} from 'kysely';

import type { Dialect } from '../../src/store/database/database.ts';
import type { Schema } from '../../src/store/database/schema.ts';
import type { migrations } from '../../src/store/migrate.ts';

const unused = (): never => {
  throw new Error('unused');
};

const dialects = {
  postgres: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: unused,
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  sqlite: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: unused,
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
} as const;

/** The statements of a step, with white space normalized. */
export async function statementsOf(
  run: (typeof migrations)[number]['run'],
  dialect: Dialect,
): Promise<readonly string[]> {
  const statements: string[] = [];
  const queries = new Kysely<Schema>({
    dialect: dialects[dialect],
    log: ({ query }) => void statements.push(query.sql.replaceAll(/\s+/gu, ' ')),
  });
  await run(queries, dialect);
  return statements;
}
