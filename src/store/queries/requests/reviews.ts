import type { Outbox, Reviews } from '../../../model/requests.ts';
import type { Database } from '../../database/database.ts';
import { stageEntries } from '../audit.ts';
import { setDue } from '../due.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import { requestFromRow } from './request-row.ts';

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
