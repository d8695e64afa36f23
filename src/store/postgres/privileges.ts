import { sql } from 'kysely';

import { badInput } from '../../model/values/errors.ts';
import type { Queries } from '../database/database.ts';
import type { Schema } from '../database/schema.ts';

const all = ['select', 'insert', 'update', 'delete'] as const;
/** Sealed entries and their proofs are never changed. */
const append = ['select', 'insert'] as const;

const needed: Readonly<Record<keyof Schema, readonly (typeof all)[number][]>> = {
  requests: all,
  audit: append,
  // Only the owner removes what people typed, by `store -- forget`.
  audit_reasons: append,
  audit_head: ['select', 'update'],
  audit_staged: ['select', 'insert', 'delete'],
  audit_nodes: append,
  audit_checkpoints: append,
  audit_cosignatures: append,
  deliveries: all,
  due: all,
  alert_hooks: all,
  alert_messages: all,
  alert_groups: all,
  sign_ins: all,
  store_home: ['select', 'insert', 'update'],
  schema_version: ['select'],
};

/**
 * Grants a role what a running Bellhop needs, and revokes everything else. Only the owner of the tables can run this.
 * @throws BellhopError `bad-input` if there is no such role, or the role is the owner
 */
export async function grantRunning(queries: Queries, role: string): Promise<void> {
  const { rows } = await sql<{ owner: boolean }>`
    select pg_has_role(oid, (select relowner from pg_class where oid = 'audit'::regclass), 'member') as owner
    from pg_roles where rolname = ${role}`.execute(queries);
  const [found] = rows;
  if (!found) {
    throw badInput(`There is no role ${role}. Create it first; docs/operations.md has the SQL.`);
  }
  if (found.owner) {
    throw badInput(`The role ${role} owns the tables. Use the role that Bellhop runs as.`);
  }
  const grantee = sql.id(role);
  const { rows: schemas } = await sql<{ name: string }>`select current_schema() as name`.execute(queries);
  await sql`grant usage on schema ${sql.id(schemas[0]?.name ?? 'public')} to ${grantee}`.execute(queries);
  for (const [table, privileges] of Object.entries(needed)) {
    await sql`revoke all on ${sql.id(table)} from ${grantee}`.execute(queries);
    await sql`grant ${sql.raw(privileges.join(', '))} on ${sql.id(table)} to ${grantee}`.execute(queries);
  }
}

export async function mayRewrite(queries: Queries): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`
    select has_table_privilege('audit', 'update, delete, truncate') as may`.execute(queries);
  return rows[0]?.may ?? false;
}
