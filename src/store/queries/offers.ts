import { sql } from 'kysely';

import {
  type FiringOffer,
  type FoundOffer,
  offerKind,
  type OfferMessage,
  type Offers,
  type OfferStorm,
} from '../../model/records/offer.ts';
import type { Database, Queries } from '../database/database.ts';
import type { AlertGroupRow, AlertMessageRow } from '../database/schema.ts';
import { setDue } from './due.ts';
import { readContent, readGroup } from './offer-groups.ts';
import { foldOffer, groupId, redrawGroup, takeTurn } from './offer-updates.ts';
import { type RowReader, sanitizeText } from './parse-row.ts';
import type { Housekeeping } from '../../model/introspection.ts';

export const offersOn = (
  { read, note, write, writeInTurn, sharedNow, dialect }: Database,
  rows: RowReader,
): Omit<Offers, 'makeOffer' | 'endOffer'> & Pick<Housekeeping, 'removeOffers'> => ({
  findOfferAt: ({ channel, ts }) =>
    read((queries) => findOffer(queries, rows, { channel: sanitizeText(channel), ts: sanitizeText(ts) })),
  foldOffer: (received) =>
    writeInTurn(received.source, (queries) => foldOffer(queries, { sharedNow, dialect }, received)),
  findOffer: (id) => read((queries) => findOffer(queries, rows, { id: sanitizeText(id) })),
  findOfferOfGroup: (group) => read((queries) => findOfferOfGroup(queries, rows, group)),
  redrawGroup: (group, at) =>
    writeInTurn('', (queries) => redrawGroup(queries, { sharedNow, dialect }, group, at)),
  firingOffers: (limit) => read((queries) => firingOffers(queries, rows, limit)),
  findOfferOf: (source, key) => read((queries) => foundOffer(queries, groupId(source, sanitizeText(key)))),
  markOfferShown: ({ id, version }, shown) =>
    note(async (queries) => {
      await queries
        .updateTable('alert_messages')
        .set({ shown_version: version, ...(shown && { ts: shown.ts, channel: shown.channel }) })
        .where('id', '=', id)
        .where('shown_version', '<=', version)
        .execute();
    }),
  refreshOffer: ({ channel, ts }, now) =>
    write(async (queries) => {
      const row = await queries
        .updateTable('alert_messages')
        .set((is) => ({ version: is('version', '+', 1) }))
        .where('channel', '=', sanitizeText(channel))
        .where('ts', '=', sanitizeText(ts))
        .returning(['id', 'version', 'left_group'])
        .executeTakeFirst();
      if (!row) return;
      const draft = { kind: offerKind, key: row.id, version: row.version, at: now, keepsTime: true } as const;
      await setDue(queries, { sharedNow, dialect }, now, [draft]);
      if (row.left_group !== null) await redrawGroup(queries, { sharedNow, dialect }, row.left_group, now);
    }),
  removeOffers: (olderThan, limit) => writeInTurn('', (queries) => removeOffers(queries, olderThan, limit)),
});

async function findOffer(
  queries: Queries,
  read: RowReader,
  by: Pick<AlertMessageRow, 'id'> | { readonly channel: string; readonly ts: string },
): Promise<OfferMessage | undefined> {
  const row = await queries
    .selectFrom('alert_messages')
    .selectAll()
    .where((is) => is.and(by))
    .executeTakeFirst();
  return row && readMessage(queries, read, row);
}

async function findOfferOfGroup(
  queries: Queries,
  read: RowReader,
  group: string,
): Promise<OfferMessage | undefined> {
  const row = await queries
    .selectFrom('alert_messages')
    .selectAll()
    .where('id', '=', (is) =>
      is.selectFrom('alert_groups').select('message_id').where('id', '=', sanitizeText(group)),
    )
    .executeTakeFirst();
  return row && readMessage(queries, read, row);
}

async function foundOffer(queries: Queries, id: string): Promise<FoundOffer | undefined> {
  const row = await queries
    .selectFrom('alert_groups as its')
    .innerJoin('alert_messages as message', 'message.id', 'its.message_id')
    .select(['its.id', 'its.content', 'message.id as messageId', 'message.channel', 'message.ts'])
    .where('its.id', '=', id)
    .executeTakeFirst();
  const content = readContent(row?.content);
  return row && content && { ...row, content, ts: row.ts ?? undefined };
}

async function firingOffers(
  queries: Queries,
  read: RowReader,
  limit: number,
): Promise<readonly FiringOffer[]> {
  const found = await queries
    .selectFrom('alert_groups as its')
    .innerJoin('alert_messages as message', 'message.id', 'its.message_id')
    .selectAll('its')
    .select(['message.channel', 'message.ts'])
    .where('its.hook', 'in', (is) => is.selectFrom('alert_hooks').select('alert_hooks.hook'))
    .where('its.status', '=', 'firing')
    .orderBy('its.rank', 'desc')
    .orderBy('its.status_at', 'desc')
    .limit(limit)
    .execute();
  return read(found, (row) => ({
    group: readGroup(row),
    message: { id: row.message_id, source: row.hook, channel: row.channel, ts: row.ts ?? undefined },
  }));
}

/** Undefined if the message's group is unreadable, which is reported. */
async function readMessage(
  queries: Queries,
  read: RowReader,
  row: AlertMessageRow,
): Promise<OfferMessage | undefined> {
  const { id, hook: source, channel, ts, version, shown_version: shownVersion, opened_at: openedAt } = row;
  const message = { id, source, channel, ts: ts ?? undefined, version, shownVersion, openedAt };
  const newer = row.left_group === null ? undefined : await foundOffer(queries, row.left_group);
  const left = readContent(row.left_content ?? undefined) ?? { title: row.moved ?? '' };
  if (newer || row.moved !== null) return { ...message, moved: { content: left, newer } };
  if (row.kind === 'storm') return { ...message, storm: await stormOf(queries, read, row) };
  const groups = await queries
    .selectFrom('alert_groups')
    .selectAll()
    .where('message_id', '=', id)
    .limit(1)
    .execute();
  const readable = read(groups, readGroup);
  return readable.length < groups.length ? undefined : { ...message, group: readable[0] };
}

const maxTitles = 5;

/** One statement, so that counts and titles agree. */
async function stormOf(
  queries: Queries,
  read: RowReader,
  { id, tier, total }: AlertMessageRow,
): Promise<OfferStorm> {
  const { rows } = await sql<AlertGroupRow & Record<'of_title' | 'firing' | 'total', number>>`
    with firing as (
      select id, count(*) over (partition by title) as of_title,
        row_number() over (partition by title order by rank desc, status_at desc, id) as place
      from alert_groups where message_id = ${id} and status = 'firing')
    select newest.*, firing.of_title, message.firing, message.total from firing
      join alert_groups as newest on newest.id = firing.id
      join alert_messages as message on message.id = newest.message_id
    where firing.place = 1
    order by newest.rank desc, newest.status_at desc, newest.id limit ${maxTitles}`.execute(queries);
  const [counts = { firing: 0, total }] = rows;
  const titles = read(rows, (row) => {
    const { content, statusAt } = readGroup(row);
    return { title: row.title, firing: row.of_title, content, since: statusAt };
  });
  return { tier, firing: counts.firing, total: counts.total, titles };
}

/** The newest are kept. */
const maxGroups = 50_000;

/**
 * Removes at most `limit` groups that were not updated since `olderThan` or exceed the maximum, and as many messages without a group.
 * @returns how many groups, fewer than `limit` once none is left
 */
async function removeOffers(queries: Queries, olderThan: number, limit: number): Promise<number> {
  const hooks = await queries.selectFrom('alert_hooks').selectAll().orderBy('hook').execute();
  for (const { hook, updated_at: at } of hooks) await takeTurn(queries, hook, at);
  const newest = await queries
    .selectFrom('alert_groups')
    .select('seen_at')
    .orderBy('seen_at', 'desc')
    .offset(maxGroups)
    .limit(1)
    .executeTakeFirst();
  const from = Math.max(olderThan, newest?.seen_at ?? 0);
  const { numAffectedRows = 0n } = await sql`delete from alert_groups where id in (
    select id from alert_groups where seen_at <= ${from} order by seen_at, id limit ${limit})`.execute(
    queries,
  );
  await sql`delete from alert_messages where id in (
    select id from alert_messages as message where opened_at <= ${olderThan}
      and not exists (select id from alert_groups where message_id = message.id)
    order by opened_at, id limit ${limit})`.execute(queries);
  return Number(numAffectedRows);
}
