import { sql } from 'kysely';

import type { Dialect, Queries } from '../database/database.ts';
import { type firstTables, keyOf } from '../database/schema.ts';

/** Triggers reject every change or removal of rows. */
export async function refuseChanges(
  queries: Queries,
  dialect: Dialect,
  tables: readonly (keyof typeof firstTables)[],
): Promise<void> {
  if (dialect === 'postgres')
    await sql`create function refuse_audit_change() returns trigger language plpgsql as $$
      begin raise exception 'audit entries are never changed or removed'; end $$`.execute(queries);
  for (const table of tables)
    await (dialect === 'sqlite' ? onSqlite(queries, table, keyOf(table)) : onPostgres(queries, table));
}

async function onSqlite(queries: Queries, table: string, key: readonly string[]): Promise<void> {
  const name = (what: string) => sql.id(`${table}_${what}`);
  const of = sql.id(table);
  await sql`create trigger ${name('is_never_changed')} before update on ${of} begin
    select raise(abort, 'audit entries are never changed'); end`.execute(queries);
  await sql`create trigger ${name('is_never_removed')} before delete on ${of} begin
    select raise(abort, 'audit entries are never removed'); end`.execute(queries);
  // "insert or replace" removes the old row without firing the trigger above.
  const same = sql.join(
    key.map((column) => sql`${sql.id(column)} = new.${sql.id(column)}`),
    sql` and `,
  );
  await sql`create trigger ${name('is_never_replaced')} before insert on ${of}
    when exists (select 1 from ${of} where ${same}) begin
    select raise(abort, 'audit entries are never replaced'); end`.execute(queries);
}

async function onPostgres(queries: Queries, table: string): Promise<void> {
  const name = (what: string) => sql.id(`${table}_${what}`);
  await sql`create trigger ${name('is_never_changed')} before update or delete on ${sql.id(table)}
    for each row execute function refuse_audit_change()`.execute(queries);
  await sql`create trigger ${name('is_never_emptied')} before truncate on ${sql.id(table)}
    for each statement execute function refuse_audit_change()`.execute(queries);
}
