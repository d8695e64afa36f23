import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely';

import {
  type AuditDraft,
  type AuditEntry,
  auditEntry,
  type AuditHead,
  canonical,
  chain,
  type KeptEntry,
  type AuditFilter,
  privateEvents,
} from '../../core/audit/audit.ts';
import type { Actor } from '../../core/model/actor.ts';
import type { Queries } from '../database.ts';
import type { AuditRow, Schema } from '../schema.ts';
import { jsonReader, parseRow, type RowReader, sanitizeText, UnreadableRow } from './parse-row.ts';

const headRow = 1;

/**
 * Appends drafts to the chain, in order. Updating the head row first makes every other replica wait its turn
 * until this transaction ends, so call this last in it.
 */
export async function appendEntries(
  queries: Queries,
  drafts: readonly AuditDraft[],
): Promise<readonly AuditEntry[]> {
  if (drafts.length === 0) return [];
  const locked = await queries
    .updateTable('audit_head')
    .set((is) => ({ seq: is('seq', '+', drafts.length) }))
    .where('id', '=', headRow)
    .returning(['seq', 'hash', 'latest_at'])
    .executeTakeFirstOrThrow();
  let head: AuditHead = { seq: locked.seq - drafts.length, hash: locked.hash };
  let latestAt = locked.latest_at;
  const entries = drafts.map((draft) => {
    const text = canonical(draft);
    const entry = chain(head, draft, text);
    head = entry;
    latestAt = Math.max(latestAt, draft.at);
    return { entry, row: entryToRow({ entry, text }, latestAt) };
  });
  await queries
    .insertInto('audit')
    .values(entries.map(({ row }) => row))
    .execute();
  await queries
    .updateTable('audit_head')
    .set({ hash: head.hash, latest_at: latestAt })
    .where('id', '=', headRow)
    .execute();
  return entries.map(({ entry }) => entry);
}

/** Newest first. Each filter has an index that ends in `seq`, so a page costs the same at any length. */
export async function auditPage(
  queries: Queries,
  read: RowReader,
  filter: AuditFilter,
): Promise<readonly AuditEntry[]> {
  const rows = await queries
    .selectFrom('audit')
    .selectAll()
    .where((is) => is.and(conditions(is, filter)))
    .orderBy('seq', 'desc')
    .limit(filter.limit)
    .execute();
  return read(rows, entryFromRow);
}

function conditions(
  is: ExpressionBuilder<Schema, 'audit'>,
  filter: AuditFilter,
): readonly Expression<SqlBool>[] {
  const { before, since, actor, targetName, requestId, privateTo } = filter;
  return [
    ...(before === undefined ? [] : [is('seq', '<', before)]),
    ...(since === undefined ? [] : [is('seq', '>=', firstSince(is, since)), is('at', '>=', since)]),
    ...(actor === undefined ? [] : [isBy(is, actor)]),
    ...(privateTo === undefined ? [] : [is.or([is('event', 'not in', privateEvents), isBy(is, privateTo)])]),
    ...(targetName === undefined ? [] : [is('target_name', '=', sanitizeText(targetName))]),
    ...(requestId === undefined ? [] : [is('request_id', '=', sanitizeText(requestId))]),
  ];
}

const isBy = (is: ExpressionBuilder<Schema, 'audit'>, { team, user }: Actor): Expression<SqlBool> =>
  is.and([is('actor_team', '=', sanitizeText(team)), is('actor_user', '=', sanitizeText(user))]);

/** No entry before this one can be as late as `since`; past the end where there is none at all. */
const firstSince = (is: ExpressionBuilder<Schema, 'audit'>, since: number) =>
  is.fn.coalesce(
    is
      .selectFrom('audit as later')
      .select('later.seq')
      .where('later.latest_at', '>=', since)
      .orderBy('later.latest_at')
      .orderBy('later.seq')
      .limit(1),
    is.lit(Number.MAX_SAFE_INTEGER),
  );

/** Oldest first from after `seq`, none left out: the record is judged by it. @throws UnreadableRow */
export async function keptFrom(queries: Queries, seq: number, limit: number): Promise<readonly KeptEntry[]> {
  const rows = await queries
    .selectFrom('audit')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ entry: entryFromRow(row), text: row.draft }));
}

/** Where the chain says it ends. */
export async function currentHead(queries: Queries): Promise<AuditHead> {
  const { seq, hash } = await queries
    .selectFrom('audit_head')
    .select(['seq', 'hash'])
    .where('id', '=', headRow)
    .executeTakeFirstOrThrow();
  return { seq, hash };
}

const textOrNull = (text: string | undefined): string | null =>
  text === undefined ? null : sanitizeText(text);

/** The columns that repeat what the draft says, to search by. */
const searched = (draft: AuditDraft) => ({
  event: draft.event,
  at: draft.at,
  actor_team: textOrNull(draft.actor?.team),
  actor_user: textOrNull(draft.actor?.user),
  target_name: textOrNull(draft.target?.name),
  request_id: textOrNull(draft.requestId),
});

/** @param latestAt the greatest `at` of this entry and all before it */
const entryToRow = ({ entry, text }: KeptEntry, latestAt: number): AuditRow => ({
  seq: entry.seq,
  previous_hash: entry.previousHash,
  hash: entry.hash,
  draft: text,
  ...searched(entry),
  latest_at: latestAt,
});

/** @throws UnreadableRow where the row is no entry, or its searched columns do not say what the entry says */
function entryFromRow(row: AuditRow): AuditEntry {
  const draft = jsonReader('audit', row.seq)('draft', row.draft);
  const members = typeof draft === 'object' ? draft : {};
  const entry = parseRow('audit', row.seq, auditEntry, {
    ...members,
    seq: row.seq,
    previousHash: row.previous_hash,
    hash: row.hash,
  });
  const column = misleadingColumn(row, entry);
  if (column) throw new UnreadableRow('audit', row.seq, column, 'does not say what the entry says');
  return entry;
}

function misleadingColumn(row: AuditRow, entry: AuditEntry): string | undefined {
  const said = searched(entry);
  if (row.event !== said.event) return 'event';
  if (row.at !== said.at) return 'at';
  if (row.actor_team !== said.actor_team) return 'actor_team';
  if (row.actor_user !== said.actor_user) return 'actor_user';
  if (row.target_name !== said.target_name) return 'target_name';
  if (row.request_id !== said.request_id) return 'request_id';
  return row.latest_at < said.at ? 'latest_at' : undefined;
}
