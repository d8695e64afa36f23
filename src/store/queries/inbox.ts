import { sql } from 'kysely';

import { type DeliveryHold, type Deliveries, deliveryKind } from '../../model/ports.ts';
import type { Database, Queries } from '../database/database.ts';
import { allOf, type Arm } from '../database/together.ts';
import { sanitizeText } from './parse-row.ts';

/** After this many new deliveries, twice as many old deliveries are removed, so that they never pile up. */
const forgetEvery = 64;

/** A statement has at most this many keys. PostgreSQL allows 65,535 values, and others should not wait long. */
const keysAtOnce = 500;

export function inboxOn(database: Database): Deliveries {
  const { note, sharedNow } = database;
  let deliveries = 0;
  return {
    async claimOnce(key, now, keepMs, held) {
      const first = await note((queries) => rememberDelivery(queries, database, key, now, keepMs, held));
      deliveries += 1;
      if (deliveries % forgetEvery === 0) {
        await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
      }
      return first;
    },
    async holdDeliveries(keys, forMs, now) {
      const shared = sharedNow(now);
      const until = sql<number>`${shared} + ${forMs}`;
      for (const batch of inBatches(keys)) {
        await note((queries) =>
          queries
            .updateTable('due')
            .set({ at: until, since: until, set_at: shared, tries: 0 })
            .where('kind', '=', deliveryKind)
            .where('key', 'in', batch)
            .execute(),
        );
      }
    },
    // The keys stay, so that duplicates are recognized.
    async closeDeliveries(keys) {
      for (const batch of inBatches(keys))
        await note((queries) => allOf(queries, database, closeArms(batch)));
    },
  };
}

/** Closes deliveries. Their keys stay. */
export const closeArms = (keys: readonly string[]): readonly Arm[] => [
  {
    statement: (applies) => sql`delete from due
  where kind = ${deliveryKind} and key in (${sql.join(keys.map(sanitizeText))}) and ${applies}`,
  },
];

/** If a batch fails, earlier batches stay committed, because each batch can be repeated. */
const inBatches = (keys: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(keys.length / keysAtOnce) }, (_, batch) =>
    keys.slice(batch * keysAtOnce, (batch + 1) * keysAtOnce),
  );

/**
 * Records a delivery. Resolves to true if the key is new or has expired, or the same holder claims the key again.
 * Resolves to false for a duplicate.
 */
export async function rememberDelivery(
  queries: Queries,
  { dialect, sharedNow }: Pick<Database, 'dialect' | 'sharedNow'>,
  key: string,
  now: number,
  keepMs: number,
  held?: DeliveryHold,
): Promise<boolean> {
  const name = sanitizeText(key);
  const remember = sql`
    insert into deliveries (key, expires_at, held_by)
    values (${name}, ${now + keepMs}, ${held?.by ?? null})
    on conflict (key) do update set expires_at = excluded.expires_at, held_by = excluded.held_by
      where deliveries.expires_at <= ${now} or deliveries.held_by = excluded.held_by
    returning key`;
  if (!held) return (await remember.execute(queries)).rows.length > 0;
  const shared = sharedNow(held.now);
  const about = sanitizeText(JSON.stringify(held.waiting));
  const hold = sql`insert into due (kind, key, version, about, at, since, set_at, tries)
    select ${deliveryKind}, key, 1, ${about}, ${shared} + ${held.forMs}, ${shared} + ${held.forMs}, ${shared}, 0`;
  const heldAnew = sql`on conflict (kind, key) do update set about = excluded.about, at = excluded.at,
    since = excluded.since, set_at = excluded.set_at, tries = 0 returning key`;
  if (dialect === 'postgres') {
    // One statement does what a transaction would do, so that a recorded key is also claimed.
    const both = sql`with remembered as (${remember}) ${hold} from remembered ${heldAnew}`;
    return (await both.execute(queries)).rows.length > 0;
  }
  if ((await remember.execute(queries)).rows.length === 0) return false;
  await sql`${hold} from deliveries where key = ${name} ${heldAnew}`.execute(queries);
  return true;
}

const forgetDeliveries = (queries: Queries, now: number, limit: number) =>
  sql`delete from deliveries where key in (
    select key from deliveries where expires_at <= ${now} order by expires_at limit ${limit})`.execute(
    queries,
  );
