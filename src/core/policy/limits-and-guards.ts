import type { AuthorizationContext } from '../context.ts';
import { guarded } from './guards.ts';
import type { ResolvedCommand } from '../command/resolve.ts';
import type { Actor } from '../model/actor.ts';
import { counts, limitReached, limits } from './limits.ts';
import { labelled, type Decision } from './policy.ts';
import type { Start, Step } from '../request/requests.ts';
import { targetKey } from '../model/target.ts';

export interface LimitedDecision {
  readonly decision: Decision;
  /** To be checked once more where the change starts: two that start at once count for each other. */
  readonly check?: Step['check'] | undefined;
}

/** A change that runs on a guarded member is over by then, or unknown to everybody. In milliseconds. */
const guardedForMs = 15 * 60_000;

/** Limits and guards, after the rules: they only take away, never give. */
export async function applyLimitsAndGuards(
  context: AuthorizationContext,
  { entry, target }: ResolvedCommand,
  actor: Actor,
  decision: Decision,
): Promise<LimitedDecision> {
  const { operation } = entry;
  if (operation.risk === 'read' || decision.effect === 'deny') return { decision };
  const change = { operation, target, actor };
  const rulebook = context.rulebook();
  const limited = rulebook.limits.filter((limit) => limits(limit, change));
  const watched = operation.isRunning
    ? rulebook.guards.filter((guard) => labelled(guard.labels, target))
    : [];
  if (limited.length === 0 && watched.length === 0) return { decision };
  const now = context.clock.now();
  const since = now - Math.max(guardedForMs, ...limited.map(({ withinMs }) => withinMs));
  const started = await context.store.startedSince(since);
  const denial = limitReached(rulebook.limits, change, started, now);
  if (denial) return { decision: denial };
  const known = new Set(started.map(({ id }) => id));
  const key = targetKey(target);
  const matters = (start: Start): boolean =>
    limited.some((limit) => counts(limit, change, start)) ||
    watched.some((guard) => labelled(guard.labels, start.target) && targetKey(start.target) !== key);
  const check = {
    since,
    admits: (later: readonly Start[]) => later.every((start) => known.has(start.id) || !matters(start)),
  };
  if (watched.length === 0) return { decision, check };
  return { decision: await guarded(context, { operation, target }, decision, started), check };
}
