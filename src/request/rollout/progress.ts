import type { RunnerContext } from '../../model/ports.ts';
import type { Request, Rollout, RolloutLine, State } from '../../model/request.ts';

/** Updates the lines from their requests, and finds the current request. Ended lines are not read again. */
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

/** States of a single request that can still change. */
export const mayChange: ReadonlySet<State | undefined> = new Set<State>(['proposed', 'running', 'unknown']);

/** A note about one state does not apply to another. */
const lineNow = (line: RolloutLine, single: Request | undefined): RolloutLine =>
  !single || (line.state === single.state && line.at !== undefined)
    ? line
    : {
        preview: line.preview,
        request: line.request,
        state: single.state,
        at: single.endedAt ?? single.startedAt,
      };

/** If the clock was set back, waiting starts now, not at a time in the future. */
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
