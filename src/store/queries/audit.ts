import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { z } from 'zod';

import { parseJson } from '../../text/words.ts';
import {
  type AuditDraft,
  type AuditEntry,
  auditEntry,
  canonical,
  type AuditFilter,
  type AuditLog,
  privateEvents,
} from '../../model/records/audit.ts';
import type { Actor } from '../../model/values/actor.ts';
import type { Database, Queries } from '../database/database.ts';
import { allOf, type Arm, givenRows, numberMember, textMember } from '../database/together.ts';
import type { AuditRow, Schema } from '../database/schema.ts';
import {
  hashOfTyped,
  removedReason,
  textOfTyped,
  type TypedReason,
  typedReason,
} from '../../audit/entries.ts';
import { jsonReader, parseRow, type RowReader, sanitizeText, textOrNull } from './parse-row.ts';
import { UnreadableRow } from '../../model/values/errors.ts';

export const auditLogOn = ({ dialect, read, step }: Database, rows: RowReader): AuditLog => ({
  record: (drafts) => step((queries) => stageEntries(queries, { dialect }, drafts)),
  audit: (filter) => read((queries) => auditPage(queries, rows, filter)),
  // Rejects with UnreadableRow instead of skipping the row.
  auditFrom: (seq, limit) =>
    read(async (queries) =>
      (await entryRows(queries, 'asc', limit, (is) => [is('seq', '>', seq)])).map(entryFromRow),
    ),
  timeAfter: (seq) =>
    read(async (queries) => {
      const next = queries.selectFrom('audit').select('at').where('seq', '>', seq);
      return (await next.orderBy('seq').limit(1).executeTakeFirst())?.at;
    }),
});

/** In the caller's transaction, or on PostgreSQL without one. */
export const stageEntries = (
  queries: Queries,
  on: Pick<Database, 'dialect'>,
  drafts: readonly AuditDraft[],
): Promise<void> => allOf(queries, on, entryArms(on, drafts));

/** Without locks. The sealer numbers the entries later. */
export function entryArms(on: Pick<Database, 'dialect'>, drafts: readonly AuditDraft[]): readonly Arm[] {
  const reasons: TypedReason[] = [];
  const rows = drafts.map(({ reason: typed, ...rest }) => {
    const reason = typed === undefined ? undefined : typedReason(sanitizeText(typed));
    if (reason) reasons.push(reason);
    const draft = { ...rest, reason: reason && { sha256: reason.hash } };
    return { ...searched(draft), event: draft.event, draft: canonical(draft) };
  });
  const keep: Arm = {
    rows: reasons.length,
    statement: (applies) => sql`insert into audit_reasons (hash, typed)
  select ${textMember('hash')}, ${textMember('typed')} from ${givenRows(on, reasons)} where ${applies}`,
  };
  const stage: Arm = {
    rows: rows.length,
    statement: (
      applies,
    ) => sql`insert into audit_staged (draft, ${sql.join(searchedColumns.map((column) => sql.ref(column)))})
  select ${textMember('draft')}, ${sql.join(searchedColumns.map((column) => (column === 'at' ? numberMember(column) : textMember(column))))}
  from ${givenRows(on, rows)} where ${applies} order by given.key`,
  };
  return [...(reasons.length > 0 ? [keep] : []), ...(rows.length > 0 ? [stage] : [])];
}

export const headRow = 1;

/** Blocks, until this transaction ends, other sealers and steps that must not overlap this one. */
export const lockHead = (queries: Queries): Promise<unknown> =>
  queries
    .updateTable('audit_head')
    .set((is) => ({ seq: is.ref('seq') }))
    .where('id', '=', headRow)
    .execute();

type Entries = Schema & { entry: Omit<AuditRow, 'latest_at'> };
/** `typed` is the salt and the text. Null if nothing was typed, or it was removed. */
type EntryRow = Entries['entry'] & { readonly typed: string | null };
type Conditions = (is: ExpressionBuilder<Entries, 'entry'>) => readonly Expression<SqlBool>[];

/**
 * Newest first, unsealed entries before all others. Each filter has an index that ends in `seq`, so a page costs the same however long the
 * log is.
 */
async function auditPage(
  queries: Queries,
  read: RowReader,
  filter: AuditFilter,
): Promise<readonly AuditEntry[]> {
  const { since, limit } = filter;
  const sealedSince: Conditions = (is) =>
    since === undefined ? [] : [is('seq', '>=', firstSince(queries, since))];
  const rows = await entryRows(queries, 'desc', limit, (is) => conditions(is, filter), sealedSince);
  return read(rows, entryFromRow);
}

/** One statement for both tables, so that an entry that is being sealed is in exactly one of them. */
function entryRows(
  queries: Queries,
  order: 'asc' | 'desc',
  limit: number,
  where: Conditions,
  ofSealed: Conditions = () => [],
): Promise<readonly EntryRow[]> {
  const sealed = queries
    .selectFrom('audit as entry')
    .select([...entryColumns, typedBeside('entry')])
    .where((is) => is.and([...where(is), ...ofSealed(is)]))
    .orderBy('seq', order)
    .limit(limit);
  const unsealed = queries
    .selectFrom(staged(queries).as('entry'))
    .select([...entryColumns, typedBeside('entry')])
    .where((is) => is.and(where(is)))
    .orderBy('seq', order)
    .limit(limit);
  return queries
    .selectFrom(sealed.as('sealed'))
    .selectAll()
    .unionAll(queries.selectFrom(unsealed.as('unsealed')).selectAll())
    .orderBy('seq', order)
    .limit(limit)
    .execute();
}

export const searchedColumns = [
  'event',
  'at',
  'actor_team',
  'actor_user',
  'target_name',
  'request_id',
  'reason_hash',
] as const;
const entryColumns = ['seq', 'hash', 'draft', ...searchedColumns] as const;

export const typedBeside = (entry: string) =>
  sql<string | null>`(select typed from audit_reasons where hash = ${sql.ref(`${entry}.reason_hash`)})`.as(
    'typed',
  );

/** Each with its future number, unless other entries commit first. */
const staged = (queries: Queries) =>
  queries
    .selectFrom(['audit_staged as waiting', 'audit_head as head'])
    .select((is) => [
      is('head.seq', '+', sql<number>`row_number() over (order by waiting.id)`).as('seq'),
      sql<string>`''`.as('hash'),
      'waiting.draft',
      ...searchedColumns.map((column) => `waiting.${column}` as const),
    ]);

function conditions(
  is: ExpressionBuilder<Entries, 'entry'>,
  filter: AuditFilter,
): readonly Expression<SqlBool>[] {
  const { before, since, actor, targetName, requestId, privateTo } = filter;
  return [
    ...(before === undefined ? [] : [is('seq', '<', before)]),
    ...(since === undefined ? [] : [is('at', '>=', since)]),
    ...(actor === undefined ? [] : [isBy(is, actor)]),
    ...(privateTo === undefined ? [] : [is.or([is('event', 'not in', privateEvents), isBy(is, privateTo)])]),
    ...(targetName === undefined ? [] : [is('target_name', '=', sanitizeText(targetName))]),
    ...(requestId === undefined ? [] : [is('request_id', 'in', withSingles(sanitizeText(requestId)))]),
  ];
}

const withSingles = (id: string) =>
  sql<string>`(select ${id} union all select id from requests where part_of = ${id})`;

const isBy = (is: ExpressionBuilder<Entries, 'entry'>, { team, user }: Actor): Expression<SqlBool> =>
  is.and([is('actor_team', '=', sanitizeText(team)), is('actor_user', '=', sanitizeText(user))]);

/** A number past the end if no entry is new enough. */
const firstSince = (queries: Queries, since: number) => {
  const first = queries
    .selectFrom('audit')
    .select('seq')
    .where('latest_at', '>=', since)
    .orderBy('latest_at')
    .orderBy('seq')
    .limit(1);
  return sql<number>`coalesce((${first}), ${sql.lit(Number.MAX_SAFE_INTEGER)})`;
};

/** Can be read even if a newer version wrote the event. */
const searchedDraft = z.object({
  event: z.string(),
  at: z.number(),
  actor: z.object({ team: z.string(), user: z.string() }).optional(),
  target: z.object({ name: z.string() }).optional(),
  requestId: z.string().optional(),
  reason: z.object({ sha256: z.string() }).optional(),
});

const searched = (draft: z.output<typeof searchedDraft>) => ({
  event: draft.event,
  at: draft.at,
  actor_team: textOrNull(draft.actor?.team),
  actor_user: textOrNull(draft.actor?.user),
  target_name: textOrNull(draft.target?.name),
  request_id: textOrNull(draft.requestId),
  reason_hash: draft.reason?.sha256 ?? null,
});

/** @throws UnreadableRow if the row is not an entry, or the search columns differ from the entry */
function entryFromRow(row: EntryRow): AuditEntry {
  const draft = jsonReader('audit', row.seq)('draft', row.draft);
  const column = differingColumn(row, parseRow('audit', row.seq, searchedDraft, draft));
  if (column) throw new UnreadableRow('audit', row.seq, column, 'does not say what the entry says');
  return parseRow('audit', row.seq, auditEntry, {
    ...(typeof draft === 'object' ? draft : {}),
    ...(row.reason_hash !== null && reasonOf(row.typed)),
    seq: row.seq,
    hash: row.hash === '' ? undefined : row.hash,
  });
}

const reasonOf = (typed: string | null): Pick<AuditEntry, 'reason' | 'reasonRemoved'> =>
  typed === null ? { reason: removedReason, reasonRemoved: true } : { reason: textOfTyped(typed) };

/** The first search column that differs from the draft, in rows of any version. */
export function misleadingColumn(row: SearchedRow & { readonly draft: string }): string | undefined {
  const { data } = searchedDraft.safeParse(parseJson(row.draft));
  return data ? differingColumn(row, data) : 'draft';
}

type SearchedRow = Omit<EntryRow, 'seq' | 'hash' | 'draft'>;

function differingColumn(row: SearchedRow, draft: z.output<typeof searchedDraft>): string | undefined {
  const said = searched(draft);
  const column = searchedColumns.find((each) => row[each] !== said[each]);
  if (column !== undefined) return column;
  return row.typed === null || hashOfTyped(row.typed) === row.reason_hash ? undefined : 'reason';
}
