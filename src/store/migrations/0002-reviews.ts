import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';

/** Break-glass reviews, and what limits count. */
export async function reviews(queries: Queries): Promise<void> {
  const { schema } = queries;
  await schema
    .createTable('reviews')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('opened_at', 'bigint', (column) => column.notNull())
    .addColumn('opened_by', 'text', (column) => column.notNull())
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('words', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('rule', 'text', (column) => column.notNull())
    .addColumn('approvers', 'text', (column) => column.notNull())
    .addColumn('message', 'text')
    .addColumn('tell_at', 'bigint')
    .addColumn('closed_at', 'bigint')
    .addColumn('closed_by', 'text')
    .addColumn('word', 'text')
    .execute();
  await schema
    .createIndex('reviews_by_tell')
    .on('reviews')
    .column('tell_at')
    .where(sql<boolean>`tell_at is not null`)
    .execute();
  await schema
    .createIndex('reviews_open')
    .on('reviews')
    .columns(['opened_at', 'request_id'])
    .where(sql<boolean>`closed_at is null`)
    .execute();
  await schema
    .createIndex('requests_by_start')
    .on('requests')
    .columns(['started_at', 'id'])
    .where(sql<boolean>`started_at is not null`)
    .execute();
}
