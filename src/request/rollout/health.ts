import { canonical } from '../../model/audit.ts';
import type { RunnerContext } from '../../model/ports.ts';
import type { Entry } from '../../model/registry.ts';
import type { Request } from '../../model/request.ts';
import { observe } from '../outcome/sighting.ts';
import { tookText } from '../outcome/watch.ts';
import { canObserve, changeTasks } from '../steps/step.ts';

/** The state of a target after its change succeeded. `moved`: it was seen to change. */
export type Health =
  | { readonly kind: 'back' }
  | { readonly kind: 'on its way'; readonly shows: string; readonly moved: boolean }
  | { readonly kind: 'broken'; readonly why: string };

/** How long to wait for a target to be back, in milliseconds after the change was accepted. */
export const backWithinMs = 10 * 60_000;

/**
 * A read may lag behind the answer. So if only the answer showed the change, the target counts as back after this time, in
 * milliseconds.
 */
const lagMs = 10_000;

interface Watched {
  /** An earlier read has seen it change. */
  readonly moved: boolean;
  /** When it was accepted, or last seen healthy, in epoch milliseconds. */
  readonly since: number;
}

export async function healthOf(
  context: RunnerContext,
  entry: Entry,
  single: Request,
  { moved, since }: Watched,
): Promise<Health> {
  const { outcome, target, before } = single;
  const { name } = target;
  const tasks = changeTasks(context, entry);
  const finished =
    tasks !== undefined && (outcome?.tasks?.ids.length ?? 0) > 0 && outcome?.report?.tone === 'good';
  const { watch } = entry.operation;
  if (!watch || !canObserve(context, entry)) {
    if (finished) return { kind: 'back' };
    return { kind: 'broken', why: `${name} succeeded, but Bellhop cannot tell whether it is back.` };
  }
  const seen = await context.correlated('watch', single.correlationId, () => observe(context, entry, single));
  const shows = seen ? watch.words(seen) : 'cannot be read';
  const progress = seen && watch.progress(seen);
  if (progress === 'broken') return { kind: 'broken', why: `${name} is broken: ${shows}.` };
  const differs = seen !== undefined && before !== undefined && canonical(before) !== canonical(seen);
  const elapsedMs = context.clock.now() - since;
  const answered = outcome?.moved === 'answer' && elapsedMs >= lagMs;
  const changed = finished || moved || outcome?.moved === 'read' || answered || differs;
  if (progress === 'there' && (!watch.returns || changed)) return { kind: 'back' };
  if (elapsedMs < backWithinMs)
    return { kind: 'on its way', shows, moved: moved || progress === 'on its way' };
  const still = progress === 'there' ? `${shows} at every look, and was never seen to change` : shows;
  return { kind: 'broken', why: `${name} is not back within ${tookText(elapsedMs)}: ${still}.` };
}
