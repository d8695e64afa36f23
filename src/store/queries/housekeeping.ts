import { sql } from 'kysely';

import { type AuditTally, type Tally, waitingStates } from '../../model/introspection.ts';
import type { State } from '../../model/request.ts';
import type { Queries } from '../database/database.ts';

/** `unknown` is no settled state: somebody still has to look. */
const settledStates = ['succeeded', 'failed', 'cancelled', 'expired', 'refused'] as const satisfies State[];

/**
 * Removes at most `limit` requests that were settled, created before `olderThan`, and whose card shows it or was
 * given up. The audit keeps what they did.
 * @returns how many were removed; fewer than `limit` means that none is left
 */
export async function removeSettledRequests(
  queries: Queries,
  olderThan: number,
  limit: number,
): Promise<number> {
  let removed = 0;
  for (const state of settledStates) {
    const { numDeletedRows } = await queries
      .deleteFrom('requests')
      .where('id', 'in', (is) =>
        is
          .selectFrom('requests')
          .select('id')
          .where('state', '=', state)
          .where('created_at', '<', olderThan)
          .where((card) =>
            card.or([card('card_try_at', 'is', null), card('card_shown_version', '>=', card.ref('version'))]),
          )
          .orderBy('created_at')
          .limit(limit - removed),
      )
      .executeTakeFirst();
    removed += Number(numDeletedRows);
    if (removed >= limit) break;
  }
  return removed;
}

/** Counts what waits, both times by an index that holds little else. */
export async function countWaiting(queries: Queries): Promise<Tally> {
  const counted = await queries
    .selectFrom('requests')
    .select((is) => ['state', is.fn.countAll<number>().as('count')])
    .where('state', 'in', waitingStates)
    .groupBy('state')
    .execute();
  const cards = await queries
    .selectFrom('requests')
    .select((is) => [is.fn.countAll<number>().as('count'), is.fn.min('created_at').as('oldest')])
    .where('card_try_at', 'is not', null)
    .whereRef('card_shown_version', '<', 'version')
    .executeTakeFirst();
  const count = (state: (typeof waitingStates)[number]): number =>
    counted.find((row) => row.state === state)?.count ?? 0;
  return {
    requests: {
      proposed: count('proposed'),
      'awaiting approval': count('awaiting approval'),
      running: count('running'),
      unknown: count('unknown'),
    },
    cardsWaiting: cards?.count ?? 0,
    oldestCardAt: cards?.oldest ?? undefined,
    audit: await countAudit(queries),
  };
}

/** What is staged is little, while the sealer works. */
async function countAudit(queries: Queries): Promise<AuditTally> {
  const { staged, oldest, numbered, sealed } = await queries
    .selectFrom('audit_staged')
    .select((is) => [
      is.fn.countAll<number>().as('staged'),
      is.fn.min('at').as('oldest'),
      is.selectFrom('audit_head').select('seq').where('id', '=', 1).as('numbered'),
      is.selectFrom('audit_checkpoints').select('size').orderBy('number', 'desc').limit(1).as('sealed'),
    ])
    .executeTakeFirstOrThrow();
  const entries = (numbered ?? 0) + staged;
  return { entries, unsealed: entries - (sealed ?? 0), oldestUnsealedAt: oldest ?? undefined };
}

/** Of PostgreSQL, in epoch milliseconds. */
export async function serverTime(queries: Queries): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`.execute(queries);
  return rows[0]?.now;
}
