import type { Item } from '../../model/report.ts';
import { states, type State } from '../../model/request.ts';
import { actions, button, section, type MessageBlock } from './blocks.ts';
import { escapeText, mention, safeLine, slackDateTime } from './text.ts';
import { limits } from './limits.ts';

const linkText = (link: string | undefined): string =>
  link === undefined ? '' : ` · <${escapeText(link)}|Open the card>`;

/** One thing that waits or is over: what, who, when, why, where its card is, and its buttons below. Two blocks at most. */
export function renderItem(item: Item): MessageBlock[] {
  const why = item.why === undefined ? '' : `\n“${safeLine(item.why, 200)}”`;
  const known = states.find((state) => state === item.state);
  const sign = known === undefined ? '🚨' : stateSigns[known];
  const head = `${sign} *${safeLine(item.title, 300)}* ${safeLine(item.state, 60)}`;
  const small = `${mention(item.by)} ${slackDateTime(item.at)} · ${safeLine(item.id, 60)}${linkText(item.link)}`;
  const buttons = item.buttons.filter(({ value }) => value !== '' && value.length <= limits.buttonValue);
  return [
    section(`${head}\n${small}${why}`),
    ...actions(buttons.map(({ action, text, value }) => button({ text, action, value }))),
  ];
}

export const stateSigns: Readonly<Record<State, string>> = {
  proposed: '❔',
  'awaiting approval': '⏳',
  running: '🔄',
  succeeded: '✅',
  failed: '❌',
  unknown: '❓',
  cancelled: '🚫',
  expired: '⌛',
  refused: '⛔',
};
