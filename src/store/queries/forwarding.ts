import { sql } from 'kysely';

import type { Forwarding, ForwardingPosition } from '../../model/audit.ts';
import type { Queries } from '../database/database.ts';
import { textOrNull } from './parse-row.ts';

/** Undefined before it began. */
export async function findForwarding(queries: Queries, destination: string): Promise<Forwarding | undefined> {
  const row = await queries
    .selectFrom(['audit_forwarding as forwarding', 'audit_head as head'])
    .select((is) => [
      'forwarding.sent',
      'forwarding.problem',
      'head.seq as newest',
      is
        .selectFrom('audit')
        .select('at')
        .whereRef('seq', '>', 'forwarding.sent')
        .orderBy('seq')
        .limit(1)
        .as('oldest_at'),
    ])
    .where('destination', '=', destination)
    .executeTakeFirst();
  return (
    row && {
      sent: row.sent,
      newest: row.newest,
      oldestAt: row.oldest_at ?? undefined,
      problem: row.problem ?? undefined,
    }
  );
}

/** False where it has begun before. */
export async function beginForwarding(
  queries: Queries,
  destination: string,
  after: number | 'newest',
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('audit_forwarding')
    .columns(['destination', 'sent'])
    .expression((is) =>
      is
        .selectFrom('audit_head')
        .select((of) => [
          sql<string>`cast(${destination} as text)`.as('destination'),
          after === 'newest' ? 'seq as sent' : of.lit(after).as('sent'),
        ])
        // SQLite needs a condition before “on conflict”.
        .where('id', '=', 1),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** No claim and no pause is longer, in milliseconds. One that seems to be was written before the clock was set back. */
const longestMs = 15 * 60_000;

export async function claimForwarding(
  queries: Queries,
  destination: string,
  now: number,
  claimMs: number,
): Promise<ForwardingPosition | undefined> {
  const { rows } = await sql<{ sent: number; failures: number; problem: string | null }>`
    update audit_forwarding set try_at = ${now + claimMs}
    where destination = ${destination} and (try_at <= ${now} or try_at > ${now + longestMs})
    returning sent, failures, problem`.execute(queries);
  const [row] = rows;
  return row && { sent: row.sent, failures: row.failures, problem: row.problem ?? undefined };
}

/** False where the cursor is not at `from` any more. */
export async function moveForwarding(
  queries: Queries,
  destination: string,
  from: number,
  { sent, failures, problem, tryAt }: ForwardingPosition & { readonly tryAt: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('audit_forwarding')
    .set({
      sent,
      failures,
      problem: textOrNull(problem),
      try_at: tryAt,
    })
    .where('destination', '=', destination)
    .where('sent', '=', from)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
