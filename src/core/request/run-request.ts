import type { Caller } from '../model/actor.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { stepEntry } from '../audit/entries.ts';
import type { Entry } from '../registry.ts';
import { endRequest } from './end-request.ts';
import type { Context } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { introspect } from '../introspection/introspect.ts';
import { holdLease } from './lease.ts';
import type { RunContext } from '../model/operation.ts';
import type { Step } from '../model/ports.ts';
import type { Request, RequestChanges } from './request.ts';
import type { Review } from '../review/review.ts';
import { notSent, send } from './send-request.ts';
import { keepSighting, observe } from './sighting.ts';
import { stepFrom } from './step.ts';

/** A step that somebody else's step came before. Carries the row as it is now. */
export class LostRaceError extends BellhopError {
  override readonly name = 'LostRaceError';
  readonly current: Request;

  constructor(current: Request) {
    super('busy', 'Somebody else was first.');
    this.current = current;
  }
}

/** Who let a request run, and where they pressed the button. */
interface Decided extends Pick<Caller, 'actor' | 'place'> {
  readonly event: Extract<AuditEvent, 'confirmed' | 'approved'>;
}

/**
 * Claims the request and runs it in the background: whoever wins the step to `running` sends, once. Returns as soon
 * as `running` is durable.
 * @param decided undefined where a rule lets it run without being confirmed
 * @throws LostRaceError where it was no longer as the caller saw it
 */
export async function startRequest(
  context: Context,
  request: Request,
  decided: Decided | undefined,
  changes: RequestChanges = {},
  also: Pick<Step, 'review' | 'check'> = {},
): Promise<Request> {
  const now = context.clock.now();
  const leaseUntil = now + context.rulebook().leaseMs;
  const by = decided && { decidedBy: decided.actor, decidedAt: now };
  const started = { ...by, ...changes, startedAt: now, leaseUntil };
  const audit = [
    ...(decided ? [stepEntry(context, decided.event, request, 'running', decided)] : []),
    ...(also.review ? [stepEntry(context, 'break-glass', request, 'running', aboutReview(also.review))] : []),
    stepEntry(context, 'started', request, 'running'),
  ];
  const running = await context.store.advance({
    ...stepFrom(context, request, 'running', started, audit),
    ...also,
  });
  if (!running) throw await lostRace(context, request);
  context.messages.changed(running);
  context.log.info({ requestId: running.id, runsAs: running.correlationId }, 'a request runs');
  const run = context.correlated(running.correlationId, () => runClaimed(context, running));
  context.backgroundTasks.add(run, running.id);
  return running;
}

const aboutReview = ({ openedBy, reason }: Review) => ({ actor: openedBy, note: reason });

export async function lostRace(context: Context, request: Request): Promise<LostRaceError> {
  return new LostRaceError((await context.store.find(request.id)) ?? request);
}

/** Sends the change and writes down what came of it. The lease is renewed as long as this process lives. */
async function runClaimed(context: Context, claimed: Request): Promise<void> {
  const entry = context.registry.find(claimed.operation);
  if (!entry)
    throw new BellhopError('unknown-command', `${claimed.operation} is no operation of this version`);
  const runContext = contextOf(context, claimed);
  const ended = await runHeld(context, entry, claimed, runContext);
  if (ended?.state === 'unknown') await keepSighting(context, entry, ended, runContext);
}

async function runHeld(
  context: Context,
  entry: Entry,
  claimed: Request,
  runContext: RunContext,
): Promise<Request | undefined> {
  const lease = holdLease(context, claimed);
  try {
    const request = await look(context, entry, claimed, runContext);
    if (request && request !== claimed) lease.follow(request);
    const sending = { ...runContext, maySend: () => lease.holds() };
    const end = request ? await send(context, entry, request, sending) : notSent;
    return await endRequest(context, request ?? claimed, end.state, end.outcome);
  } finally {
    lease.release();
  }
}

/**
 * Keeps what the target looks like now, so that what is seen after an unknown outcome can be told from it. Resolves to
 * undefined where the request was lost on the way: then nothing may be sent.
 */
async function look(
  context: Context,
  entry: Entry,
  claimed: Request,
  runContext: RunContext,
): Promise<Request | undefined> {
  try {
    const before = await observe(context, entry, runContext);
    if (before === undefined) return claimed;
    const changes = { before, leaseUntil: context.clock.now() + context.rulebook().leaseMs };
    return await context.store.advance(stepFrom(context, claimed, 'running', changes, []));
  } catch (error) {
    context.log.error({ err: error, requestId: claimed.id }, 'broke off before anything was sent');
    return undefined;
  }
}

/** What an operation is given when it runs for a request: the facts that were confirmed, not those of now. */
export function contextOf(context: Context, request: Request): RunContext {
  return {
    target: request.target,
    service: context.service,
    actor: request.requester,
    person: { ...request.requester, fullMember: true, guest: false, timeZone: 'UTC' },
    place: request.place,
    inventory: context.rulebook().inventory,
    bellhop: introspect(context),
    resolveSecret: context.resolveSecret,
    now: context.clock.now(),
    correlationId: request.correlationId,
  };
}
