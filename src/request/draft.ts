import { stepEntry } from '../audit/entries.ts';
import type { RunnerContext } from '../model/ports.ts';
import {
  draftKey,
  type Request,
  type RequestChanges,
  type State,
  waitingFor,
} from '../model/records/request.ts';
import type { Step } from '../model/records/requests.ts';
import { begunAt } from '../model/records/whole.ts';
import { targetKey } from '../model/rulebook/target.ts';
import { IgnoredClickError, stepFrom, takeStep } from './steps/step.ts';

export function supersede(context: RunnerContext, older: Request, { id, requester }: Request): Step {
  const note = `Replaced by ${id}.`;
  const audit = [stepEntry(context, 'superseded', older, 'cancelled', { actor: requester, note })];
  const now = context.clock.now();
  const changes = { endedAt: now, note, decidedBy: requester, decidedAt: now };
  return stepFrom(context, older, 'cancelled', changes, audit);
}

/** A request that skips an approval is a draft until it is confirmed. Until then, the request that waits for the approval is unchanged. */
export const draftFor = (older: Request, newer: Request): Request => ({
  ...newer,
  targetKey: draftKey(older.id),
  expiresAt: Math.min(newer.expiresAt, older.expiresAt),
});

/**
 * Replaces the request for which the draft was made. Empty for any other request.
 * @throws IgnoredClickError if that request no longer waits, which ends the draft
 */
export async function replacing(
  context: RunnerContext,
  request: Request,
): Promise<{ readonly replaces?: Step; readonly changes?: RequestChanges }> {
  const id = waitingFor(request);
  if (id === undefined) return {};
  const older = await context.store.find(id);
  if (older?.state === 'awaiting approval')
    return {
      replaces: supersede(context, older, request),
      changes: { targetKey: targetKey(request.target) },
    };
  const closed = await takeStep(context, request, closingStep(context, request, id, older));
  throw new IgnoredClickError(`${closed.note ?? ''} This click did nothing.`, closed);
}

/** The request that the draft would have replaced no longer waits. */
export const closingStep = (
  context: RunnerContext,
  draft: Request,
  id: string,
  older: Request | undefined,
): Step => {
  const to = older?.state === 'expired' ? 'expired' : 'cancelled';
  const note = `${fateOf(older)} (${id}). This one would have replaced it, so it was closed.`;
  const audit = [stepEntry(context, to, draft, to, { note })];
  return stepFrom(context, draft, to, { endedAt: context.clock.now(), note }, audit);
};

const ends: ReadonlyMap<State, string> = new Map<State, string>([
  ['cancelled', 'was cancelled'],
  ['expired', 'has expired'],
  ['refused', 'was denied'],
]);

function fateOf(older: Request | undefined): string {
  if (older && begunAt(older) !== undefined) return 'The waiting request was approved in the meantime';
  return `The waiting request ${ends.get(older?.state ?? 'unknown') ?? 'is no longer waiting'}`;
}
