import type { Queries } from '../database/database.ts';

/** By which claim a request runs. */
export async function runner({ schema }: Queries): Promise<void> {
  await schema.alterTable('requests').addColumn('runner', 'text').execute();
}
