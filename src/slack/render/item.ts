import type { Button } from '@slack/types';

import type { Item, ItemButton } from '../../core/model/report.ts';
import { states } from '../../core/request/request.ts';
import { actions, button, type MessageBlock, section } from './blocks.ts';
import { stateSigns } from '../cards/card-words.ts';
import { safeLine } from './escape.ts';
import { limits } from './limits.ts';
import { mention, slackDateTime } from './text.ts';

/** One thing that waits or is over: what, who, when, why, and its buttons below. Two blocks at most. */
export function renderItem(item: Item): MessageBlock[] {
  const why = item.why === undefined ? '' : `\n“${safeLine(item.why, 200)}”`;
  const known = states.find((state) => state === item.state);
  const sign = known === undefined ? '🚨' : stateSigns[known];
  const head = `${sign} *${safeLine(item.title, 300)}* ${safeLine(item.state, 60)}`;
  const small = `${mention(item.by)} ${slackDateTime(item.at)} · ${safeLine(item.id, 60)}`;
  const buttons = item.buttons.filter(({ value }) => value !== '' && value.length <= limits.buttonValue);
  return [section(`${head}\n${small}${why}`), ...actions(buttons.map(itemButton))];
}

const itemStyles = { none: undefined, change: 'primary', destructive: 'danger' } as const;

const itemButton = ({ action, text, value, severity }: ItemButton): Button =>
  button({ text, action, value, style: itemStyles[severity] });
