import type { Actor } from './actor.ts';
import type { AuditEvent } from './audit.ts';
import { stepEntry } from './audit-drafts.ts';
import type { Entry } from './catalogue.ts';
import type { Environment } from './environment.ts';
import { BellhopError, ServiceError } from './errors.ts';
import { readInput } from './grammar.ts';
import { insight } from './insight.ts';
import { endRequest } from './end-request.ts';
import type { RunContext } from './operation.ts';
import { report } from './report.ts';
import type { Request, RequestChanges, RequestOutcome, State } from './request.ts';
import { stepFrom } from './step.ts';
import { settleByReading } from './settle.ts';

/** A step that somebody else's step came before. Carries the row as it is now. */
export class LostRaceError extends BellhopError {
  override readonly name = 'LostRaceError';
  readonly current: Request;

  constructor(current: Request) {
    super('busy', 'Somebody else was first.');
    this.current = current;
  }
}

/**
 * Claims the request and runs it in the background: whoever wins the step to `running` sends, once. Returns as soon
 * as `running` is durable.
 * @throws LostRaceError where it was no longer as the caller saw it
 */
export async function startRequest(
  environment: Environment,
  request: Request,
  by: Actor,
  event: Extract<AuditEvent, 'confirmed' | 'approved'>,
  changes: RequestChanges = {},
): Promise<Request> {
  const now = environment.clock.now();
  const running = await environment.store.advance(
    stepFrom(
      environment,
      request,
      'running',
      {
        decidedBy: by,
        decidedAt: now,
        ...changes,
        startedAt: now,
        leaseUntil: now + environment.rulebook().leaseMs,
      },
      [
        stepEntry(environment, event, request, 'running', { actor: by }),
        stepEntry(environment, 'started', request, 'running'),
      ],
    ),
  );
  if (!running) throw await lostRace(environment, request);
  environment.messages.changed(running);
  environment.inFlight.add(runClaimed(environment, running), running.id);
  return running;
}

export async function lostRace(environment: Environment, request: Request): Promise<LostRaceError> {
  return new LostRaceError((await environment.store.find(request.id)) ?? request);
}

/** Sends the change and writes down what came of it. The lease is renewed as long as this process lives. */
async function runClaimed(environment: Environment, claimed: Request): Promise<void> {
  const entry = environment.catalogue.find(claimed.operation);
  if (!entry)
    throw new BellhopError('unknown-command', `${claimed.operation} is no operation of this version`);
  const context = contextOf(environment, claimed);
  const request = await look(environment, entry, claimed, context);
  if (!request) return;
  const stopRenewing = renewing(environment, request);
  let end: { state: State; outcome: RequestOutcome };
  try {
    end = await send(environment, entry, request, context);
  } finally {
    stopRenewing();
  }
  const ended = await endRequest(environment, request, end.state, end.outcome);
  if (ended?.state === 'unknown') await settleByReading(environment, entry, ended, context);
}

/** Keeps what the target looks like now, so that an unknown outcome can be settled by reading it again. */
async function look(
  environment: Environment,
  entry: Entry,
  request: Request,
  context: RunContext,
): Promise<Request | undefined> {
  if (!entry.operation.observe || !environment.rulebook().extensions.includes('instance-read'))
    return request;
  const before = await entry.operation.observe(context);
  if (before === undefined) return request;
  const changes = { before, leaseUntil: environment.clock.now() + environment.rulebook().leaseMs };
  return environment.store.advance(stepFrom(environment, request, 'running', changes, []));
}

async function send(
  environment: Environment,
  entry: Entry,
  request: Request,
  context: RunContext,
): Promise<{ state: State; outcome: RequestOutcome }> {
  // A process that was suspended for longer than its lease has been told unknown: it must not send any more.
  if (request.leaseUntil !== undefined && environment.clock.now() >= request.leaseUntil) {
    return failed('failed', 'not-sent', 'The bot was suspended before it could send: not sent.');
  }
  try {
    const input = readInput(entry, request.input);
    const output = await entry.operation.run(input, context);
    const parts = entry.operation.report(output, { target: request.target, input });
    return { state: 'succeeded', outcome: { report: report.parse(parts) } };
  } catch (error) {
    return outcomeOf(environment, request, error);
  }
}

const failed = (
  state: State,
  code: string,
  message: string,
  serviceRequestId?: string,
): { state: State; outcome: RequestOutcome } => ({
  state,
  outcome: { error: { code, message }, ...(serviceRequestId === undefined ? {} : { serviceRequestId }) },
});

/** Only a proof that nothing happened is a failure; whatever cannot be told is unknown. */
function outcomeOf(environment: Environment, request: Request, error: unknown) {
  if (error instanceof ServiceError) {
    const state = error.outcome === 'unknown-outcome' ? 'unknown' : 'failed';
    return failed(state, error.code, environment.mask(error.message), error.serviceRequestId);
  }
  if (error instanceof BellhopError) return failed('failed', error.code, environment.mask(error.message));
  environment.log.error({ err: error, requestId: request.id }, 'an operation threw something unexpected');
  return failed('unknown', 'unknown-outcome', 'Bellhop broke off while it ran this. See the log.');
}

function renewing(environment: Environment, request: Request): () => void {
  const { leaseMs } = environment.rulebook();
  return environment.clock.every(Math.max(leaseMs / 3, 100), () => {
    const until = environment.clock.now() + leaseMs;
    environment.store.renewLease(request.id, request.version, until).catch((error: unknown) => {
      environment.log.warn({ err: error, requestId: request.id }, 'a lease could not be renewed');
    });
  });
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
    bellhop: insight(environment),
    resolveSecret: environment.resolveSecret,
    now: environment.clock.now(),
    correlationId: request.correlationId,
  };
}
