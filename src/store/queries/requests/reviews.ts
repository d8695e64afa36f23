import { sql, type Insertable } from 'kysely';

import { review, type Review, type ReviewClosing } from '../../../model/requests.ts';
import { stageEntries } from '../audit.ts';
import type { Queries } from '../../database/database.ts';
import type { ReviewRow, ReviewsTable } from '../../database/schema.ts';
import { messageRef } from './outbox.ts';
import type { Announcement, MessageRef } from '../../../model/outbox.ts';
import { parseRow, jsonReader, omitNulls, type RowReader, sanitizeText, textOrNull } from '../parse-row.ts';

const toRow = (of: Review): Insertable<ReviewsTable> => ({
  request_id: sanitizeText(of.requestId),
  opened_at: of.openedAt,
  opened_by: JSON.stringify(of.openedBy),
  place: JSON.stringify(of.place),
  words: sanitizeText(of.words),
  reason: sanitizeText(of.reason),
  rule: sanitizeText(of.rule),
  approvers: JSON.stringify(of.approvers),
  message: null,
  tell_at: of.openedAt,
  closed_at: null,
  closed_by: null,
  word: null,
  note: textOrNull(of.note),
});

/** @throws UnreadableRow */
function fromRow(row: ReviewRow): Review {
  const read = jsonReader('reviews', row.request_id);
  const members = omitNulls({
    requestId: row.request_id,
    openedAt: row.opened_at,
    openedBy: read('opened_by', row.opened_by),
    place: read('place', row.place),
    words: row.words,
    reason: row.reason,
    rule: row.rule,
    approvers: read('approvers', row.approvers),
    closedAt: row.closed_at,
    closedBy: read('closed_by', row.closed_by),
    word: row.word,
    note: row.note,
  });
  return parseRow('reviews', row.request_id, review, members);
}

/** @throws UnreadableRow */
function announcementFromRow(row: ReviewRow): Announcement {
  const message = jsonReader('reviews', row.request_id)('message', row.message);
  const announced = fromRow(row);
  if (message === undefined) return announced;
  return { ...announced, message: parseRow('reviews', row.request_id, messageRef, message) };
}

/** In the transaction of the step that opens it. Told of at once. */
export async function insertReview(queries: Queries, opened: Review): Promise<void> {
  await queries.insertInto('reviews').values(toRow(opened)).execute();
}

export async function findReview(queries: Queries, requestId: string): Promise<Review | undefined> {
  const row = await queries
    .selectFrom('reviews')
    .selectAll()
    .where('request_id', '=', sanitizeText(requestId))
    .executeTakeFirst();
  return row && fromRow(row);
}

/** Oldest first: who waits longest is listed first. */
export async function openReviews(
  queries: Queries,
  read: RowReader,
  limit: number,
): Promise<readonly Review[]> {
  const rows = await queries
    .selectFrom('reviews')
    .selectAll()
    .where('closed_at', 'is', null)
    .orderBy('opened_at')
    .orderBy('request_id')
    .limit(limit)
    .execute();
  return read(rows, fromRow);
}

/** Closes it, and has that told at once. Undefined, and nothing written, where it was not open. */
export async function closeReview(queries: Queries, closing: ReviewClosing): Promise<Review | undefined> {
  const row = await queries
    .updateTable('reviews')
    .set({
      closed_at: closing.at,
      closed_by: JSON.stringify(closing.by),
      word: sanitizeText(closing.word),
      tell_at: closing.at,
    })
    .where('request_id', '=', sanitizeText(closing.requestId))
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await stageEntries(queries, closing.audit);
  return fromRow(row);
}

/** Claims reviews that are due to be told of. As with cards, the condition stands outside the subquery too. */
export async function claimReviews(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly Announcement[]> {
  const { rows } = await sql<ReviewRow>`
    update reviews set tell_at = ${now + claimMs}
    where request_id in (
        select request_id from reviews where tell_at <= ${now} order by tell_at limit ${limit})
      and tell_at <= ${now}
    returning *`.execute(queries);
  return read(rows, announcementFromRow);
}

/** What was told, and when to tell again. Where it was closed meanwhile, that is still to be told. */
export async function markAnnounced(
  queries: Queries,
  told: Review,
  message: MessageRef | undefined,
  againAt: number | undefined,
): Promise<void> {
  const id = sanitizeText(told.requestId);
  if (message) {
    const text = JSON.stringify(message);
    await queries.updateTable('reviews').set({ message: text }).where('request_id', '=', id).execute();
  }
  await queries
    .updateTable('reviews')
    .set({ tell_at: againAt ?? null })
    .where('request_id', '=', id)
    .where('closed_at', told.closedAt === undefined ? 'is' : 'is not', null)
    .execute();
}
