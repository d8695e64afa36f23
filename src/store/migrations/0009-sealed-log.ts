import { sql } from 'kysely';

import type { Dialect, Queries } from '../database/database.ts';
import { refuseChanges } from './append-only.ts';

/**
 * Steps stage their entries in `audit_staged`, and a sealer moves them into `audit`, numbered, and grows the tree over them:
 * of the tree, `audit` holds the hashes of the leaves, and `audit_nodes` those above. A version before this one goes on
 * writing into `audit`; the sealer takes what it finds there into the tree as well, and with it what stands there now.
 */
export async function sealedLog(queries: Queries, dialect: Dialect): Promise<void> {
  const { schema } = queries;
  await schema
    .createTable('audit_staged')
    .addColumn('id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) =>
      dialect === 'sqlite' ? column.primaryKey() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor_team', 'text')
    .addColumn('actor_user', 'text')
    .addColumn('target_name', 'text')
    .addColumn('request_id', 'text')
    .execute();
  await schema
    .createTable('audit_nodes')
    .addColumn('level', 'integer', (column) => column.notNull())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_nodes_key', ['level', 'place'])
    .execute();
  await schema
    .createTable('audit_checkpoints')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('size', 'bigint', (column) => column.notNull().unique())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .execute();
  await schema
    .createTable('audit_cosignatures')
    .addColumn('number', 'integer', (column) => column.notNull())
    .addColumn('witness', 'text', (column) => column.notNull())
    .addColumn('line', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('audit_cosignatures_key', ['number', 'witness'])
    .execute();
  await refuseChanges(queries, dialect, 'audit_nodes', ['level', 'place']);
  await refuseChanges(queries, dialect, 'audit_checkpoints', ['number']);
  await refuseChanges(queries, dialect, 'audit_cosignatures', ['number', 'witness']);
  await schema
    .alterTable('audit_head')
    .addColumn('taken_over', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await schema.alterTable('audit_head').addColumn('chain_break', 'text').execute();
  await sql`update audit_head set taken_over = 1 where seq = 0`.execute(queries);
}
