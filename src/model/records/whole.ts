import type { TextPart } from '../../text/parts.ts';
import { listed } from '../../text/words.ts';
import {
  asOne,
  eachTarget,
  isSeveral,
  type SingleTarget,
  type Target,
  targetKey,
  targetNames,
} from '../rulebook/target.ts';
import type { Fact } from '../values/report.ts';
import {
  isOpen,
  isWaiting,
  type Request,
  type RequestChanges,
  type Rollout,
  type RolloutLine,
} from './request.ts';

/*
 * A request for several targets, a rollout, is a whole. Each of its changes is a request of its own, a part, which knows
 * only the id of its whole (`partOf`). These functions take any request, whether or not it is a whole.
 */

export const theWhole = 'The rollout';

/** Bellhop proposes a part in the name of the requester of its whole. */
export const partBeganText = 'began as part of the rollout';

export const useWholeText = "This request is part of a rollout. Use the rollout's card.";

export const noSkipText = "A rollout that has started can't skip its approval";

/** @param whole its id */
export const partOfText = (whole: string): string => `part of rollout ${whole}`;

/** In milliseconds. Then a paused whole that no one continues is stopped. */
export const pausedForMs = 60 * 60_000;

/** In milliseconds after a change was accepted. Its target must be healthy again by then. */
export const backWithinMs = 10 * 60_000;

export const wholesByState = (rolling: number, paused: number): Readonly<Record<string, number>> => ({
  [rolling === 1 ? 'rollout running' : 'rollouts running']: rolling,
  [paused === 1 ? 'rollout paused' : 'rollouts paused']: paused,
});

/** Follows the requester's name. */
export const ownWhole = "'s rollout ";

/** The index of this target in the whole, or -1. */
const indexIn = (whole: Request, one: Target): number =>
  eachTarget(whole.target).findIndex((each) => targetKey(each) === targetKey(one));

/** The line of the whole for this target. Undefined if the whole does not have the target. */
export const lineIn = (whole: Request, one: Target): RolloutLine | undefined =>
  whole.rollout?.lines[indexIn(whole, one)];

/**
 * Says where a started whole was, or when it stopped, for a request of one of its targets. A card keeps these words until it is
 * drawn again, so they stay true. Undefined if the whole does not have that target, or got as far as the target before it ended.
 */
export function placeIn(
  whole: Request,
  one: Pick<Request, 'id' | 'target'>,
): readonly TextPart[] | undefined {
  const { target, rollout, state, endedAt } = whole;
  const names = targetNames(target);
  const at = indexIn(whole, one.target);
  if (!rollout || at === -1) return undefined;
  const { index, lines, paused, stopping, startedAt } = rollout;
  if (!isOpen(state)) {
    const isLeft = state === 'cancelled' && lines[at]?.state === undefined && endedAt !== undefined;
    return isLeft ? [' stopped on ', { at: endedAt }, `, before ${names[at]}.`] : undefined;
  }
  const now = names[index];
  if (stopping && !paused) return [` stops after ${now}.`];
  const turn = at === index ? '' : `; ${names[at]} comes ${at < index ? 'before' : 'after'} ${now}`;
  if (!paused) {
    const since = lines[index]?.at ?? startedAt;
    return [` was at ${now}`, ...(since === undefined ? [] : [' on ', { at: since }]), `${turn}.`];
  }
  const waits = paused.inTheWay === one.id ? 'It waits for this request.' : '';
  const more = [unclearText(whole), waits].filter((said) => said !== '').map((said) => ` ${said}`);
  return [` paused at ${now} on `, { at: paused.at }, `${turn}.`, ...more];
}

/** Names the parts whose outcome is unknown. */
export function unclearText(whole: Request): string {
  const { unknown = [], unlikely = [] } = tally(whole) ?? {};
  return [
    ...(unlikely.length > 0 ? [`The change most likely did not run on ${listed(unlikely)}.`] : []),
    ...(unknown.length > 0 ? [`The outcome for ${listed(unknown)} is unknown.`] : []),
  ].join(' ');
}

type Pause = NonNullable<Rollout['paused']>;

type MaybeWhole = Pick<Request, 'rollout'>;

export const hasParts = ({ rollout }: MaybeWhole): boolean => rollout !== undefined;

/** When the request, or its first part, was started, in epoch milliseconds. */
export const begunAt = ({ startedAt, rollout }: Pick<Request, 'startedAt' | 'rollout'>): number | undefined =>
  startedAt ?? rollout?.startedAt;

/** As typed. */
export const eachOptions = ({ rollout }: MaybeWhole) => ({ each: rollout?.each, pause: rollout?.pause });

export type Named = Pick<Request, 'target' | 'rollout'>;

/** For a whole, for example `3 × tier=web`. */
export const shortName = ({ target, rollout }: Named): string =>
  rollout && isSeveral(target) ? `${target.targets.length} × ${rollout.each.join(', ')}` : target.name;

/** Whether the whole is paused, or was paused before. */
export const hasPaused = ({ rollout }: MaybeWhole): boolean =>
  (rollout?.paused ?? rollout?.pausedMs) !== undefined;

/** For a button about one target. @param id of the whole */
export const partValue = (id: string, index: number): string => `${id}/${index}`;

/** Only the value of a button about one target of a whole has an index. */
export function readPart(value: string): { readonly requestId: string; readonly index?: number } {
  const [requestId = '', index] = value.split('/');
  return index !== undefined && /^\d{1,2}$/u.test(index)
    ? { requestId, index: Number(index) }
    : { requestId };
}

/**
 * The request for one target. Undefined if the whole has no such target.
 * @param field the field that takes the target
 */
export function partAt(whole: Request, index: number, field = '') {
  const target = eachTarget(whole.target)[index];
  return target && { ...whole, target, input: { ...whole.input, [field]: target.name }, rollout: undefined };
}

/** So far, in the order of their targets. */
export const partIds = ({ rollout }: MaybeWhole): readonly string[] =>
  rollout?.lines.flatMap(({ request: id }) => id ?? []) ?? [];

/** The parts whose targets were seen healthy again. A part may have succeeded without that, if a person continued all the same. */
export const returnedIn = ({ rollout }: MaybeWhole): ReadonlySet<string> =>
  new Set(rollout?.lines.flatMap(({ request: id = [], isBack }) => (isBack ? id : [])));

/** Whether the outcome is unknown, but the evidence suggests that the part did not run. */
export const likelyNotRun = (line: RolloutLine | undefined): boolean =>
  line?.state === 'unknown' && line.evidence === 'failed';

/** How the parts ended. Undefined for a request of one target. */
export function tally({ target, rollout }: Request) {
  if (!rollout) return undefined;
  const { lines } = rollout;
  const that = (is: (line: RolloutLine) => boolean | undefined): readonly string[] =>
    targetNames(target).filter((_, index) => lines[index] && is(lines[index]));
  return {
    all: lines.length,
    succeeded: that(({ state }) => state === 'succeeded').length,
    failed: that(({ state, didNotRun }) => state === 'failed' && !didNotRun),
    didNotRun: that(({ didNotRun }) => didNotRun),
    unknown: that((line) => line.state === 'unknown' && !likelyNotRun(line)),
    unlikely: that(likelyNotRun),
  };
}

/** After a pause, the targets from `paused.next` on. */
export const remainingTargets = ({ target, rollout }: Request): readonly SingleTarget[] =>
  eachTarget(target).slice(rollout?.paused?.next ?? 0);

/** As people decide on it: for a paused whole, only the remaining targets. */
export function stillToRun(request: Request): Request {
  const { rollout } = request;
  if (!isWaiting(request) || !rollout?.paused) return request;
  const targets = remainingTargets(request);
  const names = targets.map(({ name }) => name);
  const previews = rollout.lines.slice(rollout.paused.next).map((line) => line.preview);
  const left = asOne(targets, listed(names)) ?? request.target;
  return { ...request, target: left, preview: previewOfAll(names, previews) };
}

/** Typed to confirm: the target's name. For a whole, its labels, or the name of the target that it continues with. */
export function nameToType(request: Request): string {
  const { target, rollout } = request;
  if (!rollout) return target.name;
  return (rollout.paused && remainingTargets(request)[0]?.name) ?? rollout.each.join(' ');
}

/** A fact for each target, and the effect on the first. */
function previewOfAll(names: readonly string[], previews: readonly (readonly Fact[])[]): Fact[] {
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

export const proposedWhole = (
  target: Target,
  previews: readonly Request['preview'][],
  { each = [], pause }: { readonly each: readonly string[] | undefined; readonly pause: string },
): Pick<Request, 'preview' | 'rollout'> => ({
  preview: previewOfAll(targetNames(target), previews),
  rollout: { each: [...each], pause, lines: previews.map((preview) => ({ preview })), index: 0 },
});

/** In milliseconds, in all pauses. */
const pausedUntil = ({ paused, pausedMs = 0 }: Rollout, now: number): number =>
  pausedMs + (paused ? Math.max(0, now - paused.at) : 0);

/** A pause that follows an earlier one has its own beginning. */
export const pausedAnew = (rollout: Rollout, at: number, pause: Omit<Pause, 'at'>): Rollout => ({
  ...rollout,
  ...(rollout.paused && { pausedMs: pausedUntil(rollout, at) }),
  paused: { ...pause, at },
});

/** For the step that starts a whole, or continues it after a pause. */
export function begun({ rollout }: MaybeWhole, now: number): RequestChanges | undefined {
  if (!rollout) return undefined;
  const { paused, stopping: _stopping, pausedMs: _earlier, ...rest } = rollout;
  const index = paused?.next ?? rollout.index;
  const pausedMs = pausedUntil(rollout, now);
  const lines = withLine(rest, index, { preview: rest.lines[index]?.preview ?? [] });
  const next = turnTo({ startedAt: now, ...rest, lines }, index);
  return { rollout: { ...next, ...(pausedMs > 0 && { pausedMs }) } };
}

/** Makes a rollout wait for a person. The current target may already have been changed. */
export function heldWhole({ rollout }: MaybeWhole, at: number, why: string): RequestChanges {
  if (!rollout) return {};
  const { index, lines } = rollout;
  const next = lines[index]?.request === undefined ? index : index + 1;
  return { rollout: { ...rollout, paused: { at, why, next } } };
}

export const withLine = (
  { lines }: Pick<Rollout, 'lines'>,
  index: number,
  line: RolloutLine,
): RolloutLine[] => lines.map((one, at) => (at === index ? line : one));

/** Clears the observations of the previous target. */
export function turnTo({ moved: _moved, backAt: _backAt, ...rest }: Rollout, index: number): Rollout {
  return { ...rest, index };
}
