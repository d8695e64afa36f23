import type { Button } from '@slack/types';

import { pauseMs } from '../../command/each.ts';
import {
  type Request,
  type Rollout,
  type RolloutLine,
  type State,
  stateWord,
} from '../../model/records/request.ts';
import { type Actor, sameActor } from '../../model/values/actor.ts';
import { riskOf } from '../../model/operation.ts';
import { backWithinMs, likelyNotRun, partValue, pausedForMs } from '../../model/records/whole.ts';
import { eachTarget, targetKey, targetNames } from '../../model/rulebook/target.ts';
import { clip, listed } from '../../text/words.ts';
import {
  button,
  type ButtonStyle,
  lineSections,
  type MessageBlock,
  plain,
  section,
  stateSigns,
} from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { linkTo, mention, mrkdwnParts, safeLine, slackTime } from '../render/text.ts';
import { attemptLine, type Beside, type Linked } from './card-lines.ts';
import { approvedText, type CardOptions, openLead, whyLines } from './card-lead.ts';
import { actionLabel, shortIds } from './card-words.ts';

export const continueAction = 'continue';
export const stopAction = 'stop';

export const wholeLine = (request: Request): string | undefined =>
  request.rollout &&
  [...request.rollout.each, `${request.rollout.pause} between targets`, ...inputTexts(request)]
    .map((part) => safeLine(part, 80))
    .join(' · ');

const inputTexts = ({ input }: Request): readonly string[] =>
  Object.entries(input).map(([name, value]) =>
    value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );

export function wholeLead(request: Request, options: CardOptions): MessageBlock | undefined {
  const { requester, state, rollout } = request;
  if (!rollout) return undefined;
  const { paused, pause, startedAt, stopping } = rollout;
  const why = whyLines(request, 200);
  if (state !== 'running') return openLead(request, options);
  const from = startedAt === undefined ? '' : ` since ${slackTime(startedAt)}`;
  const asked = `Requested by ${mention(requester)}.${approvedText(request.approvals)}`;
  if (!paused) {
    const next = `The next one starts once this one has been healthy for ${safeLine(pause, 20)}.`;
    const isLast = rollout.index === rollout.lines.length - 1;
    const until = stopping
      ? `*Stops after ${safeLine(currentName(request, rollout), 100)}*, as ${mention(stopping.by)} asked.`
      : isLast
        ? 'This is the last one.'
        : next;
    return section([`${asked} Running${from}, one at a time. ${until}`, ...why].join('\n'));
  }
  const then = pausedText(request, paused, options);
  return section([`*${pausedWhy(paused, 700)}*`, then, ...why].join('\n'));
}

type Pause = NonNullable<Rollout['paused']>;

const pausedWhy = ({ why, said = [why] }: Pause, room: number): string => mrkdwnParts(said, room);

function pausedText(request: Request, { at, next }: Pause, { checkable = false }: CardOptions): string {
  const { lines = [], index = 0 } = request.rollout ?? {};
  const mayRun = lines[index]?.state === 'unknown';
  const decide = decisionText(request, checkable);
  const until = slackTime(at + pausedForMs);
  return targetNames(request.target)[next] === undefined
    ? `${decide} The rollout stops at ${until}${mayRun ? ', unless it turns out that the last change ran' : ''}.`
    : `${decide} Nothing more will run until ${mention(request.requester)} continues. If that doesn't happen by ${until}, the rollout stops.`;
}

/** Written from the current request, because the outcome may have become known since the notice was due. */
export const pausedNotice = (request: Request, checkable: boolean): string =>
  `${request.rollout?.paused ? pausedWhy(request.rollout.paused, 500) : ''} ${decisionText(request, checkable)}`;

/** In the order of the buttons. An unknown outcome has to be checked before anything else. */
function decisionText(request: Request, checkable: boolean): string {
  const { paused, lines = [], index = 0 } = request.rollout ?? {};
  const names = targetNames(request.target).map((name) => safeLine(name, 100));
  const name = paused && names[paused.next];
  if (paused?.inTheWay !== undefined) return laterText(`*Continue with ${name}…*`, 'that request');
  if (paused?.barredBy !== undefined)
    return laterText(`*Continue with ${name}…*`, `the ${safeLine(paused.barredBy, 200)}`);
  const isReady = hasSucceeded(lines[index]);
  const go =
    name === undefined
      ? '*Stop here*'
      : `*Continue with ${name}…*${isReady ? ' when you are ready,' : ''} or *Stop here*`;
  const unknown = lastUnknown(lines);
  const check = likelyNotRun(lines[unknown])
    ? 'Press *Settle…*, then'
    : checkable
      ? `Press *Check now* first. If the outcome stays unknown, check ${names[unknown]} itself and press *Settle…*. Then press`
      : `Check ${names[unknown]} and press *Settle…* first, then`;
  return `${name === undefined ? 'It was the last target. ' : ''}${unknown === -1 ? 'Press' : check} ${go}.`;
}

const laterText = (go: string, first: string): string =>
  `${go} appears here once ${first} has ended. *Stop here* ends the rollout now.`;

const lastUnknown = (lines: Rollout['lines']): number =>
  lines.findLastIndex(({ state }) => state === 'unknown');

/** True although the service's answer was lost. */
const hasSucceeded = (line: RolloutLine | undefined): boolean =>
  line?.state === 'succeeded' && line.evidence === 'succeeded';

const currentName = (request: Request, { index }: Rollout): string =>
  targetNames(request.target)[index] ?? '';

export function wholeSections(request: Request, { earlierParts, openParts }: Beside = {}): MessageBlock[] {
  const { rollout, target } = request;
  if (!rollout) return [];
  const targets = eachTarget(target);
  return lineSections(
    rollout.lines.map((line, index) => {
      const one = targets[index];
      const key = one && targetKey(one);
      const attempt = key && earlierParts?.get(key);
      const open = key && openParts?.get(key);
      return [
        lineText(request, rollout, line, index),
        ...(attempt ? [mrkdwnParts(attemptLine(attempt), 200)] : []),
        ...(open ? [openText(open, request.requester)] : []),
      ].join(' · ');
    }),
  );
}

function openText({ request, link }: Linked, by: Actor): string {
  const word = stateWord(request);
  const who = mention(request.requester);
  const ask = sameActor(request.requester, by)
    ? 'Finish or cancel it first'
    : `Ask ${who} to finish or cancel it first`;
  const first = word === 'running' ? 'Wait until it ends' : ask;
  return `⚠️ has an open request by ${who}: ${linkTo(link, safeLine(request.words, 200))}, ${word}. ${first}.`;
}

/** For example `✅ *web-1* succeeded, back since 20:14`. */
function lineText(request: Request, rollout: Rollout, line: RolloutLine, index: number): string {
  const shown = `*${safeLine(targetNames(request.target)[index] ?? '', 80)}*`;
  const runs = request.state === 'running' && !rollout.paused;
  const { state, at } = line;
  const note = line.note === undefined ? '' : safeLine(shortIds(line.note), 250);
  if (state === undefined) {
    const { backAt } = rollout;
    const next = runs && !rollout.stopping && backAt !== undefined && index === rollout.index + 1;
    if (next) return `${waitingSign} ${shown} starts at ${slackTime(backAt + (pauseMs(rollout.pause) ?? 0))}`;
    return `${waitingSign} ${shown} ${request.endedAt === undefined ? 'waiting' : 'not started'}`;
  }
  const isNow = runs && index === rollout.index;
  if (state === 'succeeded' && isNow && rollout.backAt === undefined) {
    const until = at === undefined ? '' : ` by ${slackTime(at + backWithinMs)}`;
    return `${stateSigns.running} ${shown} ${state}, waiting for it to come back${until}${note && ` (${note})`}`;
  }
  const back = isNow && rollout.backAt !== undefined ? `, back since ${slackTime(rollout.backAt)}` : '';
  const since = state === 'running' ? ' since' : state === 'unknown' && note !== '' ? ', checked' : '';
  const when = back === '' && at !== undefined ? `${since} ${slackTime(at)}` : back;
  return `${stateSigns[state]} ${shown}${line.didNotRun ? ': the change did not run' : ` ${state}`}${when}${note && ` · ${note}`}`;
}

const waitingSign = '▫️';

/** For a rollout that has started. The value of *Continue* names the line that the button was shown for. */
export function wholeButtons(request: Request, options: CardOptions): Button[] {
  const { id, state, rollout } = request;
  if (!rollout) return [];
  const { paused, stopping } = rollout;
  const unknown = unknownButtons(rollout, options.checkable, paused && 'primary');
  if (state !== 'running') return [...unknown, ...againButtons(request, options)];
  if (!paused) {
    const text = `Stop after ${currentName(request, rollout)}`;
    return stopping ? [] : [button({ text, action: stopAction, value: id })];
  }
  const stop = button({ text: 'Stop here', action: stopAction, value: id });
  const name = targetNames(request.target)[paused.next];
  const waits = paused.inTheWay !== undefined || paused.barredBy !== undefined;
  if (name === undefined || waits) return [...unknown, stop];
  const text = continueText(request, rollout, paused, options);
  const style = unknown.length > 0 ? undefined : 'danger';
  return [...unknown, continueButton(partValue(id, paused.next), name, text, style), stop];
}

/** Slack requires different action ids within a block. */
export const againActions = ['again', 'again:2', 'again:3'] as const;

/** Each requests the change of one target again: first the targets whose change never ran, then those whose change failed. */
function againButtons({ id, rollout, target }: Request, { verb }: CardOptions): Button[] {
  const thatEnded = (...ends: (State | undefined)[]) =>
    eachTarget(target).flatMap((one, index) => {
      const line = rollout?.lines[index];
      if (!line || !ends.includes(line.didNotRun ? undefined : line.state)) return [];
      return [
        { text: `${actionLabel(verb, { target: one })}…`, value: line.request ?? partValue(id, index) },
      ];
    });
  const left = [...thatEnded(undefined, 'cancelled', 'expired', 'refused'), ...thatEnded('failed')];
  return againActions.flatMap((action, index) => (left[index] ? button({ ...left[index], action }) : []));
}

/** For the newest target whose outcome is unknown, even after the rollout. The button of the next step comes first. */
function unknownButtons({ lines }: Rollout, checkable = false, style?: ButtonStyle): Button[] {
  const line = lines[lastUnknown(lines)];
  const value = line?.request;
  if (value === undefined) return [];
  const isChecked = likelyNotRun(line);
  const settle = button({ text: 'Settle…', action: 'settle', value, style: isChecked ? style : undefined });
  if (!checkable) return [settle];
  const check = button({ text: 'Check now', action: 'check', value, style: isChecked ? undefined : style });
  return isChecked ? [settle, check] : [check, settle];
}

/**
 * Warns before *Continue* how many targets would be down at once. The newest target counts as possibly down although its change succeeded,
 * unless the rollout paused only because an answer was lost.
 */
function continueText(
  request: Request,
  { lines, index }: Rollout,
  { next, why }: Pause,
  options: CardOptions,
): string {
  const names = targetNames(request.target);
  const unknown = lastUnknown(lines);
  const others = eachTarget(request.target).map((one) => options.earlierParts?.get(targetKey(one)));
  const mayHaveRun = others.map((other) => other && other.outcome?.search?.suggests !== 'failed');
  const mayBeDown = (line: RolloutLine | undefined, at: number): boolean =>
    line?.state === 'unknown'
      ? !likelyNotRun(line)
      : line?.state === undefined
        ? mayHaveRun[at] === true
        : at === index && line.state === 'succeeded' && !hasSucceeded(line);
  const down = names.filter((_, at) => at !== next && mayBeDown(lines[at], at));
  const hurts = down.length > 0 && riskOf(options.operation, request.input) === 'destructive';
  const means = `${listed(down)} may be down. If ${names[next]} goes too, ${down.length + 1} of ${names.length} are out.`;
  const first =
    unknown === -1
      ? ''
      : options.checkable && !likelyNotRun(lines[unknown])
        ? ` Press Check now first, and check ${names[unknown]} itself.`
        : ' Press Settle… first.';
  const came = mayHaveRun[next] ? 'may have run' : 'most likely did not run';
  const twice = others[next] ? `Another request for ${names[next]} ${came}. Continue runs it now. ` : '';
  const room = limits.confirmText - first.length - twice.length;
  return `${twice}${hurts ? means : clip(why, room)}${first}`;
}

const continueButton = (
  value: string,
  name: string,
  text: string,
  style: ButtonStyle | undefined,
): Button => ({
  ...button({ text: `Continue with ${name}…`, action: continueAction, value, style }),
  confirm: {
    title: plain(`Continue with ${name}?`, limits.confirmTitle),
    text: plain(text, limits.confirmText),
    confirm: plain(`Continue with ${name}`, limits.confirmButton),
    deny: plain('Back', limits.confirmButton),
    style: 'danger',
  },
});
