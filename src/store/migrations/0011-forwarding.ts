import type { Queries } from '../database/database.ts';

/** How far the audit log was sent to each destination, which a hash of its settings names. */
export async function forwarding({ schema }: Queries): Promise<void> {
  await schema
    .createTable('audit_forwarding')
    .addColumn('destination', 'text', (column) => column.primaryKey())
    .addColumn('sent', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'integer', (column) => column.notNull().defaultTo(0))
    .addColumn('problem', 'text')
    .addColumn('try_at', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
