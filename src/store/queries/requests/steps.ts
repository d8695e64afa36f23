import { type RawBuilder, sql } from 'kysely';

import type { After, Made } from '../../../model/after.ts';
import { concernsApprovers, openStates, type Request } from '../../../model/records/request.ts';
import type { Proposal, Proposed, Step } from '../../../model/records/requests.ts';
import { isSeveral, severalKind, targetKey } from '../../../model/rulebook/target.ts';
import { longestLeaseMs } from '../../../model/rulebook/schema.ts';
import { after, type Queries, type SharedClock } from '../../database/database.ts';
import type { RequestRow } from '../../database/schema.ts';
import { type Arm, together } from '../../database/together.ts';
import { entryArms, lockHead } from '../audit.ts';
import { dueArms, onlyKnown } from '../due.ts';
import { closeArms } from '../inbox.ts';
import { type RowReader, sanitizeText } from '../parse-row.ts';
import { endOffer } from '../made-offers.ts';
import { changesToRow, requestFromRow, requestToRow } from './request-row.ts';
import { findStarts, hasMember, newestOf } from './lists.ts';

export interface StepPorts {
  readonly clock: SharedClock;
  readonly rows: RowReader;
  readonly dueAfter: After;
}

/** Rolls back the transaction of a proposal, and names the request that blocks it. */
export class ProposalConflict extends Error {
  readonly other: Request;

  constructor(other: Request) {
    super(`request ${other.id} for ${other.targetKey} is in the way`);
    this.other = other;
  }
}

interface Inserted {
  readonly lastUnknownAt: number | null;
  readonly recentChange: string | null;
}

/** Undefined, and nothing is written, if something is in the way. */
export async function insertAlone(
  queries: Queries,
  ports: StepPorts,
  { request, press, ...proposal }: Proposal,
): Promise<Proposed | undefined> {
  const decides = insertion(queries, request, press);
  const row = await together(queries, ports.clock, decides, followUps(ports, proposal, request));
  const { lastUnknownAt = null, recentChange = null } = row ?? {};
  // Without undefined members, as in a row that is read back.
  return (
    row && {
      ...(lastUnknownAt !== null && { lastUnknownAt }),
      ...(recentChange !== null && { recentChange }),
    }
  );
}

/**
 * @param only a further condition of the step of the whole
 * @throws ProposalConflict if another request of the target is open, a request of the same press was made, or the request to supersede has
 * ended; BellhopError of the offer that had ended
 */
export async function insertProposal(
  queries: Queries,
  ports: StepPorts,
  proposal: Proposal,
  only?: RawBuilder<boolean>,
): Promise<Proposed> {
  const { turn, supersedes = turn, ends } = proposal;
  if (ends && !(await endOffer(queries, ports.clock, ends))) throw ends.otherwise();
  const superseded = supersedes && (await advanceRequest(queries, ports, supersedes, turn && only));
  if (turn && !superseded) throw new ProposalConflict(turn.before);
  const inserted = await insertRequest(queries, ports, proposal);
  if (supersedes && !superseded) throw new ProposalConflict(supersedes.before);
  return { superseded, ...inserted };
}

/** The unique indexes decide. If the blocking request ends before it is read here, the insert is repeated. */
async function insertRequest(queries: Queries, ports: StepPorts, proposal: Proposal): Promise<Proposed> {
  const { request, press } = proposal;
  for (let tries = 0; tries < 3; tries += 1) {
    const inserted = await insertAlone(queries, ports, proposal);
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

function insertion(queries: Queries, request: Request, press: Proposal['press']) {
  const row = setColumns({
    ...requestToRow(request),
    press: press?.key,
    last_unknown_at: request.lastUnknownAt ?? unknownBefore(queries, request),
    recent_change: request.recentChange ?? recentOrAround(queries, request),
  });
  return sql<Inserted>`insert into requests (${sql.join(row.map(([column]) => column))})
  values (${sql.join(row.map(([, value]) => value))})
  on conflict do nothing returning last_unknown_at as "lastUnknownAt", recent_change as "recentChange"`;
}

const setColumns = (row: object) =>
  Object.entries(row).flatMap(([column, value]: [string, unknown]) =>
    value === undefined ? [] : [[sql.ref(column), value] as const],
  );

/** For each outcome, this many of the target's newest attempts are searched for the last one of this operation. */
const maxAttempts = 5;

/** When the last attempt started, if its outcome is unknown. */
const unknownBefore = (queries: Queries, { operation, target }: Request) =>
  newestOf(queries, { targetKey: targetKey(target), limit: maxAttempts }, ['succeeded', 'failed', 'unknown'])
    .clearSelect()
    .select(sql<number>`case when state = 'unknown' then coalesce(started_at, created_at) end`.as('at'))
    .where('operation', '=', sanitizeText(operation))
    .limit(1);

/** In milliseconds. A change that ended this long before a proposal is recent. */
const recentMs = 10 * 60_000;

/** The running whole that includes the target, or else the target's last change. */
const recentOrAround = (queries: Queries, request: Request) =>
  isSeveral(request.target) || request.partOf !== undefined
    ? recentBefore(queries, request)
    : sql<string>`coalesce(${wholeAround(queries, request)}, ${recentBefore(queries, request)})`;

/** By name. The target's key is compared when the card is shown. */
const wholeAround = (queries: Queries, { target }: Request) =>
  queries
    .selectFrom('requests')
    .select('id')
    .where('state', '=', 'running')
    .where(hasMember('target', 'kind', severalKind))
    .where(hasMember('target', 'name', target.name))
    .orderBy('created_at', 'desc')
    .limit(1);

/**
 * The last change of the target if it is recent. The requester's own change counts only if others have to approve, or if the approval is
 * skipped: it may be that of the request that the requester gave up.
 */
const recentBefore = (queries: Queries, request: Request) => {
  const { target, requester, createdAt } = request;
  return newestOf(queries, { targetKey: targetKey(target), limit: 1 }, ['succeeded'])
    .clearSelect()
    .select('id')
    .where('ended_at', '>=', createdAt - recentMs)
    .$if(!concernsApprovers(request), (changes) =>
      changes.where((is) =>
        is.or([
          is('requester_team', '<>', sanitizeText(requester.team)),
          is('requester_user', '<>', sanitizeText(requester.user)),
        ]),
      ),
    );
};

/** Frees a press whose request ran nothing, or ended long enough ago. Resolves to whether it was freed. */
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

/** Waits for the row's lock. Changes nothing. */
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
 * Takes a step, with its entries and the work that it makes due. Resolves to the row after it, or to undefined, with nothing written, if
 * another step was faster.
 * @param only a further condition
 * @throws NotAdmitted if the step's check does not admit it
 */
export async function advanceRequest(
  queries: Queries,
  ports: StepPorts,
  step: Step,
  only?: RawBuilder<boolean>,
): Promise<Request | undefined> {
  // First, because the main step may take over the key of the replaced request.
  if (step.replaces && !(await advanceRequest(queries, ports, step.replaces))) return undefined;
  const row = await together(
    queries,
    ports.clock,
    conditionalUpdate(ports.clock, step, only),
    followUps(ports, step, rowAfter(step)),
  );
  if (!row && step.replaces) throw new NotAdmitted(`${step.before.id} has changed, so it replaces nothing`);
  if (!row) return undefined;
  const stepped = requestFromRow(row);
  await refuseUnlessAdmitted(queries, ports.rows, step);
  return stepped;
}

const followUps = (
  { clock, dueAfter }: StepPorts,
  made: Made & Pick<Step, 'audit' | 'closes'>,
  row: Request,
): readonly Arm[] => [
  ...dueArms(clock, made.at, dueAfter(row, made)),
  ...entryArms(clock, made.audit),
  ...(made.closes ? closeArms([made.closes]) : []),
];

/** Decides the work that the step makes due. The card, lease and review may be newer in the store. */
function rowAfter({ before, changes, to }: Step): Request {
  const changed = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return { ...before, ...changed, state: to, version: before.version + 1 };
}

/** All steps go through this conditional update. */
function conditionalUpdate(
  { sharedNow }: SharedClock,
  { before, to, changes, leaseMs, leaseOver, at, check }: Step,
  only: RawBuilder<boolean> | undefined,
): RawBuilder<RequestRow> {
  const now = sharedNow(at);
  const set = setColumns({
    ...changesToRow(changes),
    lease_until: leaseMs === undefined ? undefined : after(now, leaseMs),
    state: to,
  });
  const conditions = [
    sql`id = ${sanitizeText(before.id)} and state = ${before.state} and version = ${before.version}`,
    ...(leaseOver === true ? [isLeaseOver(now)] : []),
    ...(check?.lasting?.length ? [onlyKnown(check.lasting)] : []),
    ...(only ? [only] : []),
  ];
  return sql`update requests set ${sql.join(set.map(([column, value]) => sql`${column} = ${value}`))}, version = version + 1
  where ${sql.join(
    conditions,
    sql`
    and `,
  )} returning *`;
}

/** A lease that ends later than possible was written before the clock was set back. */
const isLeaseOver = (now: RawBuilder<number>) =>
  sql<boolean>`(coalesce(lease_until, 0) <= ${now} or lease_until > ${after(now, 2 * longestLeaseMs)})`;

/** Rolls back the transaction of a step that must not be taken, because of what others did or started since. */
export class NotAdmitted extends Error {}

/**
 * Across replicas, steps with a check take turns until their transactions end, so that each sees what earlier ones started. Call this last.
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

/** False if the request no longer runs under that claim, or the lease is over. Any replica may then end it. */
export async function moveLease(
  queries: Queries,
  id: string,
  runner: string,
  leaseMs: number,
  now: RawBuilder<number>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`update requests set lease_until = ${after(now, leaseMs)}
    where id = ${sanitizeText(id)} and runner = ${runner}
      and state = 'running' and not ${isLeaseOver(now)}`.execute(queries);
  return numAffectedRows === 1n;
}
