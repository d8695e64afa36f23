import type { Button } from '@slack/types';

import { pausedForMs } from '../../request/rollout/drive.ts';
import { pauseMs } from '../../command/rollout.ts';
import type { Request, Rollout, RolloutLine } from '../../model/records/request.ts';
import { backWithinMs } from '../../request/rollout/progress.ts';
import { targetNames } from '../../request/rollout/single.ts';
import { button, lineSections, type MessageBlock, plain, section, stateSigns } from '../render/blocks.ts';
import { limits } from '../render/limits.ts';
import { mention, safeLine, slackTime } from '../render/text.ts';
import { type CardOptions, openLead, whyLines } from './card-lead.ts';

export const rolloutLine = (request: Request, rollout: Rollout): string =>
  [...rollout.each, `pause ${rollout.pause}`, ...inputTexts(request)]
    .map((part) => safeLine(part, 80))
    .join(' · ');

const inputTexts = ({ input }: Request): readonly string[] =>
  Object.entries(input).map(([name, value]) =>
    value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );

export function rolloutLead(request: Request, rollout: Rollout, options: CardOptions): MessageBlock {
  const { requester, state } = request;
  const { paused, pause, startedAt, stopping } = rollout;
  const why = whyLines(request, 200);
  if (state !== 'running') return openLead(request, options);
  const from = startedAt === undefined ? '' : ` since ${slackTime(startedAt)}`;
  const asked = `Requested by ${mention(requester)}.`;
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
  const then = pausedText(request, rollout, paused);
  return section([`*${safeLine(paused.why, 700)}*`, then, ...why].join('\n'));
}

type Pause = NonNullable<Rollout['paused']>;

function pausedText(request: Request, rollout: Rollout, { at, next }: Pause): string {
  const name = targetNames(request)[next];
  const until = slackTime(at + pausedForMs);
  if (name !== undefined)
    return `${safeLine(name, 100)} is next. Nothing more will run until ${mention(request.requester)} continues. If that doesn't happen by ${until}, the rollout stops.`;
  return unsettled(rollout)
    ? `It was the last target. To complete the rollout, settle the outcome as succeeded by ${until}. Otherwise the rollout stops.`
    : `It was the last target. The rollout stops at ${until}.`;
}

const unsettled = ({ lines, index }: Rollout): boolean => lines[index]?.state === 'unknown';

const currentName = (request: Request, { index }: Rollout): string => targetNames(request)[index] ?? '';

export function rolloutSections(request: Request, rollout: Rollout): MessageBlock[] {
  return lineSections(rollout.lines.map((line, index) => lineText(request, rollout, line, index)));
}

/** For example `✅ *web-1* succeeded, back since 20:14`. */
function lineText(request: Request, rollout: Rollout, line: RolloutLine, index: number): string {
  const shown = `*${safeLine(targetNames(request)[index] ?? '', 80)}*`;
  const runs = request.state === 'running' && !rollout.paused;
  const { state, at } = line;
  const note = line.note === undefined ? '' : safeLine(line.note, 120);
  if (state === undefined) {
    const { backAt } = rollout;
    const next = runs && !rollout.stopping && backAt !== undefined && index === rollout.index + 1;
    if (next) return `${waitingSign} ${shown} starts at ${slackTime(backAt + (pauseMs(rollout.pause) ?? 0))}`;
    return `${waitingSign} ${shown} ${request.endedAt === undefined ? 'waiting' : 'not started'}`;
  }
  const isNow = runs && index === rollout.index;
  if (state === 'succeeded' && isNow && rollout.backAt === undefined) {
    const until = at === undefined ? '' : `, until ${slackTime(at + backWithinMs)} at most`;
    return `${stateSigns.running} ${shown} ${state}, waiting for it to come back${note && ` (${note})`}${until}`;
  }
  const back = isNow && rollout.backAt !== undefined ? `, back since ${slackTime(rollout.backAt)}` : '';
  const when =
    back === '' && at !== undefined ? ` ${state === 'running' ? 'since ' : ''}${slackTime(at)}` : back;
  return `${stateSigns[state]} ${shown} ${state}${when}${note && ` · ${note}`}`;
}

const waitingSign = '▫️';

/**
 * The buttons of a rollout that is running or paused, or that ended after its start. The value of *Continue* names the line that
 * the button was shown for.
 */
export function rolloutButtons(request: Request, rollout: Rollout, checkable: boolean): Button[] {
  const { id, state } = request;
  const { paused, stopping } = rollout;
  if (state !== 'running') return unknownButtons(rollout, checkable);
  if (!paused) {
    const text = `Stop after ${currentName(request, rollout)}`;
    return stopping ? [] : [button({ text, action: 'stop', value: id })];
  }
  const stop = button({ text: 'Stop here', action: 'stop', value: id });
  const next = targetNames(request)[paused.next];
  const begin = next === undefined ? [] : [continueButton(request, paused, next)];
  return [...begin, stop, ...unknownButtons(rollout, checkable)];
}

/**
 * The buttons for the newest target whose outcome is unknown, even after the rollout is over. Once that outcome is settled, the
 * buttons are for the unknown target before.
 */
function unknownButtons({ lines }: Rollout, checkable: boolean): Button[] {
  const value = lines.findLast((line) => line.state === 'unknown')?.request;
  if (value === undefined) return [];
  return [
    ...(checkable ? [button({ text: 'Check now', action: 'check', value })] : []),
    button({ text: 'Settle…', action: 'settle', value }),
  ];
}

const continueButton = ({ id }: Request, { why, next }: Pause, name: string): Button => ({
  ...button({ text: `Continue with ${name}…`, action: 'continue', value: `${id}/${next}`, style: 'danger' }),
  confirm: {
    title: plain(`Continue with ${name}?`, limits.confirmTitle),
    text: plain(why, limits.confirmText),
    confirm: plain(`Continue with ${name}`, limits.confirmButton),
    deny: plain('Back', limits.confirmButton),
    style: 'danger',
  },
});

export function readRolloutValue(value: string): { readonly requestId: string; readonly next?: number } {
  const [requestId = '', next] = value.split('/');
  return next !== undefined && /^\d{1,2}$/u.test(next) ? { requestId, next: Number(next) } : { requestId };
}
