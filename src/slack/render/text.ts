import type { RichTextBlock, RichTextElement } from '@slack/types';

import type { Actor } from '../../model/actor.ts';
import { type Fact, type NamedPart, plainPart, type TextPart } from '../../model/report.ts';
import { escapeText, plainLine, readable, safeLine } from './escape.ts';

/** `U…` of the own team, or `T…/U…` of another: Slack mentions both by the user id. */
const listedPerson = /^(?:T[A-Z0-9]{1,30}\/)?([UW][A-Z0-9]{1,30})$/u;
const userIdIn = (person: string): string | undefined => listedPerson.exec(person)?.[1];

/** Names a person so that Slack shows their name: by id, which nobody can choose. */
export function mention({ user }: Pick<Actor, 'user'>): string {
  const id = userIdIn(user);
  return id === undefined ? safeLine(user, 50) : `<@${id}>`;
}

export const mentions = (people: readonly Actor[]): string =>
  [...new Set(people.map((person) => mention(person)))].join(', ');

const channelId = /^[CDG][A-Z0-9]{1,30}$/u;
const isChannel = (id: string): boolean => channelId.test(id);

export const channelMention = (channel: string): string =>
  isChannel(channel) ? `<#${channel}>` : safeLine(channel, 50);

const groupId = /^S[A-Z0-9]{1,30}$/u;
const isUsergroup = (id: string): boolean => groupId.test(id);

export const usergroupMention = (group: string): string =>
  isUsergroup(group) ? `<!subteam^${group}>` : safeLine(group, 60);

/** A moment in the reader's own zone: `14:05`. `at` is epoch milliseconds; the text after `|` is for old clients. */
export const slackTime = (at: number): string => dateToken(at, '{time}', 11, 16);

/** How Slack is to write a moment with its day: `Nov 21, 2026 14:05`. */
const dateFormat = '{date_short} {time}';

/** With the day, for what may be read later. */
export const slackDateTime = (at: number): string => dateToken(at, dateFormat, 0, 16);

function dateToken(at: number, format: string, from: number, to: number): string {
  const inUtc = new Date(at).toISOString().replace('T', ' ').slice(from, to);
  return `<!date^${Math.floor(at / 1000)}^${format}|${inUtc} UTC>`;
}

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
  const user = 'person' in part ? userIdIn(part.person) : undefined;
  if (user !== undefined) return { type: 'user', user_id: user };
  if ('usergroup' in part && isUsergroup(part.usergroup))
    return { type: 'usergroup', usergroup_id: part.usergroup };
  if ('channel' in part && isChannel(part.channel)) return { type: 'channel', channel_id: part.channel };
  return { type: 'text', text: plainLine(plainPart(part), 50) };
}
