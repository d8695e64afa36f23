import { stepEntry } from '../audit/entries.ts';
import type { RunnerContext, StepContext } from '../model/context.ts';
import { isFollowed, type Request } from '../model/request.ts';
import { contextOf } from './steps/run-context.ts';
import { searchFor } from './outcome/looking.ts';
import { stepFrom } from './steps/step.ts';
import { endIfSetBack } from './steps/set-back.ts';
import { keepSighting } from './outcome/sighting.ts';
import { followTasks } from './outcome/follow-tasks.ts';
import { searchDue } from './outcome/settle-by-tasks.ts';
import { watchDue } from './outcome/watch.ts';

/** Rows in one go; the next sweep takes the next ones. */
const atMost = 100;

/** Rows of a process that is gone; what is more waits for its lease. */
const atMostAtStart = 1000;

/**
 * Once, before anything is run. What a store that went back in time holds open ends as unknown; and where no other process can be on the store, whoever ran the rows that run is gone. Without
 * that they wait for their leases. Never rejects.
 */
export async function recoverAtStart(context: RunnerContext): Promise<void> {
  const { store, clock, log } = context;
  try {
    await endIfSetBack(context);
    if (!store.soleProcess) return;
    const left = await store.list({ states: ['running'], limit: atMostAtStart });
    for (const request of left) {
      if (isFollowed(request)) continue;
      await tryToEnd(context, request, () => recover(context, request, clock.now()));
    }
  } catch (error) {
    log.error({ err: error }, 'open requests could not be looked through at the start');
  }
}

/** One request that cannot be ended must not keep those behind it open. */
async function tryToEnd(context: StepContext, request: Request, end: () => Promise<void>): Promise<void> {
  try {
    await end();
  } catch (error) {
    context.log.error({ err: error, requestId: request.id }, 'a request could not be ended');
  }
}

/**
 * Ends what time has ended: proposals that expired, and running requests whose lease ran out because the process
 * that ran them is gone. Those become `unknown` and are never run again. Looks at tasks of the service and at targets where
 * that is due.
 * Safe on any number of replicas at once.
 */
export async function sweep(context: RunnerContext): Promise<void> {
  await endIfSetBack(context);
  if (!context.clockIsRight()) return;
  const now = context.clock.now();
  for (const request of await context.store.due(now, atMost)) {
    await tryToEnd(context, request, () => endDue(context, request, now));
  }
  await searchDue(context);
  await watchDue(context);
}

function endDue(context: RunnerContext, request: Request, now: number): Promise<void> {
  if (request.state !== 'running') return expire(context, request, now);
  return isFollowed(request) ? followTasks(context, request) : recover(context, request, now, true);
}

async function expire(context: StepContext, request: Request, now: number): Promise<void> {
  const audit = [stepEntry(context, 'expired', request, 'expired')];
  const expired = await context.store.advance(stepFrom(context, request, 'expired', { endedAt: now }, audit));
  if (expired) context.messages.changed(expired);
}

/** @param leaseOver left out: whoever ran it is gone, whatever its lease says */
async function recover(
  context: RunnerContext,
  request: Request,
  now: number,
  leaseOver?: true,
): Promise<void> {
  const note = leaseOver ? 'its lease ran out' : 'its process is gone';
  const message =
    'The bot stopped or lost its store while this was running, so it cannot tell whether the service received it.';
  const entry = context.registry.find(request.operation);
  // Right before the first byte its process asked for the lease: later nothing left.
  const sent = { from: request.startedAt ?? request.createdAt, to: Math.min(now, request.leaseUntil ?? now) };
  const search = entry && searchFor(context, entry, sent);
  const changes = { endedAt: now, outcome: { error: { code: 'unknown-outcome', message }, search } };
  const audit = [stepEntry(context, 'ended', request, 'unknown', { note })];
  const step = stepFrom(context, request, 'unknown', changes, audit);
  const unknown = await context.store.advance({ ...step, leaseOver });
  if (!unknown) return;
  context.messages.changed(unknown);
  if (entry) {
    const looking = context.correlated('check', unknown.correlationId, () =>
      keepSighting(context, entry, unknown, contextOf(context, unknown)),
    );
    context.backgroundTasks.add(looking, unknown.id);
  }
}
