import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';
import { recentColumns } from '../database/schema.ts';

/** A request names a change of its target that someone else made shortly before. */
export async function recentChange({ schema }: Queries): Promise<void> {
  for (const column of Object.keys(recentColumns))
    await schema
      .alterTable('requests')
      .addColumn(column, sql`text`)
      .execute();
}
