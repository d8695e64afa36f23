import type { Database } from '../../database/database.ts';
import { jsonReader, parseRow, sanitizeText } from '../parse-row.ts';
import { messageRef } from '../../../model/outbox.ts';
import type { Outbox } from '../../../model/requests.ts';

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
