import { type RawBuilder, sql } from 'kysely';

import {
  cardKind,
  type Due,
  type DueDraft,
  type DueKind,
  type DueWork,
  type Lasting,
  type LastingWork,
  type Outcome,
  ownerMs,
} from '../../model/records/due.ts';
import type { StartCheck } from '../../model/records/requests.ts';
import { after, type Database, type Queries, setBackMs, type SharedClock } from '../database/database.ts';
import { allOf, type Arm, givenRows, numberMember, textMember } from '../database/together.ts';
import type { DueRow } from '../database/schema.ts';
import { deliveryKind } from '../../model/ports.ts';
import { lockHead, stageEntries } from './audit.ts';
import { wakeSilent } from './inbox.ts';
import { jsonReader, type RowReader, sanitizeText } from './parse-row.ts';

/** Rows of all kinds together that are claimed at a time because the clock was set back. Their handlers check the time. */
const maxSetBack = 1000;

interface Looked {
  readonly now: number;
  readonly kinds: readonly DueKind[];
}

export const dueOn = (
  database: Database,
  rows: RowReader,
  glance: (look: Looked) => Promise<{ readonly isDue: boolean; readonly isSilent: boolean }>,
): DueWork => ({
  async claimDue(limits, now, claimMs, seldom = false) {
    const found = seldom ? await glance({ now, kinds: [...limits.keys()] }) : undefined;
    if (found?.isSilent && limits.has(deliveryKind))
      await database.write((queries) => wakeSilent(queries, database, now));
    else if (found && !found.isDue) return [];
    return database.note((queries) => claimDue(queries, rows, database, now, limits, claimMs));
  },
  setDue: async (drafts, now) => {
    if (drafts.length > 0) await database.step((queries) => setDue(queries, database, now, drafts));
  },
  countDue: (draft, now) => database.note((queries) => countDue(queries, database, now, draft)),
  findDue: (kind, key) => database.read((queries) => findDue(queries, kind, key)),
  finishDue: (due, outcome, now) =>
    // Follow-up work is written together with the end of the old work, in one transaction.
    database['done' in outcome && outcome.next ? 'write' : 'note']((queries) =>
      finishDue(queries, database, due, outcome, now),
    ),
});

export const lastingOn = (database: Database, rows: RowReader): LastingWork => ({
  lasting: (kind) => database.read((queries) => findLasting(queries, rows, kind)),
  changeLasting: (kind, now, decide) =>
    database.writeAlone(async (queries) => {
      await lockHead(queries);
      const change = decide(await findLasting(queries, rows, kind));
      await setDue(queries, database, now, change.drafts);
      await stageEntries(queries, database, change.audit);
      return change;
    }),
});

/** In the caller's transaction, or on PostgreSQL without one. */
export const setDue = (
  queries: Queries,
  clock: SharedClock,
  now: number,
  drafts: readonly DueDraft[],
): Promise<void> => allOf(queries, clock, dueArms(clock, now, drafts));

/**
 * Work that is already due becomes due again, with the newer version.
 * @param drafts all keep their time, or none does
 * @param now by this process's clock, like the times in the drafts
 */
export function dueArms(clock: SharedClock, now: number, drafts: readonly DueDraft[]): readonly Arm[] {
  const ended = drafts.filter(({ ends }) => ends);
  const made = drafts.filter(({ ends }) => !ends);
  const again = drafts.some(({ keepsTime }) => keepsTime) ? keepingTime : anew;
  const make: Arm = {
    rows: made.length,
    statement: (applies) => sql`${insertion(clock, now, made, applies)}
  on conflict (kind, key) do update set version = excluded.version, ${again}`,
  };
  return [
    ...ended.map(({ kind, key }): Arm => ({
      statement: (applies) =>
        sql`delete from due where kind = ${kind} and key = ${sanitizeText(key)} and ${applies}`,
    })),
    ...(made.length > 0 ? [make] : []),
  ];
}

const insertion = (
  clock: SharedClock,
  now: number,
  drafts: readonly DueDraft[],
  applies: RawBuilder<boolean>,
): RawBuilder<unknown> => {
  const rows = drafts.map(({ kind, key, version = 1, about, at, owned }) => ({
    kind,
    key: sanitizeText(key),
    version,
    about: about === undefined ? undefined : sanitizeText(JSON.stringify(about)),
    inMs: at === undefined ? undefined : Math.ceil(at - now + (owned ? ownerMs : 0)),
    sinceMs: at === undefined ? 0 : Math.ceil(at - now),
  }));
  const shared = clock.sharedNow(now);
  return sql`insert into due (kind, key, version, about, at, since, set_at, tries)
  select ${textMember('kind')}, ${textMember('key')}, ${numberMember('version')}, ${textMember('about')},
    ${shared} + ${numberMember('inMs')}, ${shared} + ${numberMember('sinceMs')}, ${shared}, 0
  from ${givenRows(clock, rows)} where ${applies}`;
};

const anew = sql`about = excluded.about, at = excluded.at, since = excluded.since, set_at = excluded.set_at, tries = 0`;

const keepingTime = sql`about = coalesce(excluded.about, due.about), at = coalesce(due.at, excluded.at),
    since = case when due.at is null then excluded.since else due.since end,
    set_at = case when due.at is null then excluded.set_at else due.set_at end`;

/**
 * A repeated call makes untried work due at once. Work that a process is handling has been tried, and keeps its claim, so that no other
 * process handles it too.
 */
async function countDue(
  queries: Queries,
  clock: SharedClock,
  now: number,
  draft: Parameters<DueWork['countDue']>[0],
): Promise<number> {
  const sooner = (column: 'at' | 'since') =>
    sql`${sql.ref(column)} = case when due.tries = 0 then ${clock.sharedNow(now)} else ${sql.ref(`due.${column}`)} end`;
  const { rows } = await sql<{ version: number }>`${insertion(clock, now, [draft], sql`true`)}
  on conflict (kind, key) do update set version = due.version + 1, ${sooner('at')}, ${sooner('since')}
  returning version`.execute(queries);
  return rows[0]?.version ?? 1;
}

/** For cards that no process shows right after the commit of their steps. */
export async function disown(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries
    .updateTable('due')
    .set((is) => ({ at: is.ref('since') }))
    .where('kind', '=', cardKind)
    .where('key', 'in', ids.map(sanitizeText))
    .execute();
}

/**
 * Longest overdue first. Skips rows that another transaction holds: it claims them or makes them due again, and waiting for it while
 * holding other rows could deadlock. The conditions are repeated outside the subquery, because a row may have changed since.
 */
async function claimDue(
  queries: Queries,
  read: RowReader,
  { dialect, sharedNow }: Pick<Database, 'dialect' | 'sharedNow'>,
  processNow: number,
  limits: ReadonlyMap<DueKind, number>,
  claimMs: number,
): Promise<readonly Due[]> {
  const now = sharedNow(processNow);
  const kinds = [...limits.keys()];
  const unheld = sql.raw(dialect === 'postgres' ? 'for update skip locked' : '');
  // An index answers one kind and one bound, but not several kinds with an "or" between them.
  const ready = [...limits].map(
    ([kind, limit]) => sql`select * from (select kind as its_kind, key as its_key from due
      where kind = ${kind} and at <= ${now} order by at limit ${limit} ${unheld}) as ready`,
  );
  // With the kinds inside the subquery, or if SQLite inlined the candidates, SQLite would scan all rows of each kind.
  const early = sql`select its_kind, its_key from (select kind as its_kind, key as its_key from due
    where set_at > ${after(now, setBackMs)} order by set_at limit ${maxSetBack} ${unheld}) as early
    where its_kind in (${sql.join(kinds)})`;
  const { rows } = await sql<DueRow>`
    with candidates as materialized (${sql.join([...ready, early], sql` union all `)})
    update due set at = ${after(now, claimMs)}, set_at = ${now}, tries = tries + 1 from candidates
    where kind = its_kind and key = its_key and (at <= ${now} or set_at > ${after(now, setBackMs)})
    returning kind, key, version, about, at, since, set_at, tries`.execute(queries);
  return read(
    rows.toSorted((one, other) => one.since - other.since),
    (row) => ({
      ...row,
      claimedAt: row.set_at,
      about: jsonReader('due', `${row.kind} ${row.key}`)('about', row.about),
    }),
  );
}

/** Neither locks nor writes. */
export const anyDue = (now: RawBuilder<number>, kinds: readonly DueKind[]): RawBuilder<boolean> =>
  kinds.length === 0
    ? sql`1 = 0`
    : sql`exists (select key from due where kind in (${sql.join(kinds)}) and at <= ${now})
      or exists (select key from due where set_at > ${after(now, setBackMs)})`;

async function findDue(queries: Queries, kind: DueKind, key: string): ReturnType<DueWork['findDue']> {
  const row = await queries
    .selectFrom('due')
    .select(['about', 'at'])
    .where('kind', '=', kind)
    .where('key', '=', sanitizeText(key))
    .executeTakeFirst();
  return row && { about: jsonReader('due', `${kind} ${key}`)('about', row.about), rests: row.at === null };
}

async function findLasting(queries: Queries, read: RowReader, kind: DueKind): Promise<readonly Lasting[]> {
  const found = await queries
    .selectFrom('due')
    .select(['key', 'version', 'about'])
    .where('kind', '=', kind)
    .orderBy('key')
    .execute();
  return read(found, ({ key, version, about }) => ({
    key,
    version,
    about: jsonReader('due', `${kind} ${key}`)('about', about),
  }));
}

/** Whether the caller knows all stored work of these kinds. */
export const onlyKnown = (known: NonNullable<StartCheck['lasting']>): RawBuilder<boolean> =>
  sql.join(
    known.map(({ kind, keys }) => {
      const others = keys.length === 0 ? sql`` : sql` and key not in (${sql.join(keys.map(sanitizeText))})`;
      return sql`not exists (select key from due where kind = ${kind}${others})`;
    }),
    sql` and `,
  );

async function finishDue(
  queries: Queries,
  clock: SharedClock,
  due: Handled,
  outcome: Outcome,
  now: number,
): Promise<void> {
  for (const { statement } of finishArms(clock, due, outcome, now)) {
    const { numAffectedRows } = await statement(sql`true`).execute(queries);
    if (numAffectedRows === 1n && 'done' in outcome) return setDue(queries, clock, now, outcome.next ?? []);
  }
}

export type Handled = Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>;

/** Without follow-up work. At most one of the statements changes the row. */
export function finishArms(clock: SharedClock, due: Handled, outcome: Outcome, now: number): readonly Arm[] {
  const shared = clock.sharedNow(now);
  if ('done' in outcome) {
    const version = Math.max(due.version, outcome.version ?? 0);
    const done: Arm = {
      statement: (applies) => sql`delete from due
  where kind = ${due.kind} and key = ${sanitizeText(due.key)} and version <= ${version} and ${applies}`,
    };
    return [
      done,
      moveArm(due, sql`at = ${shared}, set_at = ${shared}`, isHeld(due, sql`and version > ${version}`)),
    ];
  }
  if ('recorded' in outcome) return [];
  const { about } = outcome;
  const keep = about === undefined ? sql`` : sql`, about = ${sanitizeText(JSON.stringify(about))}`;
  const held = about === undefined ? isHeld(due, sql`or version <= ${due.version}`) : isHeld(due);
  if ('rests' in outcome) {
    const at = sql`case when version > ${due.version} then ${shared} end`;
    return [
      moveArm(due, sql`at = ${at}, since = ${shared}, set_at = ${shared}, tries = 0${keep}`, isHeld(due)),
    ];
  }
  if ('againIn' in outcome) {
    const at = after(shared, outcome.againIn);
    return [moveArm(due, sql`at = ${at}, since = ${at}, set_at = ${shared}, tries = 0${keep}`, held)];
  }
  return [moveArm(due, sql`at = ${after(shared, outcome.retryIn)}, set_at = ${shared}${keep}`, held)];
}

/**
 * Whether this process still holds the claim. A changed time means that the work was made due again, or that another replica claimed it.
 */
const isHeld = ({ claimedAt }: Handled, more = sql``): RawBuilder<boolean> =>
  sql`(set_at = ${claimedAt} ${more})`;

const moveArm = ({ kind, key }: Handled, to: RawBuilder<unknown>, held: RawBuilder<boolean>): Arm => ({
  statement: (applies) => sql`update due set ${to}
  where kind = ${kind} and key = ${sanitizeText(key)} and ${held} and ${applies}`,
});
