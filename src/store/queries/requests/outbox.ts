import { z } from 'zod';

import type { Queries } from '../../database/database.ts';
import { jsonReader, parseRow, sanitizeText } from '../parse-row.ts';
import type { MessageRef } from '../../../model/outbox.ts';

/** A message in Slack, as a row keeps it. */
export const messageRef = z.object({
  channel: z.string(),
  ts: z.string(),
  thread: z.string().optional(),
});

/** Where the card of a request is; undefined before it was posted. @throws UnreadableRow */
export async function findCard(queries: Queries, id: string): Promise<MessageRef | undefined> {
  const row = await queries
    .selectFrom('requests')
    .select(['id', 'card'])
    .where('id', '=', sanitizeText(id))
    .executeTakeFirst();
  const card = row && jsonReader('requests', row.id)('card', row.card);
  return card === undefined ? undefined : parseRow('requests', id, messageRef, card);
}

/** An older version never hides a newer one; false tells that a newer one was there. */
export async function showCard(
  queries: Queries,
  id: string,
  version: number,
  shown: MessageRef,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('requests')
    .set({ card: JSON.stringify(shown), card_shown_version: version })
    .where('id', '=', sanitizeText(id))
    .where('card_shown_version', '<=', version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
