import type { Queries } from '../database/database.ts';

/** The right edge of the tree beside the head of the log, so that growing it reads no row of the tree. */
export async function edgeOfTheTree({ schema }: Queries): Promise<void> {
  await schema
    .alterTable('audit_head')
    .addColumn('edge', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
