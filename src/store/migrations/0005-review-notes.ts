import type { Queries } from '../database/database.ts';

/** What a guard said against a change whose approval was skipped. */
export async function reviewNotes({ schema }: Queries): Promise<void> {
  await schema.alterTable('reviews').addColumn('note', 'text').execute();
}
