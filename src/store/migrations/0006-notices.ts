import type { Queries } from '../database/database.ts';

/** What those who wait are still to be told. A row goes once it stands in Slack. */
export async function notices({ schema }: Queries): Promise<void> {
  await schema
    .createTable('notices')
    .addColumn('request_id', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('about', 'text', (column) => column.notNull())
    .addColumn('try_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('notices_key', ['request_id', 'kind'])
    .execute();
  await schema.createIndex('notices_by_try').on('notices').column('try_at').execute();
}
