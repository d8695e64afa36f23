import type { Insertable } from 'kysely';

import {
  type Announcement,
  type Outbox,
  review,
  type Review,
  type ReviewClosing,
  type Reviews,
} from '../../../model/requests.ts';
import { stageEntries } from '../audit.ts';
import type { Database, Queries } from '../../database/database.ts';
import { setDue } from '../due.ts';
import type { ReviewRow, ReviewsTable } from '../../database/schema.ts';
import { messageRef } from '../../../model/outbox.ts';
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

/** In the transaction of the step that opens it. */
export async function insertReview(queries: Queries, opened: Review): Promise<void> {
  await queries.insertInto('reviews').values(toRow(opened)).execute();
}

const reviewRow = (queries: Queries, requestId: string): Promise<ReviewRow | undefined> =>
  queries
    .selectFrom('reviews')
    .selectAll()
    .where('request_id', '=', sanitizeText(requestId))
    .executeTakeFirst();

export const reviewsOn = (
  { read, note, write, sharedNow }: Database,
  rows: RowReader,
): Reviews & Pick<Outbox, 'findAnnouncement' | 'keepAnnouncement'> => ({
  findReview: (requestId) =>
    read(async (queries) => {
      const row = await reviewRow(queries, requestId);
      return row && fromRow(row);
    }),
  openReviews: (limit) =>
    read(async (queries) => {
      const open = await queries
        .selectFrom('reviews')
        .selectAll()
        .where('closed_at', 'is', null)
        .orderBy('opened_at')
        .orderBy('request_id')
        .limit(limit)
        .execute();
      return rows(open, fromRow);
    }),
  closeReview: (closing) => write((queries) => closeReview(queries, { sharedNow }, closing)),
  findAnnouncement: (requestId) =>
    read(async (queries) => {
      const row = await reviewRow(queries, requestId);
      return row && announcementFromRow(row);
    }),
  keepAnnouncement: (requestId, message) =>
    note(async (queries) => {
      await queries
        .updateTable('reviews')
        .set({ message: JSON.stringify(message) })
        .where('request_id', '=', sanitizeText(requestId))
        .execute();
    }),
});

/** Closes it, and has that told. Undefined, and nothing written, where it was not open. */
async function closeReview(
  queries: Queries,
  clock: Pick<Database, 'sharedNow'>,
  closing: ReviewClosing,
): Promise<Review | undefined> {
  const row = await queries
    .updateTable('reviews')
    .set({
      closed_at: closing.at,
      closed_by: JSON.stringify(closing.by),
      word: sanitizeText(closing.word),
    })
    .where('request_id', '=', sanitizeText(closing.requestId))
    .where('closed_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) return undefined;
  await setDue(queries, clock, closing.at, [
    { kind: 'review', key: row.request_id, version: 2, at: closing.at },
  ]);
  await stageEntries(queries, closing.audit);
  return fromRow(row);
}
