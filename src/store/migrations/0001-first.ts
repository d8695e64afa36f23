import { type CreateTableBuilder, sql } from 'kysely';

import type { Dialect, Queries } from '../database/database.ts';
import { columnsOf, firstTables, keyOf } from '../database/schema.ts';
import { refuseChanges } from './append-only.ts';

const open = "state in ('proposed', 'awaiting approval', 'running')";
const started = 'started_at is not null';
const underReview = 'review is not null and review_closed is null';

/** After the first release, a change of the schema gets a new number. */
export async function first(queries: Queries, dialect: Dialect): Promise<void> {
  const table = (name: keyof typeof firstTables) => createTable(queries, name, dialect).execute();
  const index = (of: string, name: string, columns: string, { unique = false, where = '' } = {}) => {
    const plain = queries.schema.createIndex(`${of}_${name}`).on(of).columns(columns.split(' '));
    const made = unique ? plain.unique() : plain;
    return (where === '' ? made : made.where(sql.raw<boolean>(where))).execute();
  };
  await table('requests');
  await index('requests', 'one_open_a_target', 'target_key', { unique: true, where: open });
  await index('requests', 'one_a_press', 'press', { unique: true });
  await index('requests', 'by_start', 'started_at id', { where: started });
  await index('requests', 'by_target_start', 'target_key started_at id', { where: started });
  await index('requests', 'by_state', 'state created_at id');
  await index('requests', 'open_review', 'started_at id', { where: underReview });
  await index('requests', 'by_requester', 'requester_team requester_user state created_at id');
  await index('requests', 'by_rollout', 'part_of');
  await index('requests', 'by_target', 'target_key state created_at id');
  // A sealer numbers the entries in `audit_staged`, moves them into `audit`, and grows the tree.
  await table('audit');
  await index('audit', 'by_time', 'latest_at seq');
  await index('audit', 'by_actor', 'actor_team actor_user seq');
  await index('audit', 'by_target', 'target_name seq');
  await index('audit', 'by_request', 'request_id seq');
  await index('audit', 'by_typist', 'actor_user at', { where: 'reason_hash is not null' });
  await table('audit_staged');
  await table('audit_reasons');
  await table('audit_head');
  await queries.insertInto('audit_head').values({ id: 1, seq: 0, latest_at: 0, edge: '' }).execute();
  await table('audit_nodes');
  await table('audit_checkpoints');
  await index('audit_checkpoints', 'by_size', 'size', { unique: true });
  await table('audit_cosignatures');
  await refuseChanges(queries, dialect, ['audit', 'audit_nodes', 'audit_checkpoints', 'audit_cosignatures']);
  await table('alert_hooks');
  await table('alert_messages');
  await table('alert_groups');
  await index('alert_messages', 'by_hook', 'hook kind opened_at');
  await index('alert_messages', 'by_age', 'opened_at id');
  await index('alert_groups', 'by_message', 'message_id title status');
  await index('alert_groups', 'by_age', 'seen_at id');
  await index('alert_groups', 'by_hook', 'hook status status_at');
  await table('deliveries');
  await index('deliveries', 'by_expiry', 'expires_at key');
  await table('due');
  await index('due', 'by_time', 'kind at since');
  await index('due', 'by_setting', 'set_at');
  await table('sign_ins');
  await index('sign_ins', 'by_browser', 'browser', { unique: true });
  await index('sign_ins', 'by_end', 'good_until');
  await index('sign_ins', 'by_person', 'person made_at');
  await table('store_home');
}

function createTable(
  { schema }: Queries,
  name: keyof typeof firstTables,
  dialect: Dialect,
): CreateTableBuilder<string, string> {
  let table: CreateTableBuilder<string, string> = schema.createTable(name);
  for (const [column, kind] of columnsOf(name, firstTables)) {
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
  const [one, ...others] = keyOf(name);
  return one === undefined || others.length === 0
    ? table
    : table.addPrimaryKeyConstraint(`${name}_key`, [one, ...others]);
}
