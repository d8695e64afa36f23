import { hiddenCharacter } from '../../core/grammar/typed-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Escapes what Slack reads as markup in mrkdwn and in a message's `text`. Source: "Escaping text" of its docs. */
export const escapeText = (text: string): string =>
  text.replaceAll(/[&<>]/gu, (character) => entities[character] ?? character);

/** So that a card cannot be made to lie. */
const unreadable = new RegExp(`\\r|${hiddenCharacter.source}`, 'gu');

/** Text from elsewhere with what cannot be shown made visible as `�`. Line breaks stay. */
export const readable = (text: string): string =>
  text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(unreadable, '\uFFFD');

/** The same on one line: breaks and runs of space become one space. */
export const oneLine = (text: string): string => readable(text).replaceAll(/\s+/gu, ' ').trim();

/**
 * At most `max` UTF-16 units, with `…` as the last where something was left out. Cuts neither a surrogate pair nor
 * one of the entities that `escapeText` writes.
 */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = Math.max(0, max - 1);
  const ampersand = text.lastIndexOf('&', end - 1);
  const entity = ampersand < 0 ? undefined : /^&(?:amp|lt|gt);/u.exec(text.slice(ampersand, ampersand + 5));
  if (entity && ampersand + entity[0].length > end) end = ampersand;
  const last = text.charCodeAt(end - 1);
  if (last >= 0xd8_00 && last <= 0xdb_ff) end -= 1;
  return `${text.slice(0, end)}…`;
}

/** For mrkdwn and fallback text: readable, escaped, clipped. */
export const safeText = (text: string, max: number): string => clip(escapeText(readable(text)), max);

/** The same on one line. */
export const safeLine = (text: string, max: number): string => clip(escapeText(oneLine(text)), max);

/** A line as code in mrkdwn, in which a backtick would end it. */
export const code = (text: string, max: number): string => `\`${safeLine(text.replaceAll('`', "'"), max)}\``;

/**
 * For `plain_text`, `raw_text` and `rich_text`, which Slack shows as they are and escapes by itself: readable, one
 * line, clipped, never empty.
 */
export const plainLine = (text: string, max: number): string => clip(oneLine(text), max) || '–';
