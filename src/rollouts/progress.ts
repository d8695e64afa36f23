import { canonical } from '../model/records/audit.ts';
import type { RunnerContext } from '../model/ports.ts';
import type { Entry } from '../model/registry.ts';
import {
  didNotRun,
  type Request,
  type Rollout,
  type RolloutLine,
  type State,
} from '../model/records/request.ts';
import { backWithinMs } from '../model/records/whole.ts';
import { observe } from '../request/outcome/sighting.ts';
import { listed, tookText } from '../text/words.ts';
import { canObserve } from '../request/steps/step.ts';
import { wasUnknown } from './single.ts';

/** Lines that have ended are not read again. */
export async function readProgress({ store, clock }: RunnerContext, rollout: Rollout) {
  const found = await Promise.all(
    rollout.lines.map(async ({ request: id, state }, index) =>
      id !== undefined && (index === rollout.index || mayChange.has(state))
        ? await store.find(id)
        : undefined,
    ),
  );
  const lines = rollout.lines.map((line, index) => lineNow(line, found[index]));
  return { rollout: notAhead({ ...rollout, lines }, clock.now()), single: found[rollout.index] };
}

const mayChange: ReadonlySet<State | undefined> = new Set<State>(['proposed', 'running', 'unknown']);

/** A note about one state does not apply to another. An unknown outcome shows its newest check. */
function lineNow(line: RolloutLine, single: Request | undefined): RolloutLine {
  if (!single) return line;
  const { state, outcome, endedAt, startedAt } = single;
  const isSame = line.state === state && line.at !== undefined;
  if (isSame && state !== 'unknown') return line;
  const { preview, request } = line;
  const fresh = { preview, request, state, at: endedAt ?? startedAt };
  const { look, search } = outcome ?? {};
  if (didNotRun(single)) return { ...fresh, evidence: state, didNotRun: true };
  if (state !== 'unknown') return wasUnknown(single) ? { ...fresh, evidence: state } : fresh;
  const note = search?.seen ?? look?.title;
  const found = { ...fresh, evidence: search?.suggests };
  const at = (search?.unconfirmed ? search.at : look?.at) ?? fresh.at;
  return note === undefined ? found : { ...found, note, at };
}

/** If the clock was set back, the wait starts now and not at a time in the future. */
function notAhead({ backAt, paused, ...rest }: Rollout, now: number): Rollout {
  const until = (at: number): number => Math.min(at, now);
  const lines = rest.lines.map((line, index) =>
    index === rest.index && line.at !== undefined ? { ...line, at: until(line.at) } : line,
  );
  return {
    ...rest,
    lines,
    ...(backAt !== undefined && { backAt: until(backAt) }),
    ...(paused && { paused: { ...paused, at: until(paused.at) } }),
  };
}

/** After its change succeeded. `moved` says whether a read has shown the target changing. */
export type Health =
  | { readonly kind: 'back' }
  | { readonly kind: 'on its way'; readonly shows: string; readonly moved: boolean }
  | { readonly kind: 'broken'; readonly why: string };

/**
 * In milliseconds. A read may lag behind the service's answer. If only the answer showed the change, the target counts as healthy again
 * after this time.
 */
const lagMs = 10_000;

interface Watched {
  readonly moved: boolean;
  /** When the change was accepted, or when the target was last seen healthy. In epoch milliseconds. */
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
  const { ids = [], finished = false } = outcome?.tasks ?? {};
  if (ids.length > 0 && !finished)
    return {
      kind: 'broken',
      why: `The service's task for ${name} (${listed(ids)}) had not ended when Bellhop last checked it.`,
    };
  const { watch } = entry.operation;
  if (!watch || !canObserve(context, entry)) {
    if (finished) return { kind: 'back' };
    return {
      kind: 'broken',
      why: `The request for ${name} succeeded, but Bellhop can't check whether ${name} is healthy again.`,
    };
  }
  const seen = await context.correlated('watch', single.correlationId, () => observe(context, entry, single));
  const shows = seen ? watch.words(seen) : "its state can't be read";
  const problem = seen && watch.problem?.(seen);
  if (problem !== undefined) return { kind: 'broken', why: problem };
  const progress = seen && watch.progress(seen);
  if (progress === 'broken') return { kind: 'broken', why: `${name} is broken: ${shows}.` };
  const differs = seen !== undefined && before !== undefined && canonical(before) !== canonical(seen);
  const elapsedMs = context.clock.now() - since;
  const answered = outcome?.moved === 'answer' && elapsedMs >= lagMs;
  const changed = finished || moved || outcome?.moved === 'read' || answered || differs;
  if (progress === 'there' && (!watch.returns || changed)) return { kind: 'back' };
  if (elapsedMs < backWithinMs)
    return { kind: 'on its way', shows, moved: moved || progress === 'on its way' };
  const still = progress === 'there' ? `${shows} in every check, and never changed` : shows;
  return { kind: 'broken', why: `${name} is still not back after ${tookText(elapsedMs)}: ${still}.` };
}
