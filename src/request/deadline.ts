import { stepEntry } from '../audit/entries.ts';
import type { AfterRule, Made } from '../model/after.ts';
import type { RunnerContext } from '../model/ports.ts';
import { type Due, dueKind, type Handler, type Outcome } from '../model/records/due.ts';
import { isFollowed, type Request, startOf } from '../model/records/request.ts';
import { hasParts } from '../model/records/whole.ts';
import { longestLeaseMs } from '../model/rulebook/schema.ts';
import { searchFor, stepFrom, tryStep } from './steps/step.ts';
import { endIfSetBack } from './steps/end-request.ts';
import { keepSighting } from './outcome/sighting.ts';
import { followTasks } from './outcome/tasks.ts';
import { searchAgain } from './outcome/settle-by-tasks.ts';

/** Running rows of dead processes beyond this number wait until their leases expire. */
const atMostAtStart = 1000;

/**
 * Runs once, before anything else. After a restore, all open requests end as unknown. If no other process can use the store, running rows
 * belong to a dead process and end, too. Otherwise they wait for their leases. Never rejects.
 */
export async function recoverAtStart(context: RunnerContext): Promise<void> {
  const { store, log } = context;
  try {
    await endIfSetBack(context);
    if (!store.soleProcess) return;
    const left = await store.list({ states: ['running'], limit: atMostAtStart });
    for (const request of left) {
      if (isFollowed(request) || hasParts(request)) continue;
      // A request that can't be ended must not block the others.
      await endLost(context, request, 'Bellhop stopped while it ran').catch((error: unknown) =>
        log.error({ err: error, requestId: request.id }, 'a request could not be ended'),
      );
    }
  } catch (error) {
    log.error({ err: error }, 'open requests could not be checked at start');
  }
}

const deadlineKind = dueKind('deadline');

/** For a part of another request, too. */
export const deadlineRule: AfterRule = {
  parts: true,
  due(row, made) {
    const { id: key, version } = row;
    const at = deadlineAfter(row, made);
    if (at === 'none') return [{ kind: deadlineKind, key, at: undefined, ends: true }];
    return at === undefined ? [] : [{ kind: deadlineKind, key, version, at }];
  },
};

/** Undefined keeps the current deadline. */
function deadlineAfter(row: Request, { before, leaseMs, at }: Made): number | 'none' | undefined {
  const { state, expiresAt, outcome } = row;
  if (state === 'proposed' || state === 'awaiting approval') return expiresAt;
  if (state === 'running' && !hasParts(row)) return leaseMs === undefined ? undefined : at + leaseMs;
  if (state === 'unknown' && before?.state === 'unknown') return undefined;
  return state === 'unknown' && outcome?.search ? at : 'none';
}

/** In milliseconds, after losing a race for a row. */
const leaseAgainMs = 1000;

/**
 * Expires proposals, and ends running requests whose lease ran out as `unknown`. Those are never run again. Also follows the service's
 * tasks and searches for lost answers.
 */
export const createDeadlineHandler = (context: RunnerContext): Handler => ({
  kind: deadlineKind,
  atOnce: 20,
  trouble: 'a request could not be ended or checked',
  byClock: true,
  async handle(due) {
    const request = await context.store.find(due.key);
    if (!request) return { done: true };
    const { state } = request;
    if (state === 'proposed' || state === 'awaiting approval') return expire(context, request);
    if (state === 'unknown') return searchAgain(context, request);
    if (state !== 'running') return { done: true };
    return isFollowed(request) ? followTasks(context, request) : recover(context, request, due);
  },
});

async function expire(context: RunnerContext, request: Request): Promise<Outcome> {
  const now = context.clock.now();
  if (now < request.expiresAt) return { againIn: request.expiresAt - now };
  const audit = [stepEntry(context, 'expired', request, 'expired')];
  await tryStep(context, stepFrom(context, request, 'expired', { endedAt: now, note: '' }, audit));
  // This step or a faster one has ended the request, or set a new deadline.
  return { done: true };
}

/** The lease may have been renewed since this work became due. Only the store's clock decides. */
async function recover(context: RunnerContext, request: Request, { claimedAt }: Due): Promise<Outcome> {
  const leftMs = (request.leaseUntil ?? 0) - claimedAt;
  if (leftMs > 0 && leftMs <= 2 * longestLeaseMs) return { againIn: leftMs };
  const ended = await endLost(context, request, 'Bellhop stopped or lost its database while it ran', true);
  return ended ? { done: true } : { againIn: leaseAgainMs };
}

/** @param leaseOver ends the request only if its lease is over; omitted if its process is known to be gone */
async function endLost(
  context: RunnerContext,
  request: Request,
  note: string,
  leaseOver?: true,
): Promise<boolean> {
  const now = context.clock.now();
  const message = 'Bellhop stopped or lost its database while the change was running.';
  const entry = context.registry.find(request.operation);
  // The process checks the lease right before the first byte, so nothing was sent after the lease ended.
  const sent = { from: startOf(request), to: Math.min(now, request.leaseUntil ?? now) };
  const search = entry && searchFor(context, entry, sent);
  const changes = { endedAt: now, outcome: { error: { code: 'unknown-outcome', message }, search } };
  const audit = [stepEntry(context, 'ended', request, 'unknown', { note })];
  const step = stepFrom(context, request, 'unknown', changes, audit);
  const unknown = await tryStep(context, { ...step, leaseOver });
  if (!unknown) return false;
  if (entry) {
    const check = context.correlated('check', unknown.correlationId, () =>
      keepSighting(context, entry, unknown),
    );
    context.backgroundTasks.add(check, unknown.id);
  }
  return true;
}
