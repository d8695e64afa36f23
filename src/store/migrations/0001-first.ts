import { type CreateTableBuilder, sql } from 'kysely';

import type { Dialect, Queries } from '../database/database.ts';
import { refuseChanges } from './append-only.ts';

/** After the first release, a change of the schema gets a new number. */
export async function first(queries: Queries, dialect: Dialect): Promise<void> {
  await createRequests(queries);
  await createAudit(queries, dialect);
  await createTree(queries, dialect);
  await createAlerts(queries);
  await createDeliveries(queries);
  await createTable(queries, 'due', {
    kind: 'text!',
    key: 'text!',
    version: 'integer!',
    about: 'text',
    at: 'bigint',
    since: 'bigint!',
    set_at: 'bigint!',
    tries: 'integer!',
  })
    .addPrimaryKeyConstraint('due_key', ['kind', 'key'])
    .execute();
  await createIndex(queries, 'due', 'due_by_time', ['kind', 'at', 'since']).execute();
  await createIndex(queries, 'due', 'due_by_setting', ['set_at']).execute();
  await createTable(queries, 'sign_ins', {
    token: 'key',
    person: 'text!',
    browser: 'text',
    stage: 'text!',
    click: 'text!',
    login: 'text',
    made_at: 'bigint!',
    good_until: 'bigint!',
  }).execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_browser', ['browser']).unique().execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_end', ['good_until']).execute();
  await createIndex(queries, 'sign_ins', 'sign_ins_by_person', ['person', 'made_at']).execute();
  await createTable(queries, 'store_home', { id: 'number', home: 'text!' }).execute();
}

/** Column types. `!` means not null, `key` a text primary key, and `number` an integer primary key. */
type Column = 'text' | 'text!' | 'bigint' | 'bigint!' | 'integer!' | 'key' | 'number';

function createTable(
  { schema }: Queries,
  name: string,
  columns: Readonly<Record<string, Column>>,
): CreateTableBuilder<string, string> {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of Object.entries(columns)) {
    if (kind === 'key') table = table.addColumn(column, 'text', (is) => is.primaryKey());
    else if (kind === 'number') table = table.addColumn(column, 'integer', (is) => is.primaryKey());
    else if (kind === 'text' || kind === 'bigint') table = table.addColumn(column, kind);
    else table = table.addColumn(column, sql.raw(kind.slice(0, -1)), (is) => is.notNull());
  }
  return table;
}

const createIndex = ({ schema }: Queries, table: string, name: string, columns: string[]) =>
  schema.createIndex(name).on(table).columns(columns);

const isOpen = sql<boolean>`state in ('proposed', 'awaiting approval', 'running')`;

async function createRequests(queries: Queries): Promise<void> {
  await createTable(queries, 'requests', {
    id: 'key',
    version: 'integer!',
    state: 'text!',
    operation: 'text!',
    input: 'text!',
    words: 'text!',
    target: 'text!',
    target_key: 'text!',
    preview: 'text!',
    requester_team: 'text!',
    requester_user: 'text!',
    place: 'text!',
    reason: 'text',
    break_glass: 'text',
    decision: 'text!',
    approvals: 'text!',
    created_at: 'bigint!',
    expires_at: 'bigint!',
    decided_by: 'text',
    decided_at: 'bigint',
    note: 'text',
    last_unknown_at: 'bigint',
    started_at: 'bigint',
    runner: 'text',
    lease_until: 'bigint',
    before: 'text',
    ended_at: 'bigint',
    outcome: 'text',
    settled_at: 'bigint',
    policy_hash: 'text!',
    correlation_id: 'text!',
    card: 'text',
    card_shown_version: 'integer!',
    review: 'text',
    review_message: 'text',
    review_closed: 'text',
    rollout: 'text',
    paused_at: 'bigint',
    part_of: 'text',
    press: 'text',
  }).execute();
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

const searched = {
  event: 'text!',
  at: 'bigint!',
  actor_team: 'text',
  actor_user: 'text',
  target_name: 'text',
  request_id: 'text',
  reason_hash: 'text',
} as const;

/**
 * Steps stage their entries in `audit_staged`. A sealer numbers the entries, moves them into `audit`, and grows the
 * tree over them.
 */
async function createAudit(queries: Queries, dialect: Dialect): Promise<void> {
  await createTable(queries, 'audit', {
    seq: 'number',
    hash: 'text!',
    draft: 'text!',
    ...searched,
    latest_at: 'bigint!',
  }).execute();
  const index = (name: string, columns: string[]) => createIndex(queries, 'audit', name, columns).execute();
  await index('audit_by_time', ['latest_at', 'seq']);
  await index('audit_by_actor', ['actor_team', 'actor_user', 'seq']);
  await index('audit_by_target', ['target_name', 'seq']);
  await index('audit_by_request', ['request_id', 'seq']);
  await createIndex(queries, 'audit', 'audit_by_typist', ['actor_user', 'at'])
    .where(sql<boolean>`reason_hash is not null`)
    .execute();
  await createTable(queries, 'audit_staged', { draft: 'text!', ...searched })
    .addColumn('id', dialect === 'sqlite' ? 'integer' : 'bigint', (column) =>
      dialect === 'sqlite' ? column.primaryKey() : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .execute();
  await createTable(queries, 'audit_reasons', { hash: 'key', typed: 'text!' }).execute();
  await createTable(queries, 'audit_head', {
    id: 'number',
    seq: 'integer!',
    latest_at: 'bigint!',
    edge: 'text!',
  }).execute();
  await queries.insertInto('audit_head').values({ id: 1, seq: 0, latest_at: 0, edge: '' }).execute();
}

async function createTree(queries: Queries, dialect: Dialect): Promise<void> {
  await createTable(queries, 'audit_nodes', { level: 'integer!', place: 'bigint!', hash: 'text!' })
    .addPrimaryKeyConstraint('audit_nodes_key', ['level', 'place'])
    .execute();
  await createTable(queries, 'audit_checkpoints', {
    number: 'number',
    size: 'bigint!',
    at: 'bigint!',
    note: 'text!',
  }).execute();
  await createIndex(queries, 'audit_checkpoints', 'audit_checkpoints_by_size', ['size']).unique().execute();
  await createTable(queries, 'audit_cosignatures', {
    number: 'integer!',
    witness: 'text!',
    line: 'text!',
    at: 'bigint!',
  })
    .addPrimaryKeyConstraint('audit_cosignatures_key', ['number', 'witness'])
    .execute();
  await refuseChanges(queries, dialect, {
    audit: ['seq'],
    audit_nodes: ['level', 'place'],
    audit_checkpoints: ['number'],
    audit_cosignatures: ['number', 'witness'],
  });
}

async function createAlerts(queries: Queries): Promise<void> {
  await createTable(queries, 'alert_hooks', { hook: 'key', updated_at: 'bigint!' }).execute();
  await createTable(queries, 'alert_messages', {
    id: 'key',
    hook: 'text!',
    channel: 'text!',
    kind: 'text!',
    tier: 'text!',
    moved: 'text',
    ts: 'text',
    version: 'integer!',
    shown_version: 'integer!',
    opened_at: 'bigint!',
    folded_at: 'bigint!',
    firing: 'integer!',
    total: 'integer!',
  }).execute();
  await createTable(queries, 'alert_groups', {
    id: 'key',
    hook: 'text!',
    message_id: 'text!',
    status: 'text!',
    status_at: 'bigint!',
    title: 'text!',
    content: 'text!',
    rank: 'integer!',
    told: 'text!',
    digest: 'text!',
    firing_digest: 'text!',
    sent_at: 'bigint',
    seen_at: 'bigint!',
  }).execute();
  const index = (table: string, name: string, columns: string[]) =>
    createIndex(queries, `alert_${table}`, `alert_${table}_${name}`, columns);
  await index('messages', 'by_hook', ['hook', 'kind', 'opened_at']).execute();
  await index('messages', 'by_age', ['opened_at', 'id']).execute();
  await index('groups', 'by_message', ['message_id', 'title', 'status']).execute();
  await index('groups', 'by_age', ['seen_at', 'id']).execute();
  await index('groups', 'by_hook', ['hook', 'status', 'status_at']).execute();
}

async function createDeliveries(queries: Queries): Promise<void> {
  await createTable(queries, 'deliveries', {
    key: 'key',
    expires_at: 'bigint!',
    held_by: 'text',
  }).execute();
  await createIndex(queries, 'deliveries', 'deliveries_by_expiry', ['expires_at', 'key']).execute();
}
