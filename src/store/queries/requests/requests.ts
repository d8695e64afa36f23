import { type RawBuilder, sql } from 'kysely';

import type { Proposal, RequestFilter, Step } from '../../../model/requests.ts';
import { longestLeaseMs } from '../../../model/rulebook.ts';
import { openStates, type Request, states } from '../../../model/request.ts';
import { stageEntries } from '../audit.ts';
import type { Database, Queries } from '../../database/database.ts';
import { cardOwnerMs } from './outbox.ts';
import { changesToRow, requestFromRow, requestToRow } from './request-row.ts';
import { insertNotices } from './notices.ts';
import { insertReview } from './reviews.ts';
import { insertWatch } from './watches.ts';
import type { RequestRow } from '../../database/schema.ts';
import { refuseUnlessAdmitted } from './starts.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';

/** Rolls the transaction of a proposal back; carries the request that stands in its way. */
export class ProposalConflict extends Error {
  readonly other: Request;

  constructor(other: Request) {
    super(`request ${other.id} for ${other.targetKey} is in the way`);
    this.other = other;
  }
}

type Clock = Pick<Database, 'sharedNow'>;

/** @throws ProposalConflict where another request of the target is open, or one of the same press was made */
export async function insertProposal(queries: Queries, clock: Clock, proposal: Proposal): Promise<void> {
  const { request, supersedes } = proposal;
  const superseded = supersedes && (await stepRow(queries, clock, supersedes));
  if (proposal.press) await freePress(queries, proposal.press);
  if (!(await insertRequest(queries, proposal))) {
    throw new Error(`The request ${request.id} cannot be inserted: its id is taken.`);
  }
  await insertNotices(queries, [
    ...(superseded ? (supersedes.notices ?? []) : []),
    ...(proposal.notices ?? []),
  ]);
  await stageEntries(queries, [...(superseded ? supersedes.audit : []), ...proposal.audit]);
}

/** Its request no longer keeps a press from running a change: it came to nothing, or is over for long enough. */
const freePress = (queries: Queries, { key, freeBefore }: NonNullable<Proposal['press']>): Promise<unknown> =>
  queries
    .updateTable('requests')
    .set({ press: null })
    .where('press', '=', key)
    .where((is) =>
      is.or([
        is('state', 'in', ['cancelled', 'expired', 'refused', 'failed']),
        is('ended_at', '<=', freeBefore),
      ]),
    )
    .execute();

/** Another's request may end between our insert and our look at it; then the insert is tried again. */
async function insertRequest(queries: Queries, { request, press, at }: Proposal): Promise<boolean> {
  for (let tries = 0; tries < 3; tries += 1) {
    const { numInsertedOrUpdatedRows } = await queries
      .insertInto('requests')
      .values({ ...requestToRow(request, at + cardOwnerMs), press: press?.key })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 1n) return true;
    const inTheWay = queries.selectFrom('requests').selectAll();
    const other =
      (await inTheWay
        .where('target_key', '=', sanitizeText(request.targetKey))
        .where('state', 'in', openStates)
        .executeTakeFirst()) ??
      (press && (await inTheWay.where('press', '=', press.key).executeTakeFirst()));
    if (other) throw new ProposalConflict(requestFromRow(other));
  }
  return false;
}

export async function findRequest(queries: Queries, id: string): Promise<Request | undefined> {
  const row = await queries
    .selectFrom('requests')
    .selectAll()
    .where('id', '=', sanitizeText(id))
    .executeTakeFirst();
  return row && requestFromRow(row);
}

/** The row after whatever step holds its lock: it waits for that, and changes nothing. */
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
  if (step.review) await insertReview(queries, step.review);
  await insertNotices(queries, step.notices);
  if (step.watch) await insertWatch(queries, step.watch);
  await stageEntries(queries, step.audit);
  await refuseUnlessAdmitted(queries, read, step);
  return requestFromRow(row);
}

/** The one conditional update. Its process shows the card first, also one that was given up. */
function stepRow(queries: Queries, { sharedNow }: Clock, step: Step): Promise<RequestRow | undefined> {
  const now = sharedNow(step.at);
  const { leaseMs } = step;
  return queries
    .updateTable('requests')
    .set(changesToRow(step.changes))
    .set({ lease_until: leaseMs === undefined ? undefined : after(now, leaseMs) })
    .set((is) => ({ state: step.to, version: is('version', '+', 1) }))
    .set({ card_try_at: step.at + cardOwnerMs })
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
  sql<boolean>`(due_at <= ${now} or due_at > ${after(now, 2 * longestLeaseMs)})`;

/** False where the request no longer runs by that claim, or its lease is over: then any replica may end it. */
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

/**
 * Newest first. Each state is looked up by itself in an index that is ordered by time, so that a few open
 * requests are found as fast among many ended ones.
 */
export async function listRequests(
  queries: Queries,
  read: RowReader,
  filter: RequestFilter,
): Promise<readonly Request[]> {
  const [first, ...others] = [...new Set(filter.states ?? states)].map((state) =>
    queries.selectFrom(newest(queries, filter).where('state', '=', state).as('page')).selectAll(),
  );
  if (!first) return [];
  const pages = others.reduce((union, page) => union.unionAll(page), first);
  const rows = await queries
    .selectFrom(pages.as('pages'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit)
    .execute();
  return read(rows, requestFromRow);
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

/**
 * Open requests whose expiry, or whose lease while they run, has come; oldest first. A lease that ends
 * later than any can was written before the clock was set back: its request would seem to run for as long. Each kind is
 * looked up in an index of its own, so that a few are found as fast among many. Where some of a page cannot be read,
 * those behind them are looked up too: nobody ends the unreadable ones here, so they would keep the others for ever.
 */
export async function dueRequests(
  queries: Queries,
  read: RowReader,
  now: RawBuilder<number>,
  limit: number,
): Promise<readonly Request[]> {
  const leftOut = new Set<string>();
  for (let page = 1; ; page += 1) {
    const rows = await dueRows(queries, now, limit, [...leftOut]);
    const found = read(rows, requestFromRow);
    if (found.length === rows.length || rows.length < limit || page >= mostDuePages) return found;
    const readable = new Set(found.map(({ id }) => id));
    for (const { id } of rows) if (!readable.has(id)) leftOut.add(id);
  }
}

const mostDuePages = 10;

function dueRows(
  queries: Queries,
  now: RawBuilder<number>,
  limit: number,
  leftOut: readonly string[],
): Promise<readonly RequestRow[]> {
  const candidates =
    leftOut.length === 0
      ? queries.selectFrom('requests').selectAll()
      : queries.selectFrom('requests').selectAll().where('id', 'not in', leftOut);
  const due = candidates.where('due_at', '<=', now).orderBy('due_at').orderBy('id').limit(limit);
  const overlong = candidates
    .where('state', '=', sql.lit('running'))
    .where('lease_until', '>', after(now, 2 * longestLeaseMs))
    .orderBy('lease_until')
    .orderBy('id')
    .limit(limit);
  const both = queries
    .selectFrom(due.as('due'))
    .selectAll()
    .unionAll(queries.selectFrom(overlong.as('overlong')).selectAll());
  return queries
    .selectFrom(both.as('both'))
    .selectAll()
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute();
}
