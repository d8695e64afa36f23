import type { AuditDraft } from '../../model/records/audit.ts';
import type { Rules, RunnerContext } from '../../model/ports.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Step } from '../../model/records/requests.ts';
import {
  type Request,
  type RequestChanges,
  type State,
  type StateWord,
  mayFollow,
  stateWord,
} from '../../model/records/request.ts';
import type { RequestOutcome } from '../../model/records/outcome.ts';
import type { Operation, Period, RunContext } from '../../model/operation.ts';
import type { Entry } from '../../model/registry.ts';
import { isOffered } from '../../model/rulebook/rulebook.ts';
import { reachOf } from '../../policy/reach.ts';
import { type AuditContext, tryRecord } from '../../audit/entries.ts';
import { type Caller, samePerson } from '../../model/values/actor.ts';
import type { TextPart } from '../../text/parts.ts';

const endsUnsent: ReadonlySet<State> = new Set<State>(['cancelled', 'expired', 'refused']);

/** From the state that the caller saw. Throws for a transition that does not exist, which would be a bug. */
export function stepFrom(
  context: Pick<RunnerContext, 'clock' | 'startedAt'>,
  seen: Request,
  to: State,
  changes: RequestChanges,
  audit: readonly AuditDraft[],
): Step {
  if (!mayFollow(seen, to)) throw new RangeError(`${seen.id}: ${to} cannot follow ${seen.state}`);
  const unwitnessed = endsUnsent.has(to) && seen.createdAt < context.startedAt;
  const outcome = unwitnessed ? { ...changes.outcome, unwitnessed } : changes.outcome;
  return { before: seen, to, at: context.clock.now(), changes: { ...changes, outcome }, audit };
}

/** Has the current row. */
export class LostRaceError extends BellhopError {
  override readonly name = 'LostRaceError';
  readonly current: Request;

  constructor(current: Request) {
    super('busy', 'Someone else changed this request first.');
    this.current = current;
  }
}

/** Also shows the card. Resolves to undefined if another step was faster. */
export async function tryStep({ store, messages }: RunnerContext, step: Step): Promise<Request | undefined> {
  const after = await store.advance(step);
  if (!after) return undefined;
  messages.changed(after);
  // The other card is also due, so a failure only delays it.
  const replaced = step.replaces && (await store.find(step.replaces.before.id).catch(() => undefined));
  if (replaced) messages.changed(replaced);
  return after;
}

/** @throws LostRaceError if the request has changed since the caller read it */
export async function takeStep(context: RunnerContext, seen: Request, step: Step): Promise<Request> {
  const after = await tryStep(context, step);
  if (!after) throw new LostRaceError((await context.store.find(seen.id)) ?? seen);
  return after;
}

/** Sightings may be stored at the same time, and each makes an update fail. */
export const maxTries = 10;

/** Takes the next step of the newest row. Resolves to undefined if there is none, or after too many attempts. */
export async function stepOnNewest(
  context: RunnerContext,
  next: () => Promise<Step | undefined>,
): Promise<Request | undefined> {
  for (let tries = 0; tries < maxTries; tries += 1) {
    const step = await next();
    const after = step && (await tryStep(context, step));
    if (!step || after) return after;
  }
  return undefined;
}

/** Contains the target and the facts that were confirmed, not the current ones. */
export const contextOf = (
  context: RunnerContext,
  entry: Entry,
  { id, requester, target, preview, correlationId, input: values }: Request,
  signal: AbortSignal,
  maySend: () => boolean = () => true,
): RunContext => ({
  ...reachOf(context, entry, { correlationId, values, target, signal, maySend }),
  maySend,
  target,
  request: { id, requester: requester.user },
  now: context.clock.now(),
  confirmed: preview.filter(({ isEffect }) => isEffect !== true),
});

export const canObserve = (context: Pick<Rules, 'rulebook'>, { operation }: Entry): boolean =>
  operation.observe !== undefined && isOffered(context.rulebook(), operation.looksWith);

/** Undefined if the service has no tasks. */
export const changeTasks = (
  context: Pick<Rules, 'rulebook'>,
  { operation: { tasks } }: Entry,
): Operation['tasks'] => (tasks && isOffered(context.rulebook(), tasks.extension) ? tasks : undefined);

/** Undefined if there is nothing to search. */
export const searchFor = (
  context: Pick<Rules, 'rulebook'>,
  entry: Entry,
  sent: Period,
): RequestOutcome['search'] => (canLook(context, entry) ? { sent } : undefined);

/** By the change's target or its task. */
export const canLook = (context: Pick<Rules, 'rulebook'>, entry: Entry): boolean =>
  canObserve(context, entry) || changeTasks(context, entry)?.search !== undefined;

interface IgnoredClick extends Caller {
  readonly requestId: string;
  readonly action: string;
}

/** `request` is the current row, if it exists. */
export class IgnoredClickError extends BellhopError {
  override readonly name = 'IgnoredClickError';
  readonly request: Request | undefined;

  constructor(message: string | readonly TextPart[], request: Request | undefined, until?: number) {
    super('denied', message, { until });
    this.request = request;
  }
}

/** Denied by the rules at the click. */
export class RefusedClickError extends IgnoredClickError {}

/** In milliseconds, between two clicks of one person on one button. */
const doubleClickMs = 2_000;

/** A double click gets no answer. */
export function isDoubleClick(
  request: Request,
  { actor, action }: Pick<IgnoredClick, 'actor' | 'action'>,
  now: number,
): boolean {
  const { requester, decidedBy, decidedAt, startedAt, state } = request;
  const begun = startedAt !== undefined || stateWord(request) === 'running';
  const done =
    action === 'confirm' || action === 'continue'
      ? begun
      : (action === 'cancel' || action === 'stop') && state === 'cancelled';
  if (!done || !decidedBy || decidedAt === undefined) return false;
  return samePerson(actor, requester) && samePerson(decidedBy, requester) && now - decidedAt < doubleClickMs;
}

const standings: Readonly<Record<StateWord, string>> = {
  proposed: 'is proposed, not confirmed yet',
  'awaiting approval': 'is waiting for approval',
  running: 'is already running',
  paused: 'is paused',
  succeeded: 'has already succeeded',
  failed: 'has already failed',
  unknown: 'has already been sent, and its outcome is unknown',
  done: 'is already done',
  stopped: 'has already been stopped',
  cancelled: 'has already been cancelled',
  expired: 'has expired',
  refused: 'has already been refused',
};

/** For example `The request for web-1 has expired`. */
export const standing = (request: Request): string =>
  `The request for ${request.target.name} ${standings[stateWord(request)]}`;

/** The surface adds who acted and when. */
export class LateClickError extends IgnoredClickError {
  constructor(request: Request) {
    super(`${standing(request)}. This click did nothing.`, request);
  }
}

/** Never rejects. */
export async function auditIgnoredClick(
  context: AuditContext,
  { actor, place, correlationId, requestId, action }: IgnoredClick,
  request: Request | undefined,
  reason: unknown,
): Promise<void> {
  const note = reason instanceof BellhopError ? reason.message : 'unexpected';
  await tryRecord(context, 'ignored click', {
    actor,
    place,
    requestId: requestId.slice(0, 64),
    correlationId,
    note: `${action}: ${note}`,
    operation: request?.operation,
    target: request?.target,
    outcome: request?.state,
  });
}
