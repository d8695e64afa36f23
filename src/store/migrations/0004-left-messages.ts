import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';
import { leftColumns } from '../database/schema.ts';

/** An earlier message of a group leads to the group, and so to its newest message. */
export async function leftMessages({ schema }: Queries): Promise<void> {
  for (const column of Object.keys(leftColumns))
    await schema
      .alterTable('alert_messages')
      .addColumn(column, sql`text`)
      .execute();
}
