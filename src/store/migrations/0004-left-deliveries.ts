import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';

/** Whose work an acknowledged payload is, until when they are trusted to be at it, and who waits for what comes of it. */
export async function leftDeliveries(queries: Queries): Promise<void> {
  const { schema } = queries;
  for (const column of ['held_by', 'waiting'])
    await schema.alterTable('deliveries').addColumn(column, 'text').execute();
  await schema.alterTable('deliveries').addColumn('held_until', 'bigint').execute();
  await schema
    .createIndex('deliveries_left')
    .on('deliveries')
    .columns(['held_until', 'key'])
    .where(sql<boolean>`waiting is not null`)
    .execute();
}
