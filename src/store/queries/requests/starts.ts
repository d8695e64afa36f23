import { sql } from 'kysely';
import { z } from 'zod';

import type { Start, Step } from '../../../model/requests.ts';
import { request, states } from '../../../model/request.ts';
import { target } from '../../../model/target.ts';
import type { Queries } from '../../database/database.ts';
import { lockHead } from '../seal.ts';
import { parseRow, jsonReader, omitNulls, type RowReader } from '../parse-row.ts';

const start = z.object({
  id: z.string(),
  // A state of a newer version is one whose outcome this version cannot tell.
  state: z.enum(states).catch('unknown'),
  operation: z.string(),
  target,
  requester: z.object({ team: z.string(), user: z.string() }),
  startedAt: z.number(),
  settled: request.shape.outcome,
});

/** Changes started at or after `since`, newest first. */
export async function startedSince(
  queries: Queries,
  read: RowReader,
  since: number,
): Promise<readonly Start[]> {
  const rows = await queries
    .selectFrom('requests')
    .select(['id', 'state', 'operation', 'target', 'requester_team', 'requester_user', 'started_at'])
    .select(sql<string | null>`case when outcome like '%"settledByHand":%' then outcome end`.as('settled'))
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return read(rows, (row) => {
    const json = jsonReader('requests', row.id);
    const members = omitNulls({
      id: row.id,
      state: row.state,
      operation: row.operation,
      target: json('target', row.target),
      requester: { team: row.requester_team, user: row.requester_user },
      startedAt: row.started_at,
      settled: json('outcome', row.settled),
    });
    return parseRow('requests', row.id, start, members);
  });
}

/** Rolls the transaction of a step back: meanwhile others started what it does not go with. */
export class NotAdmitted extends Error {}

/**
 * Asks the check of a step. Steps that have one take turns until their transactions end, over all replicas: each sees what
 * those before it started. Call this last.
 * @throws NotAdmitted
 */
export async function refuseUnlessAdmitted(
  queries: Queries,
  read: RowReader,
  { id, check }: Step,
): Promise<void> {
  if (!check) return;
  await lockHead(queries);
  const others = (await startedSince(queries, read, check.since)).filter((other) => other.id !== id);
  if (!check.admits(others)) throw new NotAdmitted(`${id} may not start beside what others started`);
}
