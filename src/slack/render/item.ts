import type { Item } from '../../model/report.ts';
import { states, type State } from '../../model/request.ts';
import { actions, button, section, type MessageBlock } from './blocks.ts';
import { channelMention, escapeText, mention, safeLine, slackDateTime, slackTime } from './text.ts';
import { limits } from './limits.ts';

const linkText = (link: string | undefined): string =>
  link === undefined ? '' : ` · <${escapeText(link)}|Open the card>`;

/** A request in a list: what, who, deadline, channel, link and reason, with its buttons below. Two blocks at most. */
export function renderItem(item: Item): MessageBlock[] {
  const why = item.why === undefined ? '' : `\n“${safeLine(item.why, 200)}”`;
  const head = `${wordSign(item.state)} *${safeLine(item.title, 300)}* ${safeLine(item.state, 60)}`;
  const deadline = item.state === 'proposed' ? 'confirm by' : 'decide by';
  const small = [
    mention(item.by),
    item.until === undefined ? slackDateTime(item.at) : `${deadline} ${slackTime(item.until)}`,
    ...(item.channel === undefined ? [] : [channelMention(item.channel)]),
  ].join(' · ');
  const buttons = item.buttons.filter(({ value }) => value !== '' && value.length <= limits.buttonValue);
  return [
    section(`${head}\n${small}${linkText(item.link)}${why}`),
    ...actions(buttons.map(({ action, text, value }) => button({ text, action, value }))),
  ];
}

/** The sign of a state. Anything else, such as an open review, is an alarm. */
export function wordSign(word: string): string {
  const known = states.find((state) => state === word);
  return known === undefined ? (rolloutSigns.get(word) ?? '🚨') : stateSigns[known];
}

const rolloutSigns: ReadonlyMap<string, string> = new Map([
  ['paused', '⏸️'],
  ['done', '✅'],
  ['stopped', '🛑'],
]);

export const stateSigns: Readonly<Record<State, string>> = {
  proposed: '👉',
  'awaiting approval': '⏳',
  running: '🔄',
  succeeded: '✅',
  failed: '❌',
  unknown: '❓',
  cancelled: '🚫',
  expired: '⌛',
  refused: '⛔',
};
