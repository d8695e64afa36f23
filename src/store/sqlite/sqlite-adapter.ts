import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

import type { SqliteDatabase, SqliteStatement } from 'kysely';

/** More than the store has. */
const mostStatements = 200;

/**
 * More than any statement of the store that takes no list. One that does is another for each length and hardly met again; kept
 * with its program and its last values, two hundred of them took 50 MB.
 */
const mostParameters = 60;

/** node:sqlite in the shape that Kysely's SQLite dialect asks for, with prepared statements kept. */
export function sqliteAdapter(database: DatabaseSync): SqliteDatabase {
  const prepared = new Map<string, SqliteStatement>();
  return {
    prepare(sql) {
      const known = prepared.get(sql);
      if (known) return known;
      const statement = adapted(database.prepare(sql));
      if (sql.split('?', mostParameters + 2).length > mostParameters + 1) return statement;
      if (prepared.size >= mostStatements) prepared.clear();
      prepared.set(sql, statement);
      return statement;
    },
    close: () => database.close(),
  };
}

function adapted(statement: StatementSync): SqliteStatement {
  return {
    reader: statement.columns().length > 0,
    all: (parameters) => statement.all(...parameters.map(bindable)),
    run: (parameters) => statement.run(...parameters.map(bindable)),
    iterate: (parameters) => statement.iterate(...parameters.map(bindable)),
  };
}

function bindable(value: unknown): SQLInputValue {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint') {
    return value;
  }
  throw new TypeError(`SQLite cannot store a ${typeof value}`);
}
