import { sql } from 'kysely';

import type { Dialect, Queries } from '../database.ts';

/** Triggers that refuse to change or remove an entry, whoever asks. */
export const refuseAuditChanges = (queries: Queries, dialect: Dialect): Promise<void> =>
  dialect === 'sqlite' ? onSqlite(queries) : onPostgres(queries);

async function onSqlite(queries: Queries): Promise<void> {
  await sql`create trigger audit_is_never_changed before update on audit begin
    select raise(abort, 'audit entries are never changed'); end`.execute(queries);
  await sql`create trigger audit_is_never_removed before delete on audit begin
    select raise(abort, 'audit entries are never removed'); end`.execute(queries);
  // "insert or replace" removes the old row without asking the trigger above.
  await sql`create trigger audit_is_never_replaced before insert on audit
    when exists (select 1 from audit where seq = new.seq) begin
    select raise(abort, 'audit entries are never replaced'); end`.execute(queries);
}

async function onPostgres(queries: Queries): Promise<void> {
  await sql`create function refuse_audit_change() returns trigger language plpgsql as $$
    begin raise exception 'audit entries are never changed or removed'; end $$`.execute(queries);
  await sql`create trigger audit_is_never_changed before update or delete on audit
    for each row execute function refuse_audit_change()`.execute(queries);
  await sql`create trigger audit_is_never_emptied before truncate on audit
    for each statement execute function refuse_audit_change()`.execute(queries);
}
