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
import { type Hold, selectorText, targetsText } from './hold.ts';

/** The one message of a hold. It mentions no one. @param still someone else's hold on its targets */
export function renderHold(hold: Hold, disclaimers: readonly string[], still?: Hold): Message {
  const { id, name, selector, reason, until, uncertain, ended, count } = hold;
  const what = safeLine(selectorText(selector), 200);
  const targets = 'labels' in selector ? `\nTargets (${count}): ${safeLine(targetsText(hold), 500)}` : '';
  const isOn = ended === undefined;
  const title = isOn
    ? `🔒 ${selectorText(selector)} is held`
    : still
      ? `🔓 One hold on ${selectorText(selector)} has ended`
      : `🔓 ${selectorText(selector)}: the hold has ended`;
  const effect = "Others can't change it. Reads work.";
  const holder = `*${safeLine(name, 100)}*`;
  const when = ended
    ? endText(ended) + (still ? stillText(still) : '')
    : uncertain === undefined
      ? `${holder} holds ${what} until ${slackDateTime(until)}. ${effect}`
      : `${holder} holds ${what}. ${effect}\n${uncertainText(uncertain, until)}`;
  return {
    text: clipMrkdwn(`${title} · ${safeLine(reason, 300)}`, limits.fallbackText),
    blocks: [
      header(title),
      section(`${when}\nWhy: “${safeLine(reason, 500)}”${targets}`),
      contextBlock([
        `${isOn ? '' : `Held by ${safeLine(name, 100)} · `}${safeLine(id, 60)}`,
        ...disclaimerLines(disclaimers),
      ]),
      ...(isOn
        ? actions(
            runButtons([
              { text: 'Release', words: `/bellhop release ${id}` },
              { text: 'Extend 1h', words: `/bellhop extend ${id}` },
            ]),
          )
        : []),
    ],
  };
}

function endText({ how, by, at }: NonNullable<Hold['ended']>): string {
  const who = by ? ` by ${mention(by)}` : '';
  if (how === 'released') return `Released${who} at ${slackTime(at)}.`;
  return how === 'replaced'
    ? `Replaced by a newer hold at ${slackTime(at)}.`
    : `Ended at ${slackTime(at)}, as planned.`;
}

const stillText = ({ name, selector, until, uncertain }: Hold): string =>
  `\n*${safeLine(name, 100)}* still holds ${safeLine(selectorText(selector), 200)}${uncertain === undefined ? ` until ${slackDateTime(until)}` : ''}.`;

const uncertainText = (why: NonNullable<Hold['uncertain']>, until: number): string =>
  why === 'restored'
    ? `⚠️ The store was restored, and this hold may have been extended since the backup. It stays until ${slackDateTime(until)}, unless someone releases it.`
    : "⚠️ Bellhop's clock was wrong or was set back, so the end of this hold is not certain. It stays until the clock is right and its end has passed, unless someone releases it.";
