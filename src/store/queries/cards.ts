import type { Card, Request } from '../../core/request/request.ts';
import type { Queries } from '../database.ts';
import { requestFromRow } from './request-row.ts';
import { sanitizeText } from '../sanitize-text.ts';
import type { RowReader } from './parse-row.ts';

/** No try is put off for longer, in milliseconds. One that seems to be was written before the clock was set back. */
const longestPauseMs = 60 * 60_000;

/**
 * Claims requests whose card is behind, oldest first. The conditions stand outside the subquery too: a replica that
 * waited for another's claim of the same row then finds them no longer true.
 */
export async function claimCards(
  queries: Queries,
  read: RowReader,
  now: number,
  claimMs: number,
  limit: number,
): Promise<readonly Request[]> {
  const rows = await queries
    .updateTable('requests')
    .set({ card_try_at: now + claimMs })
    .where('id', 'in', firstToTry(queries, now, limit))
    .where((is) => is.or([is('card_try_at', '<=', now), is('card_try_at', '>', now + longestPauseMs)]))
    .whereRef('card_shown_version', '<', 'version')
    .returningAll()
    .execute();
  const oldestFirst = rows.toSorted(
    (one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1),
  );
  return read(oldestFirst, requestFromRow);
}

/** Each bound by itself: an index answers one, but not the two with an "or" between them. */
function firstToTry(queries: Queries, now: number, limit: number) {
  const behind = queries
    .selectFrom('requests')
    .select(['id', 'card_try_at', 'created_at'])
    .whereRef('card_shown_version', '<', 'version')
    .orderBy('card_try_at')
    .orderBy('created_at')
    .limit(limit);
  const due = behind.where('card_try_at', '<=', now);
  const overlong = behind.where('card_try_at', '>', now + longestPauseMs);
  const both = queries
    .selectFrom(due.as('due'))
    .selectAll()
    .unionAll(queries.selectFrom(overlong.as('overlong')).selectAll());
  return queries
    .selectFrom(both.as('both'))
    .select('id')
    .orderBy('card_try_at')
    .orderBy('created_at')
    .limit(limit);
}

/** An older version never hides a newer one; false tells that a newer one was there. */
export async function showCard(queries: Queries, id: string, version: number, shown: Card): Promise<boolean> {
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
