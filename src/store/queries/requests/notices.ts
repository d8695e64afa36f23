import { sql } from 'kysely';

import { notice, type Notice } from '../../../model/requests.ts';
import type { Queries } from '../../database/database.ts';
import type { NoticeRow } from '../../database/schema.ts';
import { jsonReader, parseRow, type RowReader, sanitizeText } from '../parse-row.ts';

/** In the transaction of the step that gives them. */
export async function insertNotices(queries: Queries, notices: readonly Notice[] = []): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map((one) => ({
    request_id: sanitizeText(one.requestId),
    kind: one.kind,
    about: JSON.stringify(one),
    try_at: one.at,
  }));
  await queries
    .insertInto('notices')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** @throws UnreadableRow */
const fromRow = (row: NoticeRow): Notice =>
  parseRow('notices', row.request_id, notice, jsonReader('notices', row.request_id)('about', row.about));

/** Claims those that are due, oldest first. As with cards, the condition stands outside the subquery too. */
export async function claimNotices(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly Notice[]> {
  const { rows } = await sql<NoticeRow>`
    update notices set try_at = ${now + claimMs}
    where (request_id, kind) in (
        select request_id, kind from notices where try_at <= ${now} order by try_at limit ${limit})
      and try_at <= ${now}
    returning *`.execute(queries);
  return read(rows, fromRow).toSorted((one, other) => one.at - other.at);
}

/** @param againAt epoch milliseconds; undefined where it stands in Slack, or is told no more */
export async function settleNotice(
  queries: Queries,
  { requestId, kind }: Notice,
  againAt: number | undefined,
): Promise<void> {
  const id = sanitizeText(requestId);
  if (againAt === undefined)
    await queries.deleteFrom('notices').where('request_id', '=', id).where('kind', '=', kind).execute();
  else
    await queries
      .updateTable('notices')
      .set({ try_at: againAt })
      .where('request_id', '=', id)
      .where('kind', '=', kind)
      .execute();
}
