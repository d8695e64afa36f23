import type { RichTextBlock, RichTextElement } from '@slack/types';

import type { Fact } from '../../core/model/report.ts';
import { type NamedPart, plainPart, type TextPart } from '../../core/model/text-parts.ts';
import { escapeText, plainLine, readable, safeLine } from './escape.ts';
import { channelMention, isChannel, isUser, isUsergroup, mention, usergroupMention } from './mention.ts';
import { dateFormat, slackDateTime } from './slack-time.ts';

/** A piece of text as mrkdwn, escaped. */
export function mrkdwnPart(part: TextPart): string {
  if (typeof part === 'string') return escapeText(readable(part).replaceAll(/\s+/gu, ' '));
  if ('at' in part) return slackDateTime(part.at);
  if ('person' in part) return mention({ user: part.person });
  return 'usergroup' in part ? usergroupMention(part.usergroup) : channelMention(part.channel);
}

/** As many whole pieces as there is room for: half a mention would be shown as it is. */
export function mrkdwnParts(parts: readonly TextPart[], room: number): string {
  let text = '';
  for (const part of parts) {
    const next = mrkdwnPart(part);
    if (text.length + next.length > room - 1) return `${text}…`;
    text += next;
  }
  return text;
}

/** The value of a fact on one line, as mrkdwn. */
export const factLine = ({ value, parts }: Fact, room: number): string =>
  parts ? mrkdwnParts(parts, room) : safeLine(value, room);

/** The same in a table's cell, which takes no mrkdwn. */
export const richCell = (part: NamedPart): RichTextBlock => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [richElement(part)] }],
});

function richElement(part: NamedPart): RichTextElement {
  if ('at' in part) {
    const timestamp = Math.floor(part.at / 1000);
    return { type: 'date', timestamp, format: dateFormat, fallback: plainPart(part) };
  }
  if ('person' in part && isUser(part.person)) return { type: 'user', user_id: part.person };
  if ('usergroup' in part && isUsergroup(part.usergroup))
    return { type: 'usergroup', usergroup_id: part.usergroup };
  if ('channel' in part && isChannel(part.channel)) return { type: 'channel', channel_id: part.channel };
  return { type: 'text', text: plainLine(plainPart(part), 50) };
}
