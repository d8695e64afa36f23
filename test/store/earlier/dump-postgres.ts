import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { z } from 'zod';

import { copyStore } from '../../../src/store/cli/copy-store.ts';
import { tables } from '../../../src/store/database/schema.ts';
import { migrations } from '../../../src/store/migrate.ts';
import { openDatabase, openDatabaseToRead } from '../../../src/store/open-store.ts';
import { commonPostgres } from '../../common-postgres.ts';
import { statementsOf } from '../migration-statements.ts';

/** PostgreSQL sends numbers as text if they may be too large for JavaScript. */
const rows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.null()])));

/** Copies an embedded store to PostgreSQL. Returns the statements that create this database again. */
export async function dumpPostgres(dataDir: string): Promise<string> {
  const databaseUrl = await commonPostgres.createDatabase();
  const [from, to] = [await openDatabaseToRead({ dataDir }), await openDatabase({ databaseUrl })];
  await copyStore(from, to);
  await from.close();
  await to.close();
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const lines = ['create table schema_version (number integer primary key, name text not null)'];
  for (const { run } of migrations) lines.push(...(await statementsOf(run, 'postgres')));
  const dump = lines.filter((line) => !line.startsWith('insert'));
  for (const table of Object.keys(tables))
    for (const row of rows.parse((await client.query(`select * from ${table}`)).rows))
      dump.push(insertion(table, row));
  await client.end();
  dump.push(
    "select setval(pg_get_serial_sequence('audit_staged', 'id'), (select max(id) from audit_staged))",
  );
  return `${dump.join(';\n')};\n`;
}

function insertion(table: string, row: z.output<typeof rows>[number]): string {
  const columns = Object.keys(row).map((column) => escapeIdentifier(column));
  const values = Object.values(row).map((value) => (value === null ? 'null' : escapeLiteral(String(value))));
  return `insert into ${table} (${columns.join(', ')}) values (${values.join(', ')})`;
}
