import type { Request, Rollout, RolloutLine, State } from '../../../src/model/records/request.ts';
import { type InstanceTarget, targetKey } from '../../../src/model/rulebook/target.ts';
import { listed } from '../../../src/text/words.ts';
import { aRequest } from '../../sample-request.ts';

const at = 1_763_700_060_000;

/** The lines of a rollout, by the state of each target. A target with `undefined` waits. */
const linesOf = (states: readonly (State | undefined)[], noteOfSecond?: string): RolloutLine[] =>
  states.map((state, index) => ({
    preview: [
      { label: 'Sends', value: `POST /cloud/v1/instances/1186668/76/web-${index + 1}/reboot`, isCall: true },
      { label: 'Effect', value: `web-${index + 1} will be down while it reboots.`, isEffect: true },
    ],
    ...(state && { state, request: `r-single${index + 1}`, at: at + index * 60_000 }),
    ...(index === 1 && { note: noteOfSecond }),
  }));

/** A rollout over as many targets as there are states. The last target with a state is the current one. */
function aRollout(
  states: readonly (State | undefined)[],
  rollout: Partial<Rollout> = {},
  changes: Partial<Request> = {},
): Request {
  const targets = states.map((_, index): InstanceTarget => ({
    kind: 'instance',
    name: `web-${index + 1}`,
    project: 1186668,
    region: 76,
    id: `00000000-0000-4000-8000-0000000000${String(index + 10)}`,
    labels: { env: 'staging', tier: 'web' },
  }));
  const names = targets.map(({ name }) => name);
  const target = { kind: 'rollout' as const, name: listed(names), labels: {}, targets };
  const begun = states[0] !== undefined;
  const others = targets.length === 2 ? 'web-2' : `the other ${targets.length - 1}`;
  return aRequest({
    ...(begun && { state: 'running', decidedAt: at }),
    input: {},
    words: '/cloud reboot --each tier=web --pause 2m',
    target,
    targetKey: targetKey(target),
    preview: [
      {
        label: 'Effect',
        value: `web-1 will be down while it reboots. Then ${others}, one at a time.`,
        isEffect: true,
      },
    ],
    rollout: {
      each: ['tier=web'],
      pause: '2m',
      lines: linesOf(states),
      index: Math.max(
        0,
        states.findLastIndex((state) => state !== undefined),
      ),
      ...(begun && { startedAt: at }),
      ...rollout,
    },
    ...changes,
  });
}

const unknown =
  'The outcome for web-2 is unknown. The service did not answer within 30 s. The change may or may not have run';

/** One rollout for each state, by the word on the card. @param size the number of targets */
export function rolloutStory(size: number): Readonly<Record<string, Request>> {
  const first = (...states: State[]) => Array.from({ length: size }, (_, index) => states[index]);
  const all = (state: State) => first(...Array.from({ length: size }, () => state));
  const paused = { at: at + 60_000, why: `${unknown}.`, next: 2 };
  const over = { endedAt: at + size * 90_000 };
  const awaiting: Partial<Request> = {
    state: 'awaiting approval',
    decision: {
      effect: 'approve',
      rule: 'production',
      approvers: ['leads'],
      approvals: 1,
      typeName: false,
    },
  };
  const note = `Waiting to continue with web-3. ${paused.why}`;
  return {
    proposed: aRollout(first()),
    'awaiting approval': aRollout(first(), {}, awaiting),
    'approved to continue': aRollout(first('succeeded', 'unknown'), { paused }, { ...awaiting, note }),
    'confirmed to continue': aRollout(first('succeeded', 'unknown'), { paused }, { state: 'proposed', note }),
    running: aRollout(first('succeeded', 'running')),
    'on its way': aRollout(first('succeeded', 'succeeded'), {
      lines: linesOf(first('succeeded', 'succeeded'), 'REBOOT, active, rebooting'),
    }),
    'in the pause': aRollout(first('succeeded', 'succeeded'), { backAt: at + 90_000 }),
    stopping: aRollout(first('succeeded', 'running'), { stopping: { by: aRequest().requester } }),
    paused: aRollout(first('succeeded', 'unknown'), { paused }),
    'paused at the end': aRollout(all('succeeded').with(size - 1, 'unknown'), {
      paused: { ...paused, why: `The outcome for web-${size} is unknown.`, next: size },
    }),
    'done past an unknown': aRollout(
      all('succeeded').with(1, 'unknown'),
      {},
      { state: 'succeeded', ...over },
    ),
    done: aRollout(all('succeeded'), {}, { state: 'succeeded', ...over }),
    stopped: aRollout(
      first('succeeded', 'unknown'),
      { paused },
      { state: 'cancelled', note: paused.why, ...over },
    ),
  };
}
