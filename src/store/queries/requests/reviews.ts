import type { Outbox, Reviews } from '../../../model/requests.ts';
import type { Database } from '../../database/database.ts';
import { stageEntries } from '../audit.ts';
import { setDue } from '../due.ts';
import { type RowReader, jsonReader, parseRow, sanitizeText } from '../parse-row.ts';
import { requestFromRow } from './request-row.ts';
import { messageRef } from '../../../model/outbox.ts';

export const reviewsOn = (
  { read, note, write, sharedNow }: Database,
  rows: RowReader,
): Reviews & Pick<Outbox, 'keepAnnouncement'> => ({
  openReviews: (limit) =>
    read(async (queries) => {
      const open = await queries
        .selectFrom('requests')
        .selectAll()
        .where('review', 'is not', null)
        .where('review_closed', 'is', null)
        .orderBy('started_at')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows(open, requestFromRow);
    }),
  closeReview: ({ requestId, by, at, word, audit }) =>
    write(async (queries) => {
      const row = await queries
        .updateTable('requests')
        .set({ review_closed: sanitizeText(JSON.stringify({ by, at, word })) })
        .where('id', '=', sanitizeText(requestId))
        .where('review', 'is not', null)
        .where('review_closed', 'is', null)
        .returningAll()
        .executeTakeFirst();
      if (!row) return undefined;
      // Told even where the news that it is open was on its way.
      await setDue(queries, { sharedNow }, at, [{ kind: 'review', key: row.id, version: 2, at }]);
      await stageEntries(queries, audit);
      return requestFromRow(row);
    }),
  keepAnnouncement: (requestId, message) =>
    note(async (queries) => {
      await queries
        .updateTable('requests')
        .set({ review_message: JSON.stringify(message) })
        .where('id', '=', sanitizeText(requestId))
        .execute();
    }),
});

export const cardsOn = ({ read, note }: Database): Pick<Outbox, 'findCard' | 'markCardShown'> => ({
  findCard: (id) =>
    read(async (queries) => {
      const row = await queries
        .selectFrom('requests')
        .select(['id', 'card'])
        .where('id', '=', sanitizeText(id))
        .executeTakeFirst();
      const card = row && jsonReader('requests', row.id)('card', row.card);
      return card === undefined ? undefined : parseRow('requests', id, messageRef, card);
    }),
  // An older version never hides a newer one.
  markCardShown: (id, version, shown) =>
    note(async (queries) => {
      const { numUpdatedRows } = await queries
        .updateTable('requests')
        .set({ card: JSON.stringify(shown), card_shown_version: version })
        .where('id', '=', sanitizeText(id))
        .where('card_shown_version', '<=', version)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    }),
});
