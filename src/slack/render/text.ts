import type { RichTextBlock, RichTextElement } from '@slack/types';

import type { Actor } from '../../model/values/actor.ts';
import type { Fact } from '../../model/values/report.ts';
import { type LinkPart, type NamedPart, type TextPart, plainPart } from '../../text/parts.ts';
import { clip, escapeEntities, withoutColours } from '../../text/words.ts';
import { hiddenCharacter } from '../../command/grammar/refuse.ts';

/** Encodes the characters that would end the link. */
export const linkAddress = (address: string): string =>
  escapeEntities(address.replaceAll(/[|<>\s]/gu, (character) => encodeURIComponent(character)));

export const linkTo = (address: string | undefined, text: string): string =>
  address === undefined ? text : `<${linkAddress(address)}|${text}>`;

const mark = /[*_~`]+|:(?=\d{0,60}[a-z_+'-][\w+'-]{0,60}:)/giu;
const wordEnds = /[\p{L}\p{N}]$/u;
const wordBegins = /^[\p{L}\p{N}]/u;

/**
 * Foreign text as mrkdwn without any markup. Slack has no escape for formatting and emoji, but shows the fallback of an invalid date
 * literally. Source: "About escape" in the docs of jsx-slack.
 */
export const escapeText = (text: string): string =>
  escapeEntities(text).replaceAll(mark, (run: string, at: number, whole: string) => {
    // Within a word, as in `snake_case`, these characters are not markup.
    const inWord =
      !/[`:]/u.test(run) &&
      wordEnds.test(whole.slice(Math.max(0, at - 2), at)) &&
      wordBegins.test(whole.slice(at + run.length, at + run.length + 2));
    return inWord ? run : `<!date^00000000^{_}|${run}>`;
  });

/** Invisible and direction-changing characters could falsify a card. */
const unreadable = new RegExp(`\\r|${hiddenCharacter.source}`, 'gu');

/** Removes terminal colors and replaces unprintable characters with `�`. Keeps line breaks. */
export const readable = (text: string): string =>
  withoutColours(text).toWellFormed().replaceAll('\r\n', '\n').replaceAll(unreadable, '\uFFFD');

export const oneLine = (text: string): string => readable(text).replaceAll(/\s+/gu, ' ').trim();

/** `max` is in UTF-16 units. Escapes and mentions stay whole. */
export function clipMrkdwn(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn;
  const kept = mrkdwn.slice(0, Math.max(0, max - 1));
  const tag = kept.lastIndexOf('<');
  const entity = kept.lastIndexOf('&');
  if (tag > kept.lastIndexOf('>')) return `${kept.slice(0, tag)}…`;
  if (entity >= 0 && !kept.includes(';', entity)) return `${kept.slice(0, entity)}…`;
  return clip(mrkdwn, max);
}

/** For mrkdwn and fallback text, at most `max` visible characters. Escaping can make it twelve times as long. */
export const safeText = (text: string, max: number): string => escapeText(clip(readable(text), max));

export const safeLine = (text: string, max: number): string => safeText(oneLine(text), max);

/** Mrkdwn. Plain text if the line contains a backtick. */
export const code = (text: string, max: number): string =>
  text.includes('`') ? safeLine(text, max) : `\`${escapeEntities(clip(oneLine(text), max)) || '–'}\``;

/** For `plain_text`, `raw_text` and `rich_text`, which Slack shows literally. Never empty. */
export const plainLine = (text: string, max: number): string => clip(oneLine(text), max) || '–';

/** `U…` is a person of the bot's team, `T…/U…` one of another team. Slack mentions both by the user id. */
const listedPerson = /^(?:T[A-Z0-9]{1,30}\/)?([UW][A-Z0-9]{1,30})$/u;
const userIdIn = (person: string): string | undefined => listedPerson.exec(person)?.[1];

export function mention({ user }: Pick<Actor, 'user'>): string {
  const id = userIdIn(user);
  return id === undefined ? safeLine(user, 50) : `<@${id}>`;
}

export const mentions = (people: readonly Actor[]): string =>
  [...new Set(people.map((person) => mention(person)))].join(', ');

const isChannel = (id: string): boolean => /^[CDG][A-Z0-9]{1,30}$/u.test(id);

export const channelMention = (channel: string): string =>
  isChannel(channel) ? `<#${channel}>` : safeLine(channel, 50);

const isUsergroup = (id: string): boolean => /^S[A-Z0-9]{1,30}$/u.test(id);

export const usergroupMention = (group: string): string =>
  isUsergroup(group) ? `<!subteam^${group}>` : safeLine(group, 60);

/** In the reader's zone, such as `14:05`. `at` is in epoch milliseconds. Old clients show the text after `|`. */
export const slackTime = (at: number): string => dateToken(at, '{time}', 11, 16);

/** For example `Nov 21, 2026 14:05`. */
const dateFormat = '{date_short} {time}';

/** For messages that may be read on another day. */
export const slackDateTime = (at: number): string => dateToken(at, dateFormat, 0, 16);

function dateToken(at: number, format: string, from: number, to: number): string {
  const inUtc = new Date(at).toISOString().replace('T', ' ').slice(from, to);
  return `<!date^${Math.floor(at / 1000)}^${format}|${inUtc} UTC>`;
}

export function mrkdwnPart(part: TextPart | LinkPart): string {
  if (typeof part === 'string') return escapeText(readable(part).replaceAll(/\s+/gu, ' '));
  if ('link' in part) return linkTo(part.link, safeLine(part.text, 200));
  if ('at' in part) return slackDateTime(part.at);
  if ('person' in part) return mention({ user: part.person });
  return 'usergroup' in part ? usergroupMention(part.usergroup) : channelMention(part.channel);
}

/** Half a mention would be shown as raw markup. */
export function mrkdwnParts(parts: readonly (TextPart | LinkPart)[], room: number): string {
  let text = '';
  for (const part of parts) {
    const next = mrkdwnPart(part);
    if (text.length + next.length > room - 1) return `${text}…`;
    text += next;
  }
  return text;
}

export const factLine = ({ value, parts }: Fact, room: number): string =>
  parts ? mrkdwnParts(parts, room) : safeLine(value, room);

/** A table's cell takes no mrkdwn. */
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
