import { sql } from 'kysely';
import { z } from 'zod';

import type { Request } from '../../../model/request.ts';
import { type Queries, longestPauseMs } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { requestFromRow } from './request-row.ts';
import { jsonReader, parseRow, type RowReader, sanitizeText } from '../parse-row.ts';
import type { MessageRef } from '../../../model/outbox.ts';

/**
 * For so long after a step the process that took it shows the card; later any replica may. Longer than showing takes, so
 * that no two do it at the same time. In milliseconds.
 */
export const cardOwnerMs = 12_000;

/**
 * Claims requests whose card is behind, oldest first. The conditions stand outside the subquery too: a replica that
 * waited for another's claim of the same row then finds them no longer true. Due and overlong are bounds of their own:
 * an index answers one, but not the two with an "or" between them.
 */
export async function claimCards(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly Request[]> {
  const overlong = now + longestPauseMs;
  const { rows } = await sql<RequestRow>`
    update requests set card_try_at = ${now + claimMs}
    where id in (
        select id from (
          select * from (
            select id, card_try_at, created_at from requests
            where card_shown_version < version and card_try_at <= ${now}
            order by card_try_at, created_at limit ${limit}) as due
          union all
          select * from (
            select id, card_try_at, created_at from requests
            where card_shown_version < version and card_try_at > ${overlong}
            order by card_try_at, created_at limit ${limit}) as overlong
        ) as behind
        order by card_try_at, created_at limit ${limit})
      and (card_try_at <= ${now} or card_try_at > ${overlong})
      and card_shown_version < version
    returning *`.execute(queries);
  const oldestFirst = rows.toSorted(
    (one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
  );
  return read(oldestFirst, requestFromRow);
}

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

/** @param retryAt epoch milliseconds; undefined gives the card up until the request's next step */
export async function failCard(queries: Queries, id: string, retryAt: number | undefined): Promise<void> {
  await queries
    .updateTable('requests')
    .set({ card_try_at: retryAt ?? null })
    .where('id', '=', sanitizeText(id))
    .execute();
}
