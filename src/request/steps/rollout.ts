import type { Rules } from '../../model/ports.ts';
import { badInput } from '../../model/values/errors.ts';
import type { Entry } from '../../model/registry.ts';
import { listed } from '../../text/words.ts';
import type { Fact } from '../../model/values/report.ts';
import type { Request, Rollout, RolloutLine } from '../../model/records/request.ts';
import { canObserve, changeTasks } from './step.ts';

export const withLine = ({ lines }: Rollout, index: number, line: RolloutLine): RolloutLine[] =>
  lines.map((one, at) => (at === index ? line : one));

/** @param now epoch milliseconds */
export function resumed(rollout: Rollout, now: number): Rollout {
  const { paused, stopping: _stopping, ...rest } = rollout;
  const index = paused?.next ?? rollout.index;
  const pausedMs = (rest.pausedMs ?? 0) + (paused ? Math.max(0, now - paused.at) : 0);
  return turnTo(
    {
      ...rest,
      ...(pausedMs > 0 && { pausedMs }),
      lines: withLine(rest, index, { preview: rest.lines[index]?.preview ?? [] }),
    },
    index,
  );
}

/** Clears the observations of the previous target. */
export function turnTo({ moved: _moved, backAt: _backAt, ...rest }: Rollout, index: number): Rollout {
  return { ...rest, index };
}

/** A fact for each target, and the effect on the first target. */
export function rolloutPreview(names: readonly string[], previews: readonly (readonly Fact[])[]): Fact[] {
  const sent = names.map((name, index) => {
    const facts = previews[index]?.filter(({ isEffect }) => !isEffect) ?? [];
    const value = facts.map((one) => (one.isCall ? one.value : `${one.label}: ${one.value}`));
    return { label: name, value: value.join(' · ') };
  });
  const effect = previews[0]?.find(({ isEffect }) => isEffect);
  if (!effect) return sent;
  const [, second, ...more] = names;
  if (second === undefined) return [...sent, effect];
  const others = more.length === 0 ? second : `the other ${names.length - 1}, one at a time`;
  return [...sent, { ...effect, value: `${effect.value} Then ${others}.` }];
}

/** The request as people decide on it. For a paused rollout, only the remaining targets are shown. */
export function stillToRun(request: Request): Request {
  const { rollout, target, state } = request;
  const waits = state === 'proposed' || state === 'awaiting approval';
  if (!waits || !rollout?.paused || target.kind !== 'rollout') return request;
  const { next } = rollout.paused;
  const targets = target.targets.slice(next);
  const names = targets.map(({ name }) => name);
  const preview = rolloutPreview(
    names,
    rollout.lines.slice(next).map((line) => line.preview),
  );
  const [only] = targets;
  const left = targets.length === 1 && only ? only : { ...target, name: listed(names), targets };
  return { ...request, target: left, preview };
}

/** Whether Bellhop can tell that a target of this operation is healthy again. */
export const canTell = (context: Pick<Rules, 'rulebook'>, entry: Entry): boolean =>
  (canObserve(context, entry) && entry.operation.watch !== undefined) ||
  changeTasks(context, entry)?.read !== undefined;

/** @throws BellhopError `bad-input` that says what the operation lacks */
export function assertRolls(context: Pick<Rules, 'rulebook'>, entry: Entry): void {
  if (canTell(context, entry)) return;
  const text = `${missing(entry)}, so Bellhop can't tell whether a target is healthy before it starts the next one.`;
  throw badInput(`--each can't be used here: ${text}`);
}

function missing({ operation }: Entry): string {
  const lacks = (['observe', 'watch'] as const).filter((member) => operation[member] === undefined);
  return operation.tasks?.read || lacks.length === 0
    ? '“extensions” in bellhop.yaml lists neither instance-read nor tasks'
    : `${operation.name} has no ${lacks.join(' and no ')}, and no tasks`;
}
