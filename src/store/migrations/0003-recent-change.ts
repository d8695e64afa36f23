import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';
import { recentColumns } from '../database/schema.ts';

export async function recentChange({ schema }: Queries): Promise<void> {
  for (const column of Object.keys(recentColumns))
    await schema
      .alterTable('requests')
      .addColumn(column, sql`text`)
      .execute();
}
