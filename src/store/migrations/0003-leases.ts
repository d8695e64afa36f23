import { sql } from 'kysely';

import type { Queries } from '../database/database.ts';

/**
 * Leases that end later than any can are found without a look at the others. The state is in it again for SQLite, which
 * otherwise takes the index by state.
 */
export async function leases(queries: Queries): Promise<void> {
  await queries.schema
    .createIndex('requests_by_lease')
    .on('requests')
    .columns(['state', 'lease_until', 'id'])
    .where(sql<boolean>`state = 'running'`)
    .execute();
}
