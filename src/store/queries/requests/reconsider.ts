import { sql } from 'kysely';

import { cardKind } from '../../../model/records/due.ts';
import { type Request, waitingStates } from '../../../model/records/request.ts';
import { severalKind, type Target, target } from '../../../model/rulebook/target.ts';
import { orUndefined } from '../../../text/words.ts';
import type { Queries, SharedClock } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { setDue } from '../due.ts';
import { jsonReader, type RowReader } from '../parse-row.ts';
import { hasMember } from './lists.ts';
import { requestFromRow } from './request-row.ts';

const pageLength = 500;

/**
 * Raises the version of each waiting request whose target `meets` names, so that a start that was decided before has to decide again. Waits
 * for a start that holds the lock of its row. A request that is proposed later sees what is committed now. Resolves to the running requests
 * on those targets.
 */
export async function reconsider(
  queries: Queries,
  { clock, rows }: { readonly clock: SharedClock; readonly rows: RowReader },
  { meets, around }: { readonly meets: (of: Target) => boolean; readonly around: string | undefined },
  now: number,
): Promise<readonly Request[]> {
  for await (const page of requestPages(queries, waitingStates)) {
    const ids = page.filter((row) => mayMeet(row, meets)).map(({ id }) => id);
    if (ids.length === 0) continue;
    const raised = await queries
      .updateTable('requests')
      .set((is) => ({
        version: is('version', '+', 1),
        ...(around !== undefined && { recent_change: onSingles(around) }),
      }))
      .where('id', 'in', ids)
      .where('state', 'in', waitingStates)
      .returning(['id', 'version', 'part_of'])
      .execute();
    const shown = raised.filter((row) => row.part_of === null);
    const cards = shown.map(({ id: key, version }) => ({ kind: cardKind, key, version, at: now }));
    await setDue(queries, clock, now, cards);
  }
  const running: Request[] = [];
  for await (const page of requestPages(queries, ['running']))
    running.push(...rows(page, requestFromRow).filter((request) => meets(request.target)));
  return running;
}

/** Only a request of one target shows the whole around it. */
const onSingles = (whole: string) =>
  sql<string | null>`case when part_of is null and not ${hasMember('target', 'kind', severalKind)}
    then ${whole} else recent_change end`;

/** In the order of their ids. */
export async function* requestPages(
  queries: Queries,
  states: readonly RequestRow['state'][],
): AsyncGenerator<readonly RequestRow[]> {
  for (let after: string | undefined = ''; after !== undefined;) {
    const page: readonly RequestRow[] = await queries
      .selectFrom('requests')
      .selectAll()
      .where('state', 'in', states)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pageLength)
      .execute();
    if (page.length > 0) yield page;
    after = page.length < pageLength ? undefined : page.at(-1)?.id;
  }
}

/** An unreadable target may be one of these. */
function mayMeet(row: RequestRow, meets: (of: Target) => boolean): boolean {
  const read = target.safeParse(orUndefined(() => jsonReader('requests', row.id)('target', row.target)));
  return !read.success || meets(read.data);
}
