import { type RawBuilder, sql } from 'kysely';

import { dueAfter } from '../../../model/due.ts';
import type { Proposal, Proposed, RequestFilter, Requests, Step } from '../../../model/requests.ts';
import { longestLeaseMs } from '../../../model/rulebook.ts';
import { openStates, type Request, type State, states } from '../../../model/request.ts';
import { stageEntries } from '../audit.ts';
import type { Database, Queries } from '../../database/database.ts';
import { dropDue, setDue } from '../due.ts';
import { changesToRow, requestFromRow, requestToRow } from './request-row.ts';
import { insertReview } from './reviews.ts';
import type { RequestRow } from '../../database/schema.ts';
import { NotAdmitted, refuseUnlessAdmitted, startedSince } from './starts.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import type { History } from './history.ts';

export const requestsOn = (database: Database, rows: RowReader, history: History): Requests => ({
  soleProcess: database.locked,
  async propose(proposal) {
    try {
      const proposed = await database.write((queries) => insertProposal(queries, database, proposal));
      history.stepped(proposal.request, proposal.at);
      return proposed;
    } catch (error) {
      if (error instanceof ProposalConflict) return { conflict: error.other };
      throw error;
    }
  },
  async advance(step) {
    const starts = step.to === 'running' && step.from !== 'running';
    try {
      const row = await database.write(async (queries) => {
        const after = await advanceRequest(queries, database, rows, step);
        if (after && starts) await history.refuseSetBack(queries, step.at);
        return after;
      });
      if (row) history.stepped(row, step.at);
      return row;
    } catch (error) {
      if (error instanceof NotAdmitted) return undefined;
      throw error;
    }
  },
  endIfSetBack: history.endIfSetBack,
  renewLease: (id, runner, leaseMs, now) =>
    database.note((queries) => moveLease(queries, id, runner, leaseMs, database.sharedNow(now))),
  find: (id) =>
    database.read(async (queries) => {
      const query = queries.selectFrom('requests').selectAll().where('id', '=', sanitizeText(id));
      const row = await query.executeTakeFirst();
      return row && requestFromRow(row);
    }),
  findCommitted: (id) => database.note((queries) => lockRequest(queries, id)),
  list: (filter) => database.read((queries) => listRequests(queries, rows, filter)),
  startedSince: (since) => database.read((queries) => startedSince(queries, rows, since)),
});

/** Rolls the transaction of a proposal back; carries the request that stands in its way. */
class ProposalConflict extends Error {
  readonly other: Request;

  constructor(other: Request) {
    super(`request ${other.id} for ${other.targetKey} is in the way`);
    this.other = other;
  }
}

type Clock = Pick<Database, 'sharedNow'>;

/** @throws ProposalConflict where another request of the target is open, or one of the same press was made */
async function insertProposal(queries: Queries, clock: Clock, proposal: Proposal): Promise<Proposed> {
  const { request, supersedes } = proposal;
  const row = supersedes && (await stepRow(queries, clock, supersedes));
  const { lastUnknownAt } = await insertRequest(queries, proposal);
  const superseded = row && requestFromRow(row);
  if (superseded) await makeDue(queries, clock, supersedes, superseded);
  await makeDue(queries, clock, proposal, request);
  await stageEntries(queries, [...(superseded ? supersedes.audit : []), ...proposal.audit]);
  return { superseded, lastUnknownAt: lastUnknownAt ?? undefined };
}

/** The unique indexes decide. The one that is in the way may end before it is looked at: then it is tried again. */
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

/** Attempts at the same target, of each outcome, that are looked through for the last of this operation. */
const mostAttempts = 5;

/** When the last attempt began, where nobody knows what came of it. */
const unknownBefore = (queries: Queries, { operation, targetKey }: Request) =>
  newestOf(queries, { targetKey, limit: mostAttempts }, ['succeeded', 'failed', 'unknown'])
    .clearSelect()
    .select(sql<number>`case when state = 'unknown' then coalesce(started_at, created_at) end`.as('at'))
    .where('operation', '=', sanitizeText(operation))
    .limit(1);

/** Whether its request no longer keeps a press from running a change: it came to nothing, or is over for long enough. */
async function freePress(
  queries: Queries,
  { key, freeBefore }: NonNullable<Proposal['press']>,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('requests')
    .set({ press: null })
    .where('press', '=', key)
    .where((is) =>
      is.or([
        is('state', 'in', ['cancelled', 'expired', 'refused', 'failed']),
        is('ended_at', '<=', freeBefore),
      ]),
    )
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** The row after whatever step holds its lock: it waits for that, and changes nothing. */
async function lockRequest(queries: Queries, id: string): Promise<Request | undefined> {
  const row = await queries
    .updateTable('requests')
    .set((is) => ({ version: is.ref('version') }))
    .where('id', '=', sanitizeText(id))
    .returningAll()
    .executeTakeFirst();
  return row && requestFromRow(row);
}

/**
 * The row after the step; undefined, and nothing written, where somebody else's step came first.
 * @throws NotAdmitted where its check does not admit it
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
  if (step.review) await insertReview(queries, step.review);
  await makeDue(queries, clock, step, after);
  await stageEntries(queries, step.audit);
  await refuseUnlessAdmitted(queries, read, step);
  return after;
}

async function makeDue(
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
function stepRow(queries: Queries, { sharedNow }: Clock, step: Step): Promise<RequestRow | undefined> {
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

/** Of a running request. A lease that ends later than any can was written before the clock was set back. */
const leaseOver = (now: RawBuilder<number>) =>
  sql<boolean>`(coalesce(lease_until, 0) <= ${now} or lease_until > ${after(now, 2 * longestLeaseMs)})`;

/** False where the request no longer runs by that claim, or its lease is over: then any replica may end it. */
async function moveLease(
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

/** Newest first. */
async function listRequests(
  queries: Queries,
  read: RowReader,
  filter: RequestFilter,
): Promise<readonly Request[]> {
  const [first, ...others] = new Set(filter.states ?? states);
  if (!first) return [];
  const rows = await newestOf(queries, filter, [first, ...others]).execute();
  return read(rows, requestFromRow);
}

/**
 * Newest first. Each state is looked up by itself in an index that is ordered by time, so that a few open
 * requests are found as fast among many ended ones.
 */
function newestOf(
  queries: Queries,
  filter: Omit<RequestFilter, 'states'>,
  [first, ...others]: readonly [State, ...State[]],
) {
  const pageOf = (state: State) =>
    queries.selectFrom(newest(queries, filter).where('state', '=', state).as('page')).selectAll();
  const pages = others.reduce((union, state) => union.unionAll(pageOf(state)), pageOf(first));
  return queries
    .selectFrom(pages.as('pages'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit);
}

function newest(queries: Queries, { targetKey, requester, limit }: RequestFilter) {
  let page = queries
    .selectFrom('requests')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (targetKey !== undefined) page = page.where('target_key', '=', sanitizeText(targetKey));
  if (requester !== undefined) {
    page = page
      .where('requester_team', '=', sanitizeText(requester.team))
      .where('requester_user', '=', sanitizeText(requester.user));
  }
  return page;
}
