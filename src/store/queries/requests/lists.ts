import { type ExpressionBuilder, sql } from 'kysely';
import { z } from 'zod';

import { request, type Request, type State, states } from '../../../model/records/request.ts';
import type { RequestFilter, Start, StartFilter } from '../../../model/records/requests.ts';
import { target } from '../../../model/rulebook/target.ts';
import type { Actor } from '../../../model/values/actor.ts';
import type { Queries } from '../../database/database.ts';
import type { Schema } from '../../database/schema.ts';
import { jsonReader, omitNulls, parseRow, type RowReader, sanitizeText } from '../parse-row.ts';
import { requestFromRow } from './request-row.ts';

export async function listRequests(
  queries: Queries,
  read: RowReader,
  filter: RequestFilter,
): Promise<readonly Request[]> {
  const [first, ...others] = new Set(filter.states ?? states);
  if (!first) return [];
  const rows = await newestOf(queries, filter, [first, ...others]).execute();
  return read(rows, requestFromRow);
}

/**
 * Newest first. Each state is looked up separately in an index ordered by time, so that a few open requests are found fast among many ended
 * ones.
 */
export function newestOf(
  queries: Queries,
  filter: Omit<RequestFilter, 'states'>,
  [first, ...others]: readonly [State, ...State[]],
) {
  const pageOf = (state: State) =>
    queries.selectFrom(newest(queries, filter).where('state', '=', state).as('page')).selectAll();
  const pages = others.reduce((union, state) => union.unionAll(pageOf(state)), pageOf(first));
  return queries
    .selectFrom(pages.as('pages'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit);
}

function newest(
  queries: Queries,
  { targetKey, operation, requester, thread, whole, before, limit }: RequestFilter,
) {
  let page = queries
    .selectFrom('requests')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (before) {
    const { createdAt, id } = before;
    page = page
      .where('created_at', '<=', createdAt)
      .where((is) => is.or([is('created_at', '<', createdAt), is('id', '<', id)]));
  }
  if (whole) page = page.where('part_of', 'is', null);
  if (targetKey !== undefined) page = page.where('target_key', '=', sanitizeText(targetKey));
  if (operation !== undefined) page = page.where('operation', '=', operation);
  if (requester !== undefined) page = page.where(isBy(requester));
  if (thread)
    page = page.where('created_at', '>=', thread.since).where(hasMember('place', 'thread', thread.ts));
  return page;
}

const isBy =
  ({ team, user }: Actor) =>
  (is: ExpressionBuilder<Schema, 'requests'>) =>
    is.and([is('requester_team', '=', sanitizeText(team)), is('requester_user', '=', sanitizeText(user))]);

const start = z.object({
  id: z.string(),
  // A newer version may have written this state.
  state: z.enum(states).catch('unknown'),
  operation: z.string(),
  target,
  requester: z.object({ team: z.string(), user: z.string() }),
  startedAt: z.number(),
  settled: request.shape.outcome,
});

/** Matching any of the filters, newest first. */
export async function findStarts(
  queries: Queries,
  read: RowReader,
  of: readonly StartFilter[],
  except?: string,
): Promise<readonly Start[]> {
  const [first, ...others] = of.map((filter) =>
    queries.selectFrom(newestStarts(queries, filter, except).as('page')).selectAll(),
  );
  if (!first) return [];
  const pages = others.reduce((union, page) => union.union(page), first);
  const rows = await queries
    .selectFrom(pages.as('pages'))
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return read(rows, (row) => {
    const json = jsonReader('requests', row.id);
    const members = omitNulls({
      id: row.id,
      state: row.state,
      operation: row.operation,
      target: json('target', row.target),
      requester: { team: row.requester_team, user: row.requester_user },
      startedAt: row.started_at,
      settled: json('outcome', row.settled),
    });
    return parseRow('requests', row.id, start, members);
  });
}

function newestStarts(queries: Queries, filter: StartFilter, except = '') {
  const { since, targetKey, requester, operations, labels = {}, limit } = filter;
  let page = queries
    .selectFrom('requests')
    .select(['id', 'state', 'operation', 'target', 'requester_team', 'requester_user', 'started_at'])
    .select(sql<string | null>`case when settled_at is not null then outcome end`.as('settled'))
    .where('started_at', '>=', since)
    .where('id', '<>', except)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (targetKey !== undefined) page = page.where('target_key', '=', sanitizeText(targetKey));
  if (requester !== undefined) page = page.where(isBy(requester));
  if (operations && !operations.includes('*'))
    page = page.where((is) => is.or(operations.map((pattern) => ofOperation(pattern))));
  for (const label of Object.entries(labels)) page = page.where(hasMember('target', ...label));
  return page;
}

const ofOperation = (pattern: string) =>
  pattern.endsWith('.*')
    ? sql<boolean>`substr(operation, 1, ${sql.lit(pattern.length - 1)}) = ${pattern.slice(0, -1)}`
    : sql<boolean>`operation = ${pattern}`;

/** A text search, because no JSON function of both databases tolerates invalid JSON. */
export const hasMember = (column: 'target' | 'place', name: string, value: string) => {
  const text = `${JSON.stringify(name)}:${JSON.stringify(value)}`;
  return sql<boolean>`replace(${sql.ref(column)}, ${sanitizeText(text)}, '') <> ${sql.ref(column)}`;
};
