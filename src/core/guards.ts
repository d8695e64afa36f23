import type { Environment } from './environment.ts';
import { BellhopError } from './errors.ts';
import { findInstance } from './inventory.ts';
import type { Operation } from './operation.ts';
import { labelled, type Decision } from './policy.ts';
import type { Start } from './ports.ts';
import type { Guard } from './rulebook.ts';
import { targetKey, type InstanceTarget, type Target } from './target.ts';

interface GuardedChange {
  readonly operation: Operation;
  readonly target: Target;
  readonly correlationId: string;
}

/**
 * Whether enough of a group is left running without the target: asked of the service, where that can be read. A member
 * that cannot be read, or that a change is running on, does not count: in doubt an approval is asked for.
 */
export async function guarded(
  environment: Environment,
  change: GuardedChange,
  decision: Decision,
  started: readonly Start[],
): Promise<Decision> {
  for (const [index, guard] of environment.rulebook().guards.entries()) {
    if (!labelled(guard.labels, change.target)) continue;
    const left = await leftRunning(environment, change, guard, started);
    if (left >= guard.keep) continue;
    const group = Object.entries(guard.labels).map(([label, value]) => `${label}=${value}`);
    const readable = environment.rulebook().extensions.includes('instance-read');
    const why = readable
      ? `only ${left} others of ${group.join(', ')} are known to run, and ${guard.keep} must be left`
      : `it cannot be told here how many others of ${group.join(', ')} run, and ${guard.keep} must be left`;
    return {
      ...decision,
      effect: 'approve',
      rule: `guard ${index + 1}`,
      explanation: `Guard ${index + 1}: ${why}`,
      note: `Guard ${index + 1}: ${why}.`,
      approvers: guard.approvers,
      approvals: 1,
    };
  }
  return decision;
}

/** Counted no further than the guard asks for. */
async function leftRunning(
  environment: Environment,
  { operation, target, correlationId }: GuardedChange,
  guard: Guard,
  started: readonly Start[],
): Promise<number> {
  if (!environment.rulebook().extensions.includes('instance-read')) return 0;
  const busy = new Set(
    started
      .filter(({ state }) => state === 'running' || state === 'unknown')
      .map((start) => targetKey(start.target)),
  );
  let running = 0;
  for (const other of members(environment, guard)) {
    const key = targetKey(other);
    if (key === targetKey(target) || busy.has(key)) continue;
    if (await operation.isRunning?.(other, { service: environment.service, correlationId })) running += 1;
    if (running >= guard.keep) break;
  }
  return running;
}

function members(environment: Environment, { labels }: Guard): readonly InstanceTarget[] {
  const { inventory } = environment.rulebook();
  return Object.keys(inventory.instances).flatMap((name) => {
    try {
      const member = findInstance(inventory, name);
      return labelled(labels, member) ? [member] : [];
    } catch (error) {
      if (!(error instanceof BellhopError)) throw error;
      // No project or region is configured for it, so it cannot be read either.
      return [];
    }
  });
}
