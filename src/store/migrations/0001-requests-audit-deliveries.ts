import { sql } from 'kysely';

import { genesisHash } from '../../model/audit.ts';
import type { Dialect, Queries } from '../database/database.ts';
import { refuseAuditChanges } from './append-only.ts';

const open = sql<boolean>`state in ('proposed', 'awaiting approval', 'running')`;

/** Never edited once it ran anywhere: what comes later is a new number. */
export async function requestsAuditDeliveries(queries: Queries, dialect: Dialect): Promise<void> {
  await createRequests(queries);
  await indexRequests(queries);
  await createAudit(queries);
  await refuseAuditChanges(queries, dialect);
  await queries.schema
    .createTable('deliveries')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await queries.schema
    .createIndex('deliveries_by_expiry')
    .on('deliveries')
    .columns(['expires_at', 'key'])
    .execute();
}

async function createRequests(queries: Queries): Promise<void> {
  await queries.schema
    .createTable('requests')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('input', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('target_key', 'text', (column) => column.notNull())
    .addColumn('preview', 'text', (column) => column.notNull())
    .addColumn('requester_team', 'text', (column) => column.notNull())
    .addColumn('requester_user', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('reason', 'text')
    .addColumn('break_glass', 'text')
    .addColumn('decision', 'text', (column) => column.notNull())
    .addColumn('approvals', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('decided_by', 'text')
    .addColumn('decided_at', 'bigint')
    .addColumn('note', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('lease_until', 'bigint')
    .addColumn('before', 'text')
    .addColumn('ended_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('policy_hash', 'text', (column) => column.notNull())
    .addColumn('correlation_id', 'text', (column) => column.notNull())
    .addColumn('card', 'text')
    .addColumn('card_shown_version', 'integer', (column) => column.notNull())
    .addColumn('card_try_at', 'bigint')
    .addColumn('due_at', 'bigint', (column) =>
      column
        .generatedAlwaysAs(
          sql`case when state = 'running' then coalesce(lease_until, created_at)
               when state in ('proposed', 'awaiting approval') then expires_at end`,
        )
        .stored(),
    )
    .execute();
}

async function indexRequests(queries: Queries): Promise<void> {
  const { schema } = queries;
  await schema
    .createIndex('requests_one_open_a_target')
    .unique()
    .on('requests')
    .column('target_key')
    .where(open)
    .execute();
  await schema
    .createIndex('requests_by_due')
    .on('requests')
    .columns(['due_at', 'id'])
    .where(sql<boolean>`due_at is not null`)
    .execute();
  await schema
    .createIndex('requests_by_stale_card')
    .on('requests')
    .columns(['card_try_at', 'created_at'])
    .where(sql<boolean>`card_shown_version < version and card_try_at is not null`)
    .execute();
  await schema
    .createIndex('requests_by_state')
    .on('requests')
    .columns(['state', 'created_at', 'id'])
    .execute();
  await schema
    .createIndex('requests_by_requester')
    .on('requests')
    .columns(['requester_team', 'requester_user', 'state', 'created_at', 'id'])
    .execute();
  await schema
    .createIndex('requests_by_target')
    .on('requests')
    .columns(['target_key', 'state', 'created_at', 'id'])
    .execute();
}

async function createAudit(queries: Queries): Promise<void> {
  const { schema } = queries;
  await schema
    .createTable('audit')
    .addColumn('seq', 'integer', (column) => column.primaryKey())
    .addColumn('previous_hash', 'text', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('draft', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('latest_at', 'bigint', (column) => column.notNull())
    .addColumn('actor_team', 'text')
    .addColumn('actor_user', 'text')
    .addColumn('target_name', 'text')
    .addColumn('request_id', 'text')
    .execute();
  await schema.createIndex('audit_by_time').on('audit').columns(['latest_at', 'seq']).execute();
  await schema
    .createIndex('audit_by_actor')
    .on('audit')
    .columns(['actor_team', 'actor_user', 'seq'])
    .execute();
  await schema.createIndex('audit_by_target').on('audit').columns(['target_name', 'seq']).execute();
  await schema.createIndex('audit_by_request').on('audit').columns(['request_id', 'seq']).execute();
  await schema
    .createTable('audit_head')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('latest_at', 'bigint', (column) => column.notNull())
    .execute();
  await queries.insertInto('audit_head').values({ id: 1, seq: 0, hash: genesisHash, latest_at: 0 }).execute();
}
