import { type RawBuilder, sql } from 'kysely';

import type { After, Made } from '../../../model/after.ts';
import { openStates, type Request } from '../../../model/records/request.ts';
import type { Proposal, Proposed, Step } from '../../../model/records/requests.ts';
import { targetKey } from '../../../model/rulebook/target.ts';
import { longestLeaseMs } from '../../../model/rulebook/schema.ts';
import { after, type Queries, type SharedClock } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { stageEntries } from '../audit.ts';
import { onlyKnown, setDue } from '../due.ts';
import { lockHead } from '../seal.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import { endOffer } from '../made-offers.ts';
import { changesToRow, requestFromRow, requestToRow } from './request-row.ts';
import { findStarts, newestOf } from './lists.ts';

/** The parts of a store that its steps need. */
export interface StepPorts {
  readonly clock: SharedClock;
  readonly rows: RowReader;
  readonly dueAfter: After;
}

/** Rolls back the transaction of a proposal, and names the request that blocks the proposal. */
export class ProposalConflict extends Error {
  readonly other: Request;

  constructor(other: Request) {
    super(`request ${other.id} for ${other.targetKey} is in the way`);
    this.other = other;
  }
}

/**
 * @throws ProposalConflict if another request of the target is open, or a request of the same press was made;
 * BellhopError of the offer that had ended
 */
export async function insertProposal(
  queries: Queries,
  ports: StepPorts,
  proposal: Proposal,
): Promise<Proposed> {
  const { clock } = ports;
  const { request, turn, supersedes = turn, ends } = proposal;
  if (ends && !(await endOffer(queries, clock, ends))) throw ends.otherwise();
  const row = supersedes && (await stepRow(queries, clock, supersedes));
  if (turn && !row) throw new ProposalConflict(await rolloutOf(queries, turn));
  const { lastUnknownAt } = await insertRequest(queries, proposal);
  const superseded = row && requestFromRow(row);
  if (superseded) await makeDue(queries, ports, supersedes, superseded);
  await makeDue(queries, ports, proposal, request);
  await stageEntries(queries, [...(superseded ? supersedes.audit : []), ...proposal.audit]);
  return { superseded, lastUnknownAt: lastUnknownAt ?? undefined };
}

const rolloutOf = async (queries: Queries, { before: { id } }: Step) =>
  requestFromRow(
    await queries
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', sanitizeText(id))
      .executeTakeFirstOrThrow(),
  );

/** The unique indexes decide. If the blocking request ends before this code reads it, the insert is repeated. */
async function insertRequest(queries: Queries, { request, press }: Proposal) {
  for (let tries = 0; tries < 3; tries += 1) {
    const inserted = await queries
      .insertInto('requests')
      .values({
        ...requestToRow(request),
        press: press?.key,
        last_unknown_at: request.lastUnknownAt ?? unknownBefore(queries, request),
      })
      .onConflict((conflict) => conflict.doNothing())
      .returning('last_unknown_at as lastUnknownAt')
      .executeTakeFirst();
    if (inserted) return inserted;
    const inTheWay = queries.selectFrom('requests').selectAll();
    const open = await inTheWay
      .where('target_key', '=', sanitizeText(request.targetKey))
      .where('state', 'in', openStates)
      .executeTakeFirst();
    if (open) throw new ProposalConflict(requestFromRow(open));
    if (!press || (await freePress(queries, press))) continue;
    const pressed = await inTheWay.where('press', '=', press.key).executeTakeFirst();
    if (pressed) throw new ProposalConflict(requestFromRow(pressed));
  }
  throw new Error(`The request ${request.id} cannot be inserted: its id is taken.`);
}

/** For each outcome, this many of the target's newest attempts are searched for the last attempt of this operation. */
const maxAttempts = 5;

/** Selects when the last attempt with an unknown outcome started. */
const unknownBefore = (queries: Queries, { operation, target }: Request) =>
  newestOf(queries, { targetKey: targetKey(target), limit: maxAttempts }, ['succeeded', 'failed', 'unknown'])
    .clearSelect()
    .select(sql<number>`case when state = 'unknown' then coalesce(started_at, created_at) end`.as('at'))
    .where('operation', '=', sanitizeText(operation))
    .limit(1);

/** Frees a press whose request ran nothing, or ended long enough ago. Resolves to whether the press was freed. */
async function freePress(
  queries: Queries,
  { key, freeBefore }: NonNullable<Proposal['press']>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    update requests set press = null
    where press = ${key}
      and (state in ('cancelled', 'expired', 'refused', 'failed') or ended_at <= ${freeBefore})`.execute(
    queries,
  );
  return numAffectedRows > 0n;
}

/** Resolves to the row once no other step holds the row's lock. Changes nothing. */
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
 * Resolves to the row after the step. Resolves to undefined, with nothing written, if another step was faster.
 * @throws NotAdmitted if the check of the step does not admit the step
 */
export async function advanceRequest(
  queries: Queries,
  ports: StepPorts,
  step: Step,
): Promise<Request | undefined> {
  // First, because the step may take over the key of the other request.
  if (step.replaces && !(await advanceRequest(queries, ports, step.replaces))) return undefined;
  const row = await stepRow(queries, ports.clock, step);
  if (!row && step.replaces) throw new NotAdmitted(`${step.before.id} has changed, so it replaces nothing`);
  if (!row) return undefined;
  const stepped = requestFromRow(row);
  await makeDue(queries, ports, step, stepped);
  await stageEntries(queries, step.audit);
  await refuseUnlessAdmitted(queries, ports.rows, step);
  return stepped;
}

const makeDue = (queries: Queries, { clock, dueAfter }: StepPorts, made: Made, row: Request): Promise<void> =>
  setDue(queries, clock, made.at, dueAfter(row, made));

/** All steps go through this conditional update. */
function stepRow(queries: Queries, { sharedNow }: SharedClock, step: Step): Promise<RequestRow | undefined> {
  const now = sharedNow(step.at);
  const { leaseMs } = step;
  const { lasting = [] } = step.check ?? {};
  return queries
    .updateTable('requests')
    .set(changesToRow(step.changes))
    .set({ lease_until: leaseMs === undefined ? undefined : after(now, leaseMs) })
    .set((is) => ({ state: step.to, version: is('version', '+', 1) }))
    .where('id', '=', sanitizeText(step.before.id))
    .where('state', '=', step.before.state)
    .where('version', '=', step.before.version)
    .$if(step.leaseOver === true, (update) => update.where(leaseOver(now)))
    .$if(lasting.length > 0, (update) => update.where(onlyKnown(lasting)))
    .returningAll()
    .executeTakeFirst();
}

/** Applies to a running request. A lease that ends later than possible was written before the clock was set back. */
const leaseOver = (now: RawBuilder<number>) =>
  sql<boolean>`(coalesce(lease_until, 0) <= ${now} or lease_until > ${after(now, 2 * longestLeaseMs)})`;

/** Rolls back the transaction of a step that must not be taken, because of what others did or started since. */
export class NotAdmitted extends Error {}

/**
 * Runs the check of a step. Across replicas, steps with a check take turns until their transactions end, so that each
 * step sees what earlier steps started. Call this last.
 * @throws NotAdmitted
 */
async function refuseUnlessAdmitted(
  queries: Queries,
  read: RowReader,
  { before: { id }, check }: Step,
): Promise<void> {
  if (!check || check.of.length === 0) return;
  await lockHead(queries);
  if (!check.admits(await findStarts(queries, read, check.of, id)))
    throw new NotAdmitted(`${id} may not start with what others have started`);
}

/**
 * Resolves to false if the request no longer runs under that claim, or the lease is over. Any replica may then end the
 * request.
 */
export async function moveLease(
  queries: Queries,
  id: string,
  runner: string,
  leaseMs: number,
  now: RawBuilder<number>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update requests set lease_until = ${after(now, leaseMs)}
    where id = ${sanitizeText(id)} and runner = ${runner}
      and state = 'running' and not ${leaseOver(now)}`.execute(queries);
  return numAffectedRows === 1n;
}
