import { type RawBuilder, sql } from 'kysely';

import { type AuditTally, type Housekeeping, type Tally } from '../../model/introspection.ts';
import { openStates } from '../../model/records/request.ts';
import { cardKind, type DueTally } from '../../model/records/due.ts';
import { reviewKind } from '../../model/records/requests.ts';
import type { State } from '../../model/records/request.ts';
import type { Database, Queries } from '../database/database.ts';

export const housekeepingOn = ({
  dialect,
  read,
  write,
  sharedNow,
}: Database): Omit<Housekeeping, 'removeOffers'> => ({
  removeSettled: (olderThan, limit) => write((queries) => removeSettledRequests(queries, olderThan, limit)),
  tally: (now) => read((queries) => countWaiting(queries, sharedNow(now))),
  serverTime: () =>
    dialect === 'postgres'
      ? read((queries) => serverTime(queries, sharedNow(0)))
      : Promise.resolve(undefined),
});

/** Without `unknown`, because a person still has to check such a request. */
const endedStates = ['succeeded', 'failed', 'cancelled', 'expired', 'refused'] as const satisfies State[];

async function removeSettledRequests(queries: Queries, olderThan: number, limit: number): Promise<number> {
  let removed = 0;
  for (const state of endedStates) {
    const { numAffectedRows = 0n } = await sql`delete from requests where id in (
      select id from requests where state = ${state} and created_at < ${olderThan}
        and (review is null or review_closed is not null)
        and not exists (select key from due where kind in (${cardKind}, ${reviewKind}) and key = requests.id)
      order by created_at limit ${limit - removed})`.execute(queries);
    removed += Number(numAffectedRows);
    if (removed >= limit) break;
  }
  return removed;
}

async function countWaiting(queries: Queries, now: RawBuilder<number>): Promise<Tally> {
  const counted = await queries
    .selectFrom('requests')
    .select((is) => [
      sql<string>`case when rollout is null or state <> 'running' then state
        when paused_at is null then 'rolling' else 'paused' end`.as('waiting'),
      is.fn.countAll<number>().as('count'),
      sql<number>`min(case state when 'unknown' then coalesce(ended_at, created_at)
        else coalesce(paused_at, started_at, created_at) end)`.as('since'),
    ])
    .where('state', 'in', [...openStates, 'unknown'])
    .groupBy('waiting')
    .execute();
  const of = (state: keyof Tally['requests']) => counted.find(({ waiting }) => waiting === state)?.count ?? 0;
  return {
    requests: {
      proposed: of('proposed'),
      'awaiting approval': of('awaiting approval'),
      running: of('running'),
      rolling: of('rolling'),
      paused: of('paused'),
      unknown: of('unknown'),
    },
    oldest: new Map(counted.map(({ waiting, since }) => [waiting, since])),
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

/** In epoch milliseconds. */
async function serverTime(queries: Queries, sharedNow: RawBuilder<number>): Promise<number | undefined> {
  const { rows } = await sql<{ now: number }>`select ${sharedNow} as now`.execute(queries);
  return rows[0]?.now;
}

/** Includes kinds of newer versions. An index covers the query. */
const tallyDue = (queries: Queries, now: RawBuilder<number>): Promise<readonly DueTally[]> =>
  queries
    .selectFrom('due')
    .select((is) => [
      'kind',
      is.fn.countAll<number>().as('count'),
      sql<number>`${now} - min(since)`.as('oldestMs'),
    ])
    .where('since', '<=', now)
    .where('at', 'is not', null)
    .groupBy('kind')
    .execute();
