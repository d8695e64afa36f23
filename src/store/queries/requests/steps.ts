import { type RawBuilder, sql } from 'kysely';

import { dueAfter } from '../../../model/records/due.ts';
import type { Request } from '../../../model/records/request.ts';
import type { Step } from '../../../model/records/requests.ts';
import { longestLeaseMs } from '../../../model/rulebook/schema.ts';
import type { Database, Queries } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { stageEntries } from '../audit.ts';
import { dropDue, setDue } from '../due.ts';
import { lockHead } from '../seal.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import { changesToRow, requestFromRow } from './request-row.ts';
import { findStarts } from './lists.ts';

type Clock = Pick<Database, 'sharedNow'>;

/** The row once no other step holds its lock. Changes nothing. */
export async function lockRequest(queries: Queries, id: string): Promise<Request | undefined> {
  const row = await queries
    .updateTable('requests')
    .set((is) => ({ version: is.ref('version') }))
    .where('id', '=', sanitizeText(id))
    .returningAll()
    .executeTakeFirst();
  return row && requestFromRow(row);
}

/**
 * The row after the step; undefined, with nothing written, if another step was faster.
 * @throws NotAdmitted if its check does not admit it
 */
export async function advanceRequest(
  queries: Queries,
  clock: Clock,
  read: RowReader,
  step: Step,
): Promise<Request | undefined> {
  const row = await stepRow(queries, clock, step);
  if (!row) return undefined;
  const after = requestFromRow(row);
  await makeDue(queries, clock, step, after);
  await stageEntries(queries, step.audit);
  await refuseUnlessAdmitted(queries, read, step);
  return after;
}

export async function makeDue(
  queries: Queries,
  clock: Clock,
  step: Parameters<typeof dueAfter>[0],
  row: Request,
): Promise<void> {
  const { set, ends } = dueAfter(step, row);
  await setDue(queries, clock, step.at, set);
  if (ends) await dropDue(queries, 'deadline', [row.id]);
}

/** The one conditional update. */
export function stepRow(queries: Queries, { sharedNow }: Clock, step: Step): Promise<RequestRow | undefined> {
  const now = sharedNow(step.at);
  const { leaseMs } = step;
  return queries
    .updateTable('requests')
    .set(changesToRow(step.changes))
    .set({ lease_until: leaseMs === undefined ? undefined : after(now, leaseMs) })
    .set((is) => ({ state: step.to, version: is('version', '+', 1) }))
    .where('id', '=', sanitizeText(step.id))
    .where('state', '=', step.from)
    .where('version', '=', step.version)
    .$if(step.leaseOver === true, (update) => update.where(leaseOver(now)))
    .returningAll()
    .executeTakeFirst();
}

const after = (now: RawBuilder<number>, ms: number) => sql<number>`${now} + ${ms}`;

/** For a running request. A lease that ends later than possible was written before the clock was set back. */
const leaseOver = (now: RawBuilder<number>) =>
  sql<boolean>`(coalesce(lease_until, 0) <= ${now} or lease_until > ${after(now, 2 * longestLeaseMs)})`;

/** Rolls back the transaction of a step, because others meanwhile started something that excludes it. */
export class NotAdmitted extends Error {}

/**
 * Runs the check of a step. Across replicas, steps with a check take turns until their transactions end, so that each sees
 * what the earlier ones started. Call this last.
 * @throws NotAdmitted
 */
async function refuseUnlessAdmitted(queries: Queries, read: RowReader, { id, check }: Step): Promise<void> {
  if (!check) return;
  await lockHead(queries);
  if (!check.admits(await findStarts(queries, read, check.of, id)))
    throw new NotAdmitted(`${id} may not start beside what others started`);
}

/** False if the request no longer runs under that claim, or its lease is over. Then any replica may end it. */
export async function moveLease(
  queries: Queries,
  id: string,
  runner: string,
  leaseMs: number,
  now: RawBuilder<number>,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('requests')
    .set({ lease_until: after(now, leaseMs) })
    .where('id', '=', sanitizeText(id))
    .where('runner', '=', runner)
    .where('state', '=', 'running')
    .where(sql<boolean>`not ${leaseOver(now)}`)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
