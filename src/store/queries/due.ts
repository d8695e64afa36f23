import { type RawBuilder, sql, type UpdateObject } from 'kysely';

import {
  cardKind,
  type Due,
  type DueDraft,
  type DueKind,
  type DueTally,
  type DueWork,
  type Lasting,
  type LastingWork,
  type Outcome,
  ownerMs,
} from '../../model/records/due.ts';
import type { StartCheck } from '../../model/records/requests.ts';
import { after, type Database, type Queries, type SharedClock } from '../database/database.ts';
import type { DueRow, Schema } from '../database/schema.ts';
import { stageEntries } from './audit.ts';
import { jsonReader, type RowReader, sanitizeText } from './parse-row.ts';
import { lockHead } from './seal.ts';

/**
 * In milliseconds. A row written this much later than now was written before the clock was set back, and would wait too
 * long. Such a row is due immediately, and its handler checks the time. The margin allows for a write that waits for a
 * lock.
 */
const setBackMs = 60_000;

/** At most this many rows, of all kinds together, are claimed at a time because the clock was set back. */
const maxSetBack = 1000;

interface Looked {
  readonly now: number;
  readonly kinds: readonly DueKind[];
}

export const dueOn = (
  database: Database,
  rows: RowReader,
  glance: (look: Looked) => Promise<{ readonly isDue: boolean }>,
): DueWork => ({
  claimDue: async (limits, now, claimMs, seldom = false) =>
    seldom && !(await glance({ now, kinds: [...limits.keys()] })).isDue
      ? []
      : database.note((queries) => claimDue(queries, rows, database, now, limits, claimMs)),
  setDue: async (drafts, now) => {
    if (drafts.length > 0) await database.write((queries) => setDue(queries, database, now, drafts));
  },
  countDue: (draft, now) => database.note((queries) => countDue(queries, database, now, draft)),
  findDue: (kind, key) => database.read((queries) => findDue(queries, kind, key)),
  finishDue: (due, outcome, now) =>
    // Replacement work is written together with the end of the old work, in one transaction.
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
      await stageEntries(queries, change.audit);
      return change;
    }),
});

/**
 * Makes work due in the transaction of the caller. Work that is already due becomes due again, with the newer version.
 * @param drafts all drafts keep their time, or none of them does
 * @param now by this process's clock, like the times in the drafts
 */
export async function setDue(
  queries: Queries,
  { sharedNow }: SharedClock,
  now: number,
  drafts: readonly DueDraft[],
): Promise<void> {
  for (const { kind, key, ends } of drafts) if (ends) await dropDue(queries, kind, [key]);
  const rest = drafts.filter(({ ends }) => !ends);
  if (rest.length === 0) return;
  const shared = sharedNow(now);
  const rows = rest.map((draft) => rowOf(draft, shared, now));
  await queries
    .insertInto('due')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet((is) => ({
        version: is.ref('excluded.version'),
        ...(drafts.some(({ keepsTime }) => keepsTime)
          ? {
              about: sql<string | null>`coalesce(excluded.about, due.about)`,
              at: sql<number>`coalesce(due.at, excluded.at)`,
              since: sql<number>`case when due.at is null then excluded.since else due.since end`,
              set_at: sql<number>`case when due.at is null then excluded.set_at else due.set_at end`,
            }
          : {
              about: is.ref('excluded.about'),
              at: is.ref('excluded.at'),
              since: is.ref('excluded.since'),
              set_at: is.ref('excluded.set_at'),
              tries: 0,
            }),
      })),
    )
    .execute();
}

const rowOf = (
  { kind, key, version = 1, about, at, owned }: DueDraft,
  shared: RawBuilder<number>,
  now: number,
) => ({
  kind,
  key: sanitizeText(key),
  version,
  about: about === undefined ? null : sanitizeText(JSON.stringify(about)),
  at: at === undefined ? null : after(shared, at - now + (owned ? ownerMs : 0)),
  since: at === undefined ? shared : after(shared, at - now),
  set_at: shared,
  tries: 0,
});

/** Work that a process handles has been tried. It keeps its claim, so no other process handles it too. */
async function countDue(
  queries: Queries,
  { sharedNow }: SharedClock,
  now: number,
  draft: Parameters<DueWork['countDue']>[0],
): Promise<number> {
  const shared = sharedNow(now);
  const sooner = (column: 'at' | 'since') =>
    sql<number>`case when due.tries = 0 then ${shared} else ${sql.ref(`due.${column}`)} end`;
  const { version } = await queries
    .insertInto('due')
    .values(rowOf(draft, shared, now))
    .onConflict((conflict) =>
      conflict.columns(['kind', 'key']).doUpdateSet({
        version: sql<number>`due.version + 1`,
        at: sooner('at'),
        since: sooner('since'),
      }),
    )
    .returning('version')
    .executeTakeFirstOrThrow();
  return version;
}

/** Removes the work, whatever its version. */
export async function dropDue(queries: Queries, kind: DueKind, keys: readonly string[]): Promise<void> {
  await queries
    .deleteFrom('due')
    .where('kind', '=', kind)
    .where('key', 'in', keys.map(sanitizeText))
    .execute();
}

/** Makes cards due at once if no process shows them right after the commit of their steps. */
export async function disown(queries: Queries, ids: readonly string[]): Promise<void> {
  await queries
    .updateTable('due')
    .set((is) => ({ at: is.ref('since') }))
    .where('kind', '=', cardKind)
    .where('key', 'in', ids.map(sanitizeText))
    .execute();
}

/**
 * Claims due work, at most `limits` of each kind, longest overdue first. Rows that another transaction holds are
 * skipped. That transaction claims them or makes them due again, and waiting while holding other rows could deadlock.
 * The conditions are repeated outside the subquery, because a row may have changed since.
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
  // If the kinds were inside, or SQLite could inline the candidates, SQLite would scan all rows of each kind.
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

/** Whether work of these kinds could be claimed. This neither locks nor writes. */
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

/** Whether the work of these kinds is only what is known. For a statement that must not overlook other work. */
export const onlyKnown = (known: NonNullable<StartCheck['lasting']>): RawBuilder<boolean> =>
  sql.join(
    known.map(({ kind, keys }) => {
      const others = keys.length === 0 ? sql`` : sql` and key not in (${sql.join(keys.map(sanitizeText))})`;
      return sql`not exists (select key from due where kind = ${kind}${others})`;
    }),
    sql` and `,
  );

/** Work with a newer version stays due. */
async function finishDue(
  queries: Queries,
  clock: SharedClock,
  due: Handled,
  outcome: Outcome,
  now: number,
): Promise<void> {
  const shared = clock.sharedNow(now);
  if ('done' in outcome) {
    const { numDeletedRows } = await queries
      .deleteFrom('due')
      .where('kind', '=', due.kind)
      .where('key', '=', sanitizeText(due.key))
      .where('version', '<=', due.version)
      .executeTakeFirst();
    if (numDeletedRows === 1n) return setDue(queries, clock, now, outcome.next ?? []);
    await moveDue(queries, due, { at: shared, set_at: shared });
    return;
  }
  const about = outcome.about === undefined ? {} : { about: sanitizeText(JSON.stringify(outcome.about)) };
  if ('rests' in outcome) {
    const at = sql<number | null>`case when version > ${due.version} then ${shared} end`;
    await moveDue(queries, due, { at, since: shared, set_at: shared, tries: 0, ...about }, true);
  } else if ('againIn' in outcome) {
    const at = after(shared, outcome.againIn);
    await moveDue(queries, due, { at, since: at, set_at: shared, tries: 0, ...about }, 'about' in about);
  } else {
    const at = after(shared, outcome.retryIn);
    await moveDue(queries, due, { at, set_at: shared, ...about }, 'about' in about);
  }
}

type Handled = Pick<Due, 'kind' | 'key' | 'version' | 'claimedAt'>;

/**
 * Changes the work only if its time is unchanged. Otherwise the work was made due again, or another replica claimed it.
 * @param onlyHeld work that another replica has claimed stays unchanged, whatever its version
 */
const moveDue = (
  queries: Queries,
  { kind, key, version, claimedAt }: Handled,
  to: UpdateObject<Schema, 'due'>,
  onlyHeld = false,
): Promise<unknown> =>
  queries
    .updateTable('due')
    .set(to)
    .where('kind', '=', kind)
    .where('key', '=', sanitizeText(key))
    .where((is) => is.or([is('set_at', '=', claimedAt), ...(onlyHeld ? [] : [is('version', '<=', version)])]))
    .execute();

/** Counts due work by kind, including kinds of newer versions. An index covers the query. */
export const tallyDue = (queries: Queries, now: RawBuilder<number>): Promise<readonly DueTally[]> =>
  queries
    .selectFrom('due')
    .select((is) => [
      'kind',
      is.fn.countAll<number>().as('count'),
      sql<number>`${now} - min(since)`.as('oldestMs'),
    ])
    .where('since', '<=', now)
    .where('at', 'is not', null)
    .groupBy('kind')
    .execute();
