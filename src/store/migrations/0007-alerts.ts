import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';

/** Groups of alerts, and the messages that tell of them. Updating its row in `alert_hooks` is a hook's turn. */
export async function alerts({ schema }: Queries): Promise<void> {
  await schema
    .createTable('alert_hooks')
    .addColumn('hook', 'text', (column) => column.primaryKey())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createTable('alert_messages')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hook', 'text', (column) => column.notNull())
    .addColumn('channel', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('ts', 'text')
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('shown_version', 'integer', (column) => column.notNull())
    .addColumn('try_at', 'bigint')
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('folded_at', 'bigint', (column) => column.notNull())
    .addColumn('firing', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('alert_messages_by_hook')
    .on('alert_messages')
    .columns(['hook', 'kind', 'opened_at'])
    .execute();
  await schema
    .createIndex('alert_messages_behind')
    .on('alert_messages')
    .columns(['try_at', 'id'])
    .where(sql<boolean>`shown_version < version`)
    .execute();
  await schema
    .createIndex('alert_messages_by_age')
    .on('alert_messages')
    .columns(['opened_at', 'id'])
    .execute();
  await schema
    .createTable('alert_groups')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hook', 'text', (column) => column.notNull())
    .addColumn('message_id', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_at', 'bigint', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('digest', 'text', (column) => column.notNull())
    .addColumn('firing_digest', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('seen_at', 'bigint', (column) => column.notNull())
    .execute();
  await schema
    .createIndex('alert_groups_by_message')
    .on('alert_groups')
    .columns(['message_id', 'title', 'status'])
    .execute();
  await schema.createIndex('alert_groups_by_age').on('alert_groups').columns(['seen_at', 'id']).execute();
}
