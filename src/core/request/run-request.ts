import type { Asker } from '../model/actor.ts';
import type { AuditEvent } from '../audit/audit.ts';
import { stepEntry } from '../audit/entries.ts';
import type { Entry } from '../registry.ts';
import { endRequest } from './end-request.ts';
import type { Environment } from '../context.ts';
import { BellhopError } from '../model/errors.ts';
import { lookInside } from '../introspection/introspect.ts';
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
interface Decided extends Pick<Asker, 'actor' | 'place'> {
  readonly event: Extract<AuditEvent, 'confirmed' | 'approved'>;
}

/**
 * Claims the request and runs it in the background: whoever wins the step to `running` sends, once. Returns as soon
 * as `running` is durable.
 * @param decided undefined where a rule lets it run without being confirmed
 * @throws LostRaceError where it was no longer as the caller saw it
 */
export async function startRequest(
  environment: Environment,
  request: Request,
  decided: Decided | undefined,
  changes: RequestChanges = {},
  also: Pick<Step, 'review' | 'check'> = {},
): Promise<Request> {
  const now = environment.clock.now();
  const leaseUntil = now + environment.rulebook().leaseMs;
  const by = decided && { decidedBy: decided.actor, decidedAt: now };
  const started = { ...by, ...changes, startedAt: now, leaseUntil };
  const audit = [
    ...(decided ? [stepEntry(environment, decided.event, request, 'running', decided)] : []),
    ...(also.review
      ? [stepEntry(environment, 'break-glass', request, 'running', aboutReview(also.review))]
      : []),
    stepEntry(environment, 'started', request, 'running'),
  ];
  const running = await environment.store.advance({
    ...stepFrom(environment, request, 'running', started, audit),
    ...also,
  });
  if (!running) throw await lostRace(environment, request);
  environment.messages.changed(running);
  environment.log.info({ requestId: running.id, runsAs: running.correlationId }, 'a request runs');
  const run = environment.correlated(running.correlationId, () => runClaimed(environment, running));
  environment.inFlight.add(run, running.id);
  return running;
}

const aboutReview = ({ openedBy, reason }: Review) => ({ actor: openedBy, note: reason });

export async function lostRace(environment: Environment, request: Request): Promise<LostRaceError> {
  return new LostRaceError((await environment.store.find(request.id)) ?? request);
}

/** Sends the change and writes down what came of it. The lease is renewed as long as this process lives. */
async function runClaimed(environment: Environment, claimed: Request): Promise<void> {
  const entry = environment.catalogue.find(claimed.operation);
  if (!entry)
    throw new BellhopError('unknown-command', `${claimed.operation} is no operation of this version`);
  const context = contextOf(environment, claimed);
  const ended = await runHeld(environment, entry, claimed, context);
  if (ended?.state === 'unknown') await keepSighting(environment, entry, ended, context);
}

async function runHeld(
  environment: Environment,
  entry: Entry,
  claimed: Request,
  context: RunContext,
): Promise<Request | undefined> {
  const lease = holdLease(environment, claimed);
  try {
    const request = await look(environment, entry, claimed, context);
    if (request && request !== claimed) lease.follow(request);
    const sending = { ...context, maySend: () => lease.holds() };
    const end = request ? await send(environment, entry, request, sending) : notSent;
    return await endRequest(environment, request ?? claimed, end.state, end.outcome);
  } finally {
    lease.release();
  }
}

/**
 * Keeps what the target looks like now, so that what is seen after an unknown outcome can be told from it. Resolves to
 * undefined where the request was lost on the way: then nothing may be sent.
 */
async function look(
  environment: Environment,
  entry: Entry,
  claimed: Request,
  context: RunContext,
): Promise<Request | undefined> {
  try {
    const before = await observe(environment, entry, context);
    if (before === undefined) return claimed;
    const changes = { before, leaseUntil: environment.clock.now() + environment.rulebook().leaseMs };
    return await environment.store.advance(stepFrom(environment, claimed, 'running', changes, []));
  } catch (error) {
    environment.log.error({ err: error, requestId: claimed.id }, 'broke off before anything was sent');
    return undefined;
  }
}

/** What an operation is given when it runs for a request: the facts that were confirmed, not those of now. */
export function contextOf(environment: Environment, request: Request): RunContext {
  return {
    target: request.target,
    service: environment.service,
    actor: request.requester,
    person: { ...request.requester, fullMember: true, guest: false, timeZone: 'UTC' },
    place: request.place,
    inventory: environment.rulebook().inventory,
    bellhop: lookInside(environment),
    resolveSecret: environment.resolveSecret,
    now: environment.clock.now(),
    correlationId: request.correlationId,
  };
}
