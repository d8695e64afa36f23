import type { ResolvedCommand } from '../command/resolve.ts';
import type { Caller } from '../model/values/actor.ts';
import type { SourceAnswer } from '../model/members.ts';
import type { AuditEvent } from '../model/records/audit.ts';
import { stepEntry } from '../audit/entries.ts';
import { type End, endRequest, firstLookMs, persistently } from './steps/end-request.ts';
import type { RunnerContext } from '../model/ports.ts';
import { BellhopError } from '../model/values/errors.ts';
import type { Step } from '../model/records/requests.ts';
import { type Request, type RequestChanges, isFollowed } from '../model/records/request.ts';
import { begun } from '../model/records/whole.ts';
import { replacing } from './draft.ts';
import type { Passed } from './gates.ts';
import { endedUnsent, send } from './send-request.ts';
import { keepSighting, observe } from './outcome/sighting.ts';
import { followTasks } from './outcome/tasks.ts';
import { stepFrom, takeStep } from './steps/step.ts';

interface Decided extends Pick<Caller, 'actor' | 'place' | 'openDelivery'> {
  readonly event: Extract<AuditEvent, 'confirmed' | 'approved'>;
  readonly answers?: readonly SourceAnswer[] | undefined;
}

interface StartDetails {
  readonly passed: Passed;
  /** Undefined if a rule allows the request without confirmation. */
  readonly decided?: Decided | undefined;
  readonly changes?: RequestChanges | undefined;
  readonly check?: Step['check'] | undefined;
}

/**
 * Claims the request and runs its command in the background. Only the process that takes the step to `running` sends, and only once.
 * Resolves as soon as `running` is durable.
 * @throws LostRaceError if the request has changed since the caller read it
 */
export async function startRequest(
  context: RunnerContext,
  command: ResolvedCommand,
  request: Request,
  { passed, decided, changes, check }: StartDetails,
): Promise<Request> {
  const now = context.clock.now();
  const { login } = passed;
  const closes = decided?.openDelivery?.();
  const { replaces, changes: taken } = await replacing(context, request);
  const all = { ...taken, ...(decided && { decidedBy: decided.actor, decidedAt: now }), ...changes };
  const audit = [
    ...(decided ? [stepEntry(context, decided.event, request, 'running', { ...decided, login })] : []),
    ...context.startEntries.flatMap((entries) => entries(context, request, all)),
  ];
  const whole = begun(request, now);
  if (whole) {
    // A request with parts sends nothing itself. So it has no lease, and limits and guards do not count it.
    const step = stepFrom(context, request, 'running', { ...all, ...whole }, audit);
    return takeStep(context, request, { ...step, replaces, closes });
  }
  const { leaseMs } = context.rulebook();
  const claim = { id: request.id, runner: context.ids.unique(), askedAt: now, leaseMs };
  const started = { ...all, startedAt: now, runner: claim.runner };
  const start = stepEntry(context, 'started', request, 'running');
  const step = stepFrom(context, request, 'running', started, [...audit, start]);
  const running = await takeClaim(context, request, { ...step, leaseMs, check, replaces, closes }, claim);
  context.log.info({ requestId: running.id, runsAs: running.correlationId }, 'request started');
  const run = context.correlated('run', running.correlationId, () =>
    runClaimed(context, command, running, claim),
  );
  context.backgroundTasks.add(run, running.id);
  return running;
}

async function takeClaim(
  context: RunnerContext,
  request: Request,
  step: Step,
  claim: Claim,
): Promise<Request> {
  try {
    return await takeStep(context, request, step);
  } catch (error) {
    if (error instanceof BellhopError && error.code === 'store-unavailable') {
      const ending = context.correlated('run', request.correlationId, () => endUnsent(context, claim));
      context.backgroundTasks.add(ending, request.id);
    }
    throw error;
  }
}

/** The store may have failed after committing the start. Then only this process knows that nothing was sent. */
async function endUnsent(context: RunnerContext, { id, runner }: Claim): Promise<void> {
  const found = await persistently(context, { requestId: id, outcome: 'failed' }, () =>
    context.store.findCommitted(id),
  );
  if (found?.runner === runner) await endRequest(context, found, endedUnsent);
}

async function runClaimed(
  context: RunnerContext,
  command: ResolvedCommand,
  claimed: Request,
  claim: Claim,
): Promise<void> {
  const ended = await runHeld(context, command, claimed, claim);
  if (ended?.state === 'unknown') await keepSighting(context, command.entry, ended);
}

async function runHeld(
  context: RunnerContext,
  command: ResolvedCommand,
  claimed: Request,
  claim: Claim,
): Promise<Request | undefined> {
  const lease = holdLease(context, claim);
  try {
    const request = await keepObservation(context, command, claimed);
    const sent = request ? await send(context, command, request, () => lease.holds()) : endedUnsent;
    const end = request ? await seenToMove(context, command, request, sent) : sent;
    const followed = request && (await followedRequest(context, request, end));
    return followed ?? (await endRequest(context, request ?? claimed, end));
  } finally {
    lease.release();
  }
}

/** In case this process dies before the next check. */
async function seenToMove(
  context: RunnerContext,
  { entry }: ResolvedCommand,
  request: Request,
  end: End,
): Promise<End> {
  const { watch } = entry.operation;
  if (request.partOf === undefined || end.state !== 'succeeded' || !watch) return end;
  const seen = await observe(context, entry, request);
  const moved = seen !== undefined && watch.progress(seen) === 'on its way';
  return moved ? { ...end, outcome: { ...end.outcome, moved: 'read' } } : end;
}

/** Keeps a change with tasks `running` until they end. Due work polls them. Undefined for a change without tasks. */
async function followedRequest(
  context: RunnerContext,
  request: Request,
  { state, outcome }: End,
): Promise<Request | undefined> {
  if (state !== 'succeeded' || !isFollowed({ outcome })) return undefined;
  const step = stepFrom(context, request, 'running', { outcome }, []);
  const followed = await persistently(
    context,
    { requestId: request.id, outcome: 'accepted' },
    async () =>
      (await context.store.advance({ ...step, leaseMs: firstLookMs })) ??
      (await findFollowed(context, request)),
  );
  if (!followed) return undefined;
  context.messages.changed(followed);
  // Many changes are over immediately, so their tasks are read now.
  await followTasks(context, followed);
  return followed;
}

/** An earlier attempt's commit may not have been acknowledged. */
async function findFollowed({ store }: RunnerContext, { id, runner }: Request): Promise<Request | undefined> {
  const found = await store.find(id);
  return found?.state === 'running' && found.runner === runner && isFollowed(found) ? found : undefined;
}

/** For comparison after an unknown outcome. Resolves to undefined if the claim was lost in the meantime. Nothing may be sent then. */
async function keepObservation(
  context: RunnerContext,
  { entry }: ResolvedCommand,
  claimed: Request,
): Promise<Request | undefined> {
  try {
    const before = await observe(context, entry, claimed);
    if (before === undefined) return claimed;
    return await context.store.advance(stepFrom(context, claimed, 'running', { before }, []));
  } catch (error) {
    context.log.error({ err: error, requestId: claimed.id }, 'request interrupted before anything was sent');
    return undefined;
  }
}

interface Lease {
  /**
   * False once another replica may have declared this process dead, which must not send after that. Synchronous, so that the lease can be
   * checked right before the first byte.
   */
  holds(): boolean;
  release(): void;
}

interface Claim extends Pick<Request, 'id'> {
  readonly runner: string;
  /** When this process requested the claim, by its own clock, in epoch milliseconds. */
  readonly askedAt: number;
  readonly leaseMs: number;
}

/** In milliseconds. During a lease, the clocks of replicas and server drift apart by less than this. */
const clockMarginMs = 2000;

/**
 * Renews three times per lease, until released. The database decides when a lease ends. This process starts counting before each renewal,
 * so it always stops before the database lets another one take over.
 */
function holdLease(
  { clock, store, log }: Pick<RunnerContext, 'clock' | 'store' | 'log'>,
  { id, runner, askedAt, leaseMs }: Claim,
): Lease {
  const marginMs = Math.min(clockMarginMs, leaseMs / 4);
  let until = askedAt + leaseMs;
  const renew = async (): Promise<void> => {
    const now = clock.now();
    try {
      until = (await store.renewLease(id, runner, leaseMs, now)) ? now + leaseMs : 0;
    } catch (error) {
      log.warn({ err: error, requestId: id }, 'a lease could not be renewed');
    }
  };
  const release = clock.every(Math.max(leaseMs / 3, 100), () => void renew());
  return { holds: () => clock.now() < until - marginMs, release };
}
