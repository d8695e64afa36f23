import { sql } from 'kysely';

import { type DeliveryHold, type OrphanedDelivery, waiting } from '../../model/outbox.ts';
import type { Queries } from '../database/database.ts';
import type { DeliveriesTable } from '../database/schema.ts';
import { parseRow, jsonReader, type RowReader, sanitizeText } from './parse-row.ts';

/** Records a delivery. True where its key is new or has expired, or the same holder claims it again; false for a duplicate. */
export async function rememberDelivery(
  queries: Queries,
  key: string,
  now: number,
  keepMs: number,
  held?: DeliveryHold,
): Promise<boolean> {
  const waitingText = held ? sanitizeText(JSON.stringify(held.waiting)) : null;
  const { rows } = await sql`
    insert into deliveries (key, expires_at, held_by, held_until, waiting)
    values (${sanitizeText(key)}, ${now + keepMs}, ${held?.by ?? null}, ${held?.until ?? null}, ${waitingText})
    on conflict (key) do update set
      expires_at = excluded.expires_at, held_by = excluded.held_by,
      held_until = excluded.held_until, waiting = excluded.waiting
      where deliveries.expires_at <= ${now} or deliveries.held_by = excluded.held_by
    returning key`.execute(queries);
  return rows.length > 0;
}

/** Renews the hold on those that somebody waits for: no other process claims them before `until`. */
export async function holdDeliveries(
  queries: Queries,
  keys: readonly string[],
  until: number,
): Promise<void> {
  await queries
    .updateTable('deliveries')
    .set({ held_until: until })
    .where('key', 'in', keys)
    .where('waiting', 'is not', null)
    .execute();
}

/** These are answered: nobody waits any more. Their keys stay, to tell duplicates. */
export async function closeDeliveries(queries: Queries, keys: readonly string[]): Promise<void> {
  await queries
    .updateTable('deliveries')
    .set({ held_until: null, waiting: null })
    .where('key', 'in', keys)
    .execute();
}

/** Claims those whose process has let its hold run out. The conditions stand outside the subquery too, as for cards. */
export async function claimOrphaned(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly OrphanedDelivery[]> {
  const { rows } = await sql<Pick<DeliveriesTable, 'key' | 'waiting'>>`
    update deliveries set held_until = ${now + claimMs}
    where key in (
        select key from deliveries
        where waiting is not null and held_until <= ${now}
        order by held_until limit ${limit})
      and waiting is not null and held_until <= ${now}
    returning key, waiting`.execute(queries);
  return read(rows, ({ key, waiting: text }) => ({
    key,
    waiting: parseRow('deliveries', key, waiting, jsonReader('deliveries', key)('waiting', text)),
  }));
}

/** Removes at most `limit` keys whose life is over. */
export async function forgetDeliveries(queries: Queries, now: number, limit: number): Promise<void> {
  await queries
    .deleteFrom('deliveries')
    .where('key', 'in', (is) =>
      is
        .selectFrom('deliveries')
        .select('key')
        .where('expires_at', '<=', now)
        .orderBy('expires_at')
        .limit(limit),
    )
    .execute();
}
