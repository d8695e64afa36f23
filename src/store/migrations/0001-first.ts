import { type CreateTableBuilder, sql } from 'kysely';

import type { Dialect, Queries } from '../database/database.ts';
import { columnsOf, type firstTables, keyOf } from '../database/schema.ts';
import { refuseChanges } from './append-only.ts';

/** After the first release, a change of the schema gets a new number. */
export async function first(queries: Queries, dialect: Dialect): Promise<void> {
  await createRequests(queries);
  await createAudit(queries, dialect);
  await createTree(queries, dialect);
  await createAlerts(queries);
  await createDeliveries(queries);
  await createTable(queries, 'due').execute();
  await createIndex(queries, 'due', 'due_by_time', ['kind', 'at', 'since']).execute();
  await createIndex(queries, 'due', 'due_by_setting', ['set_at']).execute();
  await createTable(queries, 'sign_ins').execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_browser', ['browser']).unique().execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_end', ['good_until']).execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_person', ['person', 'made_at']).execute();
  await createTable(queries, 'store_home').execute();
}

type Creates = (
  { schema }: Queries,
  name: keyof typeof firstTables,
  dialect?: Dialect,
) => CreateTableBuilder<string, string>;

const createTable: Creates = ({ schema }, name, dialect = 'sqlite') => {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of columnsOf(name)) {
    if (kind === 'key') table = table.addColumn(column, 'text', (is) => is.primaryKey());
    else if (kind === 'number') table = table.addColumn(column, 'integer', (is) => is.primaryKey());
    else if (kind === 'serial')
      table =
        dialect === 'sqlite'
          ? table.addColumn(column, 'integer', (is) => is.primaryKey())
          : table.addColumn(column, 'bigint', (is) => is.primaryKey().generatedByDefaultAsIdentity());
    else {
      const type = sql.raw(kind.replace(/plain|people/u, 'text').replace('!', ''));
      table = table.addColumn(column, type, (is) => (kind.endsWith('!') ? is.notNull() : is));
    }
  }
  const [first, ...more] = keyOf(name);
  return first === undefined || more.length === 0
    ? table
    : table.addPrimaryKeyConstraint(`${name}_key`, [first, ...more]);
};

const createIndex = ({ schema }: Queries, table: string, name: string, columns: string[]) =>
  schema.createIndex(name).on(table).columns(columns);

const isOpen = sql<boolean>`state in ('proposed', 'awaiting approval', 'running')`;

async function createRequests(queries: Queries): Promise<void> {
  await createTable(queries, 'requests').execute();
  await indexRequests(queries);
}

async function indexRequests(queries: Queries): Promise<void> {
  const index = (name: string, columns: string[]) => createIndex(queries, 'requests', name, columns);
  await index('requests_one_open_a_target', ['target_key']).unique().where(isOpen).execute();
  await index('requests_one_a_press', ['press']).unique().execute();
  await index('requests_by_start', ['started_at', 'id'])
    .where(sql<boolean>`started_at is not null`)
    .execute();
  await index('requests_by_target_start', ['target_key', 'started_at', 'id'])
    .where(sql<boolean>`started_at is not null`)
    .execute();
  await index('requests_by_state', ['state', 'created_at', 'id']).execute();
  await index('requests_open_review', ['started_at', 'id'])
    .where(sql<boolean>`review is not null and review_closed is null`)
    .execute();
  await index('requests_by_requester', [
    'requester_team',
    'requester_user',
    'state',
    'created_at',
    'id',
  ]).execute();
  await index('requests_by_rollout', ['part_of']).execute();
  await index('requests_by_target', ['target_key', 'state', 'created_at', 'id']).execute();
}

/**
 * Steps stage their entries in `audit_staged`. A sealer numbers the entries, moves them into `audit`, and grows the
 * tree over them.
 */
async function createAudit(queries: Queries, dialect: Dialect): Promise<void> {
  await createTable(queries, 'audit').execute();
  const index = (name: string, columns: string[]) => createIndex(queries, 'audit', name, columns).execute();
  await index('audit_by_time', ['latest_at', 'seq']);
  await index('audit_by_actor', ['actor_team', 'actor_user', 'seq']);
  await index('audit_by_target', ['target_name', 'seq']);
  await index('audit_by_request', ['request_id', 'seq']);
  await createIndex(queries, 'audit', 'audit_by_typist', ['actor_user', 'at'])
    .where(sql<boolean>`reason_hash is not null`)
    .execute();
  await createTable(queries, 'audit_staged', dialect).execute();
  await createTable(queries, 'audit_reasons').execute();
  await createTable(queries, 'audit_head').execute();
  await queries.insertInto('audit_head').values({ id: 1, seq: 0, latest_at: 0, edge: '' }).execute();
}

async function createTree(queries: Queries, dialect: Dialect): Promise<void> {
  await createTable(queries, 'audit_nodes').execute();
  await createTable(queries, 'audit_checkpoints').execute();
  await createIndex(queries, 'audit_checkpoints', 'audit_checkpoints_by_size', ['size']).unique().execute();
  await createTable(queries, 'audit_cosignatures').execute();
  await refuseChanges(queries, dialect, ['audit', 'audit_nodes', 'audit_checkpoints', 'audit_cosignatures']);
}

async function createAlerts(queries: Queries): Promise<void> {
  await createTable(queries, 'alert_hooks').execute();
  await createTable(queries, 'alert_messages').execute();
  await createTable(queries, 'alert_groups').execute();
  const index = (table: string, name: string, columns: string[]) =>
    createIndex(queries, `alert_${table}`, `alert_${table}_${name}`, columns);
  await index('messages', 'by_hook', ['hook', 'kind', 'opened_at']).execute();
  await index('messages', 'by_age', ['opened_at', 'id']).execute();
  await index('groups', 'by_message', ['message_id', 'title', 'status']).execute();
  await index('groups', 'by_age', ['seen_at', 'id']).execute();
  await index('groups', 'by_hook', ['hook', 'status', 'status_at']).execute();
}

async function createDeliveries(queries: Queries): Promise<void> {
  await createTable(queries, 'deliveries').execute();
  await createIndex(queries, 'deliveries', 'deliveries_by_expiry', ['expires_at', 'key']).execute();
}
