import { given } from '../../bellhop/parts/report-parts.ts';
import {
  actions,
  contextBlock,
  disclaimerLines,
  header,
  section,
  type Message,
} from '../../slack/render/blocks.ts';
import { runButtons } from '../../slack/render/report.ts';
import { clipMrkdwn, mention, safeLine, slackDateTime, slackTime } from '../../slack/render/text.ts';
import { limits } from '../../slack/render/limits.ts';
import { type Hold, targetsText, whatOf } from './hold.ts';

/**
 * The message of a hold. It shows the holder's name without a mention, so that posting it notifies no one.
 * @param too other people's holds on its targets
 */
export function renderHold(hold: Hold, disclaimers: readonly string[], too: readonly Hold[] = []): Message {
  const { id, reason, ended } = hold;
  const title = titleOf(hold, too.length > 0);
  const paragraph = given(
    ended ? endText(ended) : `${holderText(hold, 'holds')} Others can't change it. Reads work.`,
    !ended && hold.uncertain && uncertainText(hold.uncertain, hold.until),
    too.length > 0 && (ended ? stillText(too) : alsoText(too)),
    `Why: “${safeLine(reason, 500)}”`,
    'labels' in hold.selector && `Targets (${hold.count}): ${safeLine(targetsText(hold), 500)}`,
  );
  const buttons = [
    { text: 'Release', words: `/bellhop release ${id}` },
    { text: 'Extend 1h', words: `/bellhop extend ${id}` },
  ];
  const who = ended ? '' : ` by ${safeLine(hold.name, 100)}${untilText(hold)}`;
  return {
    text: clipMrkdwn(`${title}${who} · ${safeLine(reason, 300)}`, limits.fallbackText),
    blocks: [
      header(title),
      section(paragraph.join('\n')),
      contextBlock([
        `${ended ? `Held by ${safeLine(hold.name, 100)} · ` : ''}${safeLine(id, 60)}`,
        ...disclaimerLines(disclaimers),
      ]),
      ...(ended ? [] : actions(runButtons(buttons))),
    ],
  };
}

function titleOf(hold: Hold, isStillHeld: boolean): string {
  const what = whatOf(hold);
  if (!hold.ended) return `🔒 ${what} is held`;
  return isStillHeld ? `🔓 One hold on ${what} has ended` : `🔓 ${what}: the hold has ended`;
}

function endText({ how, by, at }: NonNullable<Hold['ended']>): string {
  if (how === 'released') return `Released${by ? ` by ${mention(by)}` : ''} at ${slackTime(at)}.`;
  return how === 'replaced'
    ? `Replaced by a newer hold at ${slackTime(at)}.`
    : `Ended at ${slackTime(at)}, as planned.`;
}

export const mostNamed = 5;

const eachText = (too: readonly Hold[], holds: string): string =>
  too
    .slice(0, mostNamed)
    .map((one) => holderText(one, holds))
    .join(' ');

/** Says that others also hold targets of a hold. */
export const alsoText = (too: readonly Hold[]): string =>
  `${eachText(too, 'also holds')} ${too.length === 1 ? 'Neither of you can change what you both hold.' : 'None of you can change what someone else holds, too.'}`;

/** Said once, on a message that does not change any more. */
const stillText = (too: readonly Hold[]): string => eachText(too, 'then still held');

function holderText(hold: Hold, holds: string): string {
  return `*${safeLine(hold.name, 100)}* ${holds} ${safeLine(whatOf(hold), 200)}${untilText(hold)}.`;
}

const untilText = ({ uncertain, until }: Hold): string =>
  uncertain === undefined ? ` until ${slackDateTime(until)}` : '';

const uncertainText = (why: NonNullable<Hold['uncertain']>, until: number): string =>
  why === 'restored'
    ? `⚠️ The store was restored, and this hold may have been extended since the backup. It stays until ${slackDateTime(until)}, unless someone releases it.`
    : "⚠️ Bellhop's clock was wrong or was set back, so the end of this hold is not certain. It stays until the clock is right and its end has passed, unless someone releases it.";
