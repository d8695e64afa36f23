import type { DeliveryHold, OrphanedDelivery } from '../../core/model/ports.ts';
import { waiting } from '../../core/model/waiting.ts';
import type { Queries } from '../database.ts';
import { sanitizeText } from '../sanitize-text.ts';
import { parseRow, jsonReader, type RowReader } from './parse-row.ts';

/** True for whoever names the key first; true again for the same holder, and once its life is over. */
export async function rememberDelivery(
  queries: Queries,
  key: string,
  now: number,
  keepMs: number,
  held?: DeliveryHold,
): Promise<boolean> {
  const values = {
    expires_at: now + keepMs,
    held_by: held?.by ?? null,
    held_until: held?.until ?? null,
    waiting: held ? sanitizeText(JSON.stringify(held.waiting)) : null,
  };
  const first = await queries
    .insertInto('deliveries')
    .values({ key: sanitizeText(key), ...values })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet(values)
        .where((is) =>
          is.or([
            is('deliveries.expires_at', '<=', now),
            ...(held ? [is('deliveries.held_by', '=', held.by)] : []),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst();
  return first !== undefined;
}

/** Nobody else takes these for left before `until`. */
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

/** Something came of these: nobody waits any more. */
export async function closeDeliveries(queries: Queries, keys: readonly string[]): Promise<void> {
  await queries
    .updateTable('deliveries')
    .set({ held_until: null, waiting: null })
    .where('key', 'in', keys)
    .execute();
}

/** Claims those that nobody holds any more. The conditions stand outside the subquery too, as for cards. */
export async function claimOrphaned(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly OrphanedDelivery[]> {
  const rows = await queries
    .updateTable('deliveries')
    .set({ held_until: now + claimMs })
    .where('key', 'in', (is) =>
      is
        .selectFrom('deliveries')
        .select('key')
        .where('waiting', 'is not', null)
        .where('held_until', '<=', now)
        .orderBy('held_until')
        .limit(limit),
    )
    .where('waiting', 'is not', null)
    .where('held_until', '<=', now)
    .returning(['key', 'waiting'])
    .execute();
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
