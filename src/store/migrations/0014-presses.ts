import type { Queries } from '../database/database.ts';

/** Which press of a button or form a request came of: a double click is one. */
export async function presses({ schema }: Queries): Promise<void> {
  await schema.alterTable('requests').addColumn('press', 'text').execute();
  await schema.createIndex('requests_one_a_press').unique().on('requests').column('press').execute();
}
