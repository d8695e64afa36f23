import type { Queries } from './database.ts';
import { storableText } from './storable-text.ts';

/** True for whoever names the key first; true again once its life is over. */
export async function rememberDelivery(
  queries: Queries,
  key: string,
  now: number,
  keepMs: number,
): Promise<boolean> {
  const first = await queries
    .insertInto('deliveries')
    .values({ key: storableText(key), expires_at: now + keepMs })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ expires_at: now + keepMs })
        .where('deliveries.expires_at', '<=', now),
    )
    .returning('key')
    .executeTakeFirst();
  return first !== undefined;
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
