import { type RawBuilder, sql } from 'kysely';

import { type AuditTally, type Housekeeping, type Tally, waitingStates } from '../../model/introspection.ts';
import type { State } from '../../model/records/request.ts';
import type { Database, Queries } from '../database/database.ts';
import { tallyDue } from './due.ts';

export const housekeepingOn = ({
  dialect,
  read,
  write,
  sharedNow,
}: Database): Omit<Housekeeping, 'removeAlerts'> => ({
  removeSettled: (olderThan, limit) => write((queries) => removeSettledRequests(queries, olderThan, limit)),
  tally: (now) => read((queries) => countWaiting(queries, sharedNow(now))),
  serverTime: () =>
    dialect === 'postgres'
      ? read((queries) => serverTime(queries, sharedNow(0)))
      : Promise.resolve(undefined),
});

/** `unknown` is missing, because a person still has to check such a request. */
const endedStates = ['succeeded', 'failed', 'cancelled', 'expired', 'refused'] as const satisfies State[];

async function removeSettledRequests(queries: Queries, olderThan: number, limit: number): Promise<number> {
  let removed = 0;
  for (const state of endedStates) {
    const { numDeletedRows } = await queries
      .deleteFrom('requests')
      .where('id', 'in', (is) =>
        is
          .selectFrom('requests')
          .select('id')
          .where('state', '=', state)
          .where('created_at', '<', olderThan)
          .where((over) => over.or([over('review', 'is', null), over('review_closed', 'is not', null)]))
          .where((due) =>
            due.not(
              due.exists(
                due
                  .selectFrom('due')
                  .select('key')
                  .where('kind', 'in', ['card', 'review'])
                  .whereRef('key', '=', 'requests.id'),
              ),
            ),
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

async function countWaiting(queries: Queries, now: RawBuilder<number>): Promise<Tally> {
  const counted = await queries
    .selectFrom('requests')
    .select((is) => ['state', is.fn.countAll<number>().as('count')])
    .where('state', 'in', waitingStates)
    .groupBy('state')
    .execute();
  const count = (state: (typeof waitingStates)[number]): number =>
    counted.find((row) => row.state === state)?.count ?? 0;
  const { rollouts, paused } = await queries
    .selectFrom('requests')
    .select((is) => [
      is.fn.count<number>('rollout').as('rollouts'),
      is.fn.count<number>('paused_at').as('paused'),
    ])
    .where('state', '=', 'running')
    .executeTakeFirstOrThrow();
  return {
    requests: {
      proposed: count('proposed'),
      'awaiting approval': count('awaiting approval'),
      running: count('running') - rollouts,
      rolling: rollouts - paused,
      paused,
      unknown: count('unknown'),
    },
    due: await tallyDue(queries, now),
    audit: await countAudit(queries),
  };
}

/** This count is cheap, because few entries are staged while the sealer works. */
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

/** The server's clock, in epoch milliseconds. */
async function serverTime(queries: Queries, sharedNow: RawBuilder<number>): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`select ${sharedNow} as now`.execute(queries);
  return rows[0]?.now;
}
