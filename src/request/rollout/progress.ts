import type { RunnerContext } from '../../model/ports.ts';
import type { Request, Rollout, RolloutLine, State } from '../../model/request.ts';

/** The lines as their requests are now, and the request whose turn it is. What is settled is not read again. */
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

/** States that are not the last word on a single request. */
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

/** A clock that was set back: what is waited for counts from now, not from a time that lies ahead. */
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
