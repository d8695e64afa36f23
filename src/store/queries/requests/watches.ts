import { sql } from 'kysely';

import type { Notice, Watch } from '../../../model/requests.ts';
import type { Queries } from '../../database/database.ts';
import type { WatchRow } from '../../database/schema.ts';
import { insertNotices } from './notices.ts';
import { sanitizeText } from '../parse-row.ts';

/** In the transaction of the step that begins it. */
export async function insertWatch(queries: Queries, { requestId, at, movedAt }: Watch): Promise<void> {
  await queries
    .insertInto('watches')
    .values({ request_id: sanitizeText(requestId), look_at: at, moved_at: movedAt ?? null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Claims those that are due. As with cards, the condition stands outside the subquery too. */
export async function claimWatches(
  queries: Queries,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly Watch[]> {
  const { rows } = await sql<WatchRow>`
    update watches set look_at = ${now + claimMs}
    where request_id in (select request_id from watches where look_at <= ${now} order by look_at limit ${limit})
      and look_at <= ${now}
    returning *`.execute(queries);
  return rows.map((row) => ({
    requestId: row.request_id,
    at: row.look_at,
    movedAt: row.moved_at ?? undefined,
  }));
}

/** Whoever ends it tells of it: of two who do, one. */
export async function endWatch(
  queries: Queries,
  requestId: string,
  notices: readonly Notice[],
): Promise<void> {
  const { numDeletedRows } = await queries
    .deleteFrom('watches')
    .where('request_id', '=', sanitizeText(requestId))
    .executeTakeFirst();
  if (numDeletedRows === 1n) await insertNotices(queries, notices);
}

export async function moveWatch(queries: Queries, { requestId, at, movedAt }: Watch): Promise<void> {
  await queries
    .updateTable('watches')
    .set({ look_at: at, moved_at: movedAt ?? null })
    .where('request_id', '=', sanitizeText(requestId))
    .execute();
}
