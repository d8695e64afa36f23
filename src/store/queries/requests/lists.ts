import { type Request, type State, states } from '../../../model/request.ts';
import type { RequestFilter } from '../../../model/requests.ts';
import type { Queries } from '../../database/database.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import { requestFromRow } from './request-row.ts';

/** Newest first. */
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
 * Newest first. Each state has its own lookup in an index ordered by time, so that a few open requests are found fast among
 * many ended ones.
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

function newest(queries: Queries, { targetKey, requester, whole, limit }: RequestFilter) {
  let page = queries
    .selectFrom('requests')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (whole) page = page.where('part_of', 'is', null);
  if (targetKey !== undefined) page = page.where('target_key', '=', sanitizeText(targetKey));
  if (requester !== undefined) {
    page = page
      .where('requester_team', '=', sanitizeText(requester.team))
      .where('requester_user', '=', sanitizeText(requester.user));
  }
  return page;
}
