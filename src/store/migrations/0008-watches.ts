import type { Queries } from '../database/database.ts';

/** Targets that are looked at after a change until they are as it leaves them. A row goes with the last look. */
export async function watches({ schema }: Queries): Promise<void> {
  await schema
    .createTable('watches')
    .addColumn('request_id', 'text', (column) => column.primaryKey())
    .addColumn('look_at', 'bigint', (column) => column.notNull())
    .addColumn('moved_at', 'bigint')
    .execute();
  await schema.createIndex('watches_by_look').on('watches').column('look_at').execute();
}
