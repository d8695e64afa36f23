import type { Queries } from '../database/database.ts';

/** Which alerts have messages of their own, how bad they are, and what people were told of them. */
export async function alertTiers({ schema }: Queries): Promise<void> {
  const messages = schema.alterTable('alert_messages');
  await messages.addColumn('tier', 'text', (column) => column.notNull().defaultTo('other')).execute();
  await messages.addColumn('moved', 'text').execute();
  const groups = schema.alterTable('alert_groups');
  await groups.addColumn('rank', 'integer', (column) => column.notNull().defaultTo(0)).execute();
  await groups
    .addColumn('told', 'text', (column) => column.notNull().defaultTo('{"rank":0,"targets":[]}'))
    .execute();
}
