import { type RawBuilder, sql } from 'kysely';

import { type DeliveryHold, type Deliveries, deliveryKind } from '../../model/ports.ts';
import type { HeldDelivery } from '../../model/values/actor.ts';
import { after, type Database, type Queries, setBackMs, type SharedClock } from '../database/database.ts';
import { allOf, type Arm } from '../database/together.ts';
import { sanitizeText } from './parse-row.ts';

/** After this many new deliveries, twice as many old ones are removed, so that they never pile up. */
const forgetEvery = 64;

/** PostgreSQL allows 65,535 values, but other statements should not wait long. */
const keysAtOnce = 500;

/**
 * In milliseconds. A held delivery expires this much later, because replicas of the previous version remove expired deliveries even if they
 * are held.
 */
const heldLongerMs = 24 * 60 * 60_000;

export function inboxOn(database: Database): Deliveries {
  const { note } = database;
  let deliveries = 0;
  /** If a batch fails, earlier ones stay committed, because each can be repeated. */
  const inBatches = async <T>(
    all: readonly T[],
    work: (queries: Queries, batch: readonly T[]) => Promise<void>,
  ): Promise<void> => {
    for (let from = 0; from < all.length; from += keysAtOnce)
      await note((queries) => work(queries, all.slice(from, from + keysAtOnce)));
  };
  return {
    async claimOnce(key, now, keepMs, held) {
      const first = await note((queries) => rememberDelivery(queries, database, key, now, keepMs, held));
      deliveries += 1;
      if (deliveries % forgetEvery === 0) {
        await note((queries) => forgetDeliveries(queries, now, 2 * forgetEvery));
      }
      return first;
    },
    holdDeliveries: (keys, forMs, now) =>
      inBatches(keys, (queries, batch) => allOf(queries, database, holdArms(database, batch, forMs, now))),
    closeDeliveries: (held) => inBatches(held, closeDeliveries),
  };
}

const keyIn = (keys: readonly string[]) => sql<boolean>`key in (${sql.join(keys.map(sanitizeText))})`;

/** Removes the person who waited, but keeps the key to recognize duplicates. */
const letGo = sql`until = null, about = null, expires_at = expires_at - ${sql.lit(heldLongerMs)}`;

export const closeArms = (held: readonly HeldDelivery[]): readonly Arm[] => [
  { statement: (applies) => sql`${letGoOf(held)} and ${applies}` },
  { statement: (applies) => sql`${noLongerDue(held)} and ${applies}` },
];

/** Few deliveries are due, so the due work is searched only if one is no longer held. */
async function closeDeliveries(queries: Queries, held: readonly HeldDelivery[]): Promise<void> {
  const { numAffectedRows } = await letGoOf(held).execute(queries);
  if (numAffectedRows !== BigInt(held.length)) await noLongerDue(held).execute(queries);
}

const keysOf = (held: readonly HeldDelivery[]) => keyIn(held.map(({ key }) => key));
const holdersOf = (held: readonly HeldDelivery[]) => sql.join(held.map(({ by }) => by));

const letGoOf = (held: readonly HeldDelivery[]) => sql`update deliveries set ${letGo}
  where ${keysOf(held)} and held_by in (${holdersOf(held)}) and until is not null`;

const noLongerDue = (held: readonly HeldDelivery[]) => sql`delete from due
  where kind = ${deliveryKind} and ${keysOf(held)} and key not in (
    select key from deliveries where ${keysOf(held)} and held_by not in (${holdersOf(held)}))`;

/** Skips deliveries that a step is closing, so that neither waits for the other. */
function holdArms(clock: SharedClock, keys: readonly string[], forMs: number, now: number): readonly Arm[] {
  const shared = clock.sharedNow(now);
  const until = after(shared, forMs);
  const found = sql`select key from deliveries where ${keyIn(keys)} and until is not null ${unlocked(clock)}`;
  return [
    {
      statement: (applies) => sql`update deliveries set until = ${until}, set_at = ${shared}
  where key in (${found}) and until is not null and ${applies}`,
    },
    {
      statement: (
        applies,
      ) => sql`update due set at = ${until}, since = ${until}, set_at = ${shared}, tries = 0
  where kind = ${deliveryKind} and ${keyIn(keys)} and ${applies}`,
    },
  ];
}

/** True if the key is new or has expired, or the same holder claims it again. False for a duplicate. */
export async function rememberDelivery(
  queries: Queries,
  { sharedNow }: SharedClock,
  key: string,
  now: number,
  keepMs: number,
  held?: DeliveryHold,
): Promise<boolean> {
  const columns = held
    ? {
        expires_at: now + keepMs + heldLongerMs,
        held_by: held.by,
        until: after(sharedNow(held.now), held.forMs),
        set_at: sharedNow(held.now),
        about: sanitizeText(JSON.stringify(held.waiting)),
      }
    : { expires_at: now + keepMs, held_by: null, until: null, set_at: null, about: null };
  const names = Object.keys(columns).map((name) => sql.ref(name));
  const anew = names.map((name) => sql`${name} = excluded.${name}`);
  const { rows } = await sql`
    insert into deliveries (key, ${sql.join(names)})
    values (${sanitizeText(key)}, ${sql.join(Object.values(columns))})
    on conflict (key) do update set ${sql.join(anew)}
      where deliveries.expires_at <= ${now} or deliveries.held_by = excluded.held_by
    returning key`.execute(queries);
  return rows.length > 0;
}

const forgetDeliveries = (queries: Queries, now: number, limit: number) =>
  sql`delete from deliveries where key in (
    select key from deliveries where expires_at <= ${now} order by expires_at limit ${limit})`.execute(
    queries,
  );

const isSilent = (now: RawBuilder<number>) => sql<boolean>`until <= ${now}`;

/** Held before the clock was set back, and therefore for too long. */
const isHeldTooLong = (now: RawBuilder<number>) =>
  sql<boolean>`until > 0 and set_at > ${after(now, setBackMs)}`;

/** Neither locks nor writes. */
export const anySilent = (now: RawBuilder<number>): RawBuilder<boolean> =>
  sql`exists (select key from deliveries where ${isSilent(now)})
      or exists (select key from deliveries where ${isHeldTooLong(now)})`;

const silentAtOnce = 1000;

export async function wakeSilent(queries: Queries, clock: SharedClock, now: number): Promise<void> {
  const shared = clock.sharedNow(now);
  await sql`update deliveries set until = ${shared} + until - set_at, set_at = ${shared}
    where ${isHeldTooLong(shared)}`.execute(queries);
  const { rows } = await sql<{ key: string }>`select key from deliveries where ${isSilent(shared)}
    order by until limit ${silentAtOnce} ${unlocked(clock)}`.execute(queries);
  if (rows.length === 0) return;
  const silent = keyIn(rows.map(({ key }) => key));
  await sql`insert into due (kind, key, version, about, at, since, set_at, tries)
    select ${deliveryKind}, key, 1, about, ${shared}, ${shared}, ${shared}, 0
    from deliveries where ${silent}
    on conflict (kind, key) do update set about = excluded.about, at = excluded.at, since = excluded.since,
      set_at = excluded.set_at, tries = 0`.execute(queries);
  await sql`update deliveries set ${letGo} where ${silent}`.execute(queries);
}

const unlocked = ({ dialect }: SharedClock) =>
  sql.raw(dialect === 'postgres' ? 'for update skip locked' : '');
