import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';
import { heldColumns } from '../database/schema.ts';

/** Stores with a delivery who waits, and until when its process counts as alive. Earlier versions keep both in a row of `due`. */
export async function deliveries({ schema }: Queries): Promise<void> {
  for (const [column, kind] of Object.entries(heldColumns))
    await schema
      .alterTable('deliveries')
      .addColumn(column, sql.raw(kind.replace('people', 'text')))
      .execute();
  await schema
    .createIndex('deliveries_held')
    .on('deliveries')
    .column('until')
    .where(sql.raw<boolean>('until is not null'))
    .execute();
}
