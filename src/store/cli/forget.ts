import { randomBytes } from 'node:crypto';

import { type RawBuilder, sql } from 'kysely';

import { badConfiguration, BellhopError } from '../../model/values/errors.ts';
import { openStates } from '../../model/records/request.ts';
import type { Database, Queries } from '../database/database.ts';
import { keyOf, peopleColumns } from '../database/schema.ts';
import type { DueKind } from '../../model/records/due.ts';
import { stageEntries } from '../queries/audit.ts';

/** A pseudonym replaces the person in these tables. */
export const replacedIn = ['requests', 'alert_groups', 'alert_messages', 'due', 'deliveries'] as const;
type PeopleTable = (typeof replacedIn)[number] | 'sign_ins';

/** Of a row's primary key. */
type Key = readonly string[];

const columnRefs = (table: PeopleTable) => peopleColumns(table).map((column) => sql.ref(column));
const keyRefs = (table: PeopleTable) => sql.join(keyOf(table).map((column) => sql.ref(column)));
const isRow = (table: PeopleTable, key: Key) => sql<boolean>`(${keyRefs(table)}) = (${sql.join(key)})`;

/** The rows that name the person. */
export interface Stored extends Readonly<Record<PeopleTable, readonly Key[]>> {
  /** How many reasons the person typed, and when the last one was typed. They are stored next to the audit log. */
  readonly reasons: { readonly old: number; readonly young: number; readonly lastAt: number };
}

interface Asked {
  readonly user: string;
  /** Kinds of work that lasts until the person ends it, such as a hold. */
  readonly lasting: readonly DueKind[];
  /** In epoch milliseconds. Earlier reasons are removed. */
  readonly before: number;
}

/** @throws BellhopError `denied` if something that the person began is still open, `configuration` if the login may not remove reasons */
export const findPerson = (database: Database, asked: Asked): Promise<Stored> =>
  database.read(async (queries) => {
    const { user, before } = asked;
    if (database.dialect === 'postgres') await refuseWithoutRight(queries);
    await refuseOpen(queries, asked);
    const [typed = { total: 0, old: 0, last_at: null }] = await rowsOf<
      Readonly<{ total: number; old: number; last_at: number | null }>
    >(
      queries,
      sql`select count(*) as total, count(case when at < ${before} then 1 end) as old, max(at) as last_at
        from audit join audit_reasons on audit_reasons.hash = reason_hash where ${typedBy(user)}`,
    );
    return {
      requests: await keysNaming(user, queries, 'requests'),
      alert_groups: await keysNaming(user, queries, 'alert_groups'),
      alert_messages: await keysNaming(user, queries, 'alert_messages'),
      due: await keysNaming(user, queries, 'due'),
      deliveries: await keysNaming(user, queries, 'deliveries'),
      sign_ins: await keysNaming(user, queries, 'sign_ins'),
      reasons: { old: typed.old, young: typed.total - typed.old, lastAt: typed.last_at ?? 0 },
    };
  });

/**
 * Replaces a person in the found rows with a random pseudonym, and removes the person's sign-ins and old reasons. Rows are replaced a few
 * at a time, because a bot on the same file waits for each transaction. If the run is interrupted, another one within a day continues with
 * the same pseudonym.
 * @returns the pseudonym
 * @throws BellhopError `denied` if the person opened something in the meantime
 */
export async function forgetPerson(
  database: Database,
  asked: Asked,
  found: Stored,
  now: number,
): Promise<string> {
  const { user, before } = asked;
  const key = `forgetting ${user}`;
  const pseudonym = await database.writeAlone(async (queries) => {
    await refuseOpen(queries, asked);
    const name = await pseudonymUntilDone(queries, key, now);
    for (const row of found.sign_ins)
      await sql`delete from sign_ins where ${isRow('sign_ins', row)}`.execute(queries);
    const removed = await rowsOf(
      queries,
      sql`delete from audit_reasons where hash in
        (select reason_hash from audit where ${typedBy(user)} and at < ${before}) returning hash`,
    );
    const rows = replacedIn.reduce((sum, table) => sum + found[table].length, 0);
    const note = `Rows in which a pseudonym replaces one person: ${rows}. Typed reasons removed: ${removed.length}.`;
    await stageEntries(queries, database, [{ at: now, event: 'person forgotten', note, policyHash: '' }]);
    return name;
  });
  for (const table of replacedIn) {
    for (let at = 0; at < found[table].length; at += rowsAtOnce) {
      await database.writeAlone(async (queries) => {
        for (const row of found[table].slice(at, at + rowsAtOnce))
          await replaceIn(queries, table, row, user, pseudonym);
      });
    }
  }
  await database.writeAlone((queries) => sql`delete from deliveries where key = ${key}`.execute(queries));
  return pseudonym;
}

/** In milliseconds. */
const resumedForMs = 24 * 60 * 60_000;

/** The pseudonym of an interrupted run, or a new one. Its row is removed at the end, or expires. */
async function pseudonymUntilDone(queries: Queries, key: string, now: number): Promise<string> {
  const random = `U_FORGOTTEN_${randomBytes(5).toString('hex').toUpperCase()}`;
  await sql`delete from deliveries where key = ${key} and expires_at <= ${now}`.execute(queries);
  await sql`insert into deliveries (key, expires_at, held_by) values (${key}, ${now + resumedForMs}, ${random})
    on conflict (key) do nothing`.execute(queries);
  const [kept] = await rowsOf<{ held_by: string }>(
    queries,
    sql`select held_by from deliveries where key = ${key}`,
  );
  return kept?.held_by ?? random;
}

/** Per transaction. 25 rows take some 20 ms on a busy machine. */
const rowsAtOnce = 25;

const wholeId = /(?<![A-Z0-9_])[A-Z0-9]+(?![A-Z0-9_])/gu;
const idsIn = (text: string): ReadonlySet<string> => new Set(text.match(wholeId));

async function replaceIn(
  queries: Queries,
  table: PeopleTable,
  key: Key,
  user: string,
  pseudonym: string,
): Promise<void> {
  const [own = sql.ref('')] = columnRefs(table);
  // Waits for a step that is changing the row. The row is then read as the step left it.
  await sql`update ${sql.table(table)} set ${own} = ${own} where ${isRow(table, key)}`.execute(queries);
  const [row] = await rowsOf<Readonly<Record<string, string | null>>>(
    queries,
    sql`select ${sql.join(columnRefs(table))} from ${sql.table(table)} where ${isRow(table, key)}`,
  );
  const changed = Object.entries(row ?? {}).flatMap(([column, text]) => {
    // The key of a press is a hash of the person's id and other parts.
    if (column === 'press') return [sql`press = null`];
    const without = text?.replaceAll(wholeId, (found) => (found === user ? pseudonym : found));
    return without === undefined || without === text ? [] : [sql`${sql.ref(column)} = ${without}`];
  });
  // Nothing changed means that the work was done in the meantime.
  if (changed.length > 0)
    await sql`update ${sql.table(table)} set ${sql.join(changed)} where ${isRow(table, key)}`.execute(
      queries,
    );
}

const maxListed = 5;

/** An open request needs the person's id to decide who may approve, settle or review it. */
async function refuseOpen(queries: Queries, { user, lasting }: Asked): Promise<void> {
  const isOpen = sql`(state in (${sql.join([...openStates, 'unknown'])}) or (review is not null and review_closed is null))`;
  const isLasting = lasting.length === 0 ? sql`1 = 0` : sql`kind in (${sql.join(lasting)})`;
  const ids = await keysNaming(user, queries, 'requests', isOpen);
  const lasts = await keysNaming(user, queries, 'due', isLasting);
  if (ids.length + lasts.length === 0) return;
  const open = await rowsOf<Readonly<Record<'id' | 'words' | 'state', string>>>(
    queries,
    sql`select id, words, state from requests
      where id in (${sql.join([null, ...ids.flat()].slice(0, maxListed + 1))})`,
  );
  const listed = [
    ...open.map(({ id, words, state }) => `${id} ${words} (${state})`),
    ...lasts.slice(0, maxListed).map((key) => key.join(' ')),
  ].join(', ');
  throw new BellhopError(
    'denied',
    `${user} is involved in open work: ${listed}. End, settle, review or release it first. Nothing was changed.`,
  );
}

async function refuseWithoutRight(queries: Queries): Promise<void> {
  const [row] = await rowsOf<{ may: boolean }>(
    queries,
    sql`select has_table_privilege('audit_reasons', 'delete') as may`,
  );
  if (row?.may) return;
  throw badConfiguration(
    "The login of DATABASE_URL isn't allowed to remove reasons from the audit log. Use the login that owns the tables. Nothing was changed.",
  );
}

const typedBy = (user: string) => sql`actor_user = ${user} and reason_hash is not null`;

const rowsRead = 500;

/** The database searches for the id anywhere in a text. The pattern then checks that the match is a whole id. */
async function keysNaming(
  user: string,
  queries: Queries,
  table: PeopleTable,
  condition = sql`true`,
): Promise<readonly Key[]> {
  const text = sql`concat_ws(' ', ${sql.join(columnRefs(table))})`;
  const keys = keyOf(table);
  const found: Key[] = [];
  let last: Key = keys.map(() => '');
  for (;;) {
    const page = await rowsOf<Readonly<Record<string, string>>>(
      queries,
      sql`select ${keyRefs(table)}, ${text} as text_of_row from ${sql.table(table)}
        where ${condition} and (${keyRefs(table)}) > (${sql.join(last)}) and ${text} like ${`%${user}%`}
        order by ${keyRefs(table)} limit ${rowsRead}`,
    );
    if (page.length === 0) return found;
    for (const row of page) {
      last = keys.map((key) => row[key] ?? '');
      if (idsIn(row['text_of_row'] ?? '').has(user)) found.push(last);
    }
  }
}

const rowsOf = async <T>(queries: Queries, query: RawBuilder<unknown>): Promise<readonly T[]> =>
  (await sql<T>`${query}`.execute(queries)).rows;
