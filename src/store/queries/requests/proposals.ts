import { sql } from 'kysely';

import type { Proposal, Proposed, Step } from '../../../model/records/requests.ts';
import { openStates, type Request } from '../../../model/records/request.ts';
import type { Database, Queries } from '../../database/database.ts';
import { SuggestionEndedError } from '../../../model/records/suggestion.ts';
import { stageEntries } from '../audit.ts';
import { endSuggestion } from '../suggestions.ts';
import { sanitizeText } from '../parse-row.ts';
import { newestOf } from './lists.ts';
import { requestFromRow, requestToRow } from './request-row.ts';
import { makeDue, stepRow } from './steps.ts';

/** Rolls back the transaction of a proposal; names the request that blocks it. */
export class ProposalConflict extends Error {
  readonly other: Request;

  constructor(other: Request) {
    super(`request ${other.id} for ${other.targetKey} is in the way`);
    this.other = other;
  }
}

/** @throws ProposalConflict if another request of the target is open, or one of the same press was made; SuggestionEndedError */
export async function insertProposal(
  queries: Queries,
  clock: Pick<Database, 'sharedNow'>,
  proposal: Proposal,
): Promise<Proposed> {
  const { request, turn, supersedes = turn, ends } = proposal;
  if (ends && !(await endSuggestion(queries, clock, ends))) throw new SuggestionEndedError();
  const row = supersedes && (await stepRow(queries, clock, supersedes));
  if (turn && !row) throw new ProposalConflict(await rolloutOf(queries, turn));
  const { lastUnknownAt } = await insertRequest(queries, proposal);
  const superseded = row && requestFromRow(row);
  if (superseded) await makeDue(queries, clock, supersedes, superseded);
  await makeDue(queries, clock, proposal, request);
  await stageEntries(queries, [...(superseded ? supersedes.audit : []), ...proposal.audit]);
  return { superseded, lastUnknownAt: lastUnknownAt ?? undefined };
}

const rolloutOf = async (queries: Queries, { id }: Step) =>
  requestFromRow(
    await queries
      .selectFrom('requests')
      .selectAll()
      .where('id', '=', sanitizeText(id))
      .executeTakeFirstOrThrow(),
  );

/** The unique indexes decide. If the blocking request ends before it is read, the insert is repeated. */
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

/** How many attempts at the target, per outcome, are searched for the last one of this operation. */
const mostAttempts = 5;

/** When the last attempt with an unknown outcome started. */
const unknownBefore = (queries: Queries, { operation, targetKey }: Request) =>
  newestOf(queries, { targetKey, limit: mostAttempts }, ['succeeded', 'failed', 'unknown'])
    .clearSelect()
    .select(sql<number>`case when state = 'unknown' then coalesce(started_at, created_at) end`.as('at'))
    .where('operation', '=', sanitizeText(operation))
    .limit(1);

/** Whether its request no longer blocks another press: it ran nothing, or ended long enough ago. */
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
