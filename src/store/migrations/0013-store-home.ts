import type { Queries } from '../database/database.ts';

/** Where this store is kept, so that a copy of it can be told from it. */
export async function storeHome({ schema }: Queries): Promise<void> {
  await schema
    .createTable('store_home')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('home', 'text', (column) => column.notNull())
    .execute();
}
