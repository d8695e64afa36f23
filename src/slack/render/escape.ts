import { hiddenCharacter } from '../../command/grammar/typed-text.ts';

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An address within `<…|…>`: what would end it there is written in another way. */
export const linkAddress = (address: string): string =>
  escapeEntities(address.replaceAll(/[|<>\s]/gu, (character) => encodeURIComponent(character)));

const escapeEntities = (text: string): string =>
  text.replaceAll(/[&<>]/gu, (character) => entities[character] ?? character);

const mark = /[*_~`]+|:(?=\d{0,60}[a-z_+'-][\w+'-]{0,60}:)/giu;
const wordEnds = /[\p{L}\p{N}]$/u;
const wordBegins = /^[\p{L}\p{N}]/u;

/**
 * Text from elsewhere as mrkdwn, in which nothing of it is markup. Slack has no escape for what formats text and names emoji,
 * but shows the fallback of a date that it cannot format word for word; source: "About escape" of the docs of jsx-slack.
 */
export const escapeText = (text: string): string =>
  escapeEntities(text).replaceAll(mark, (run: string, at: number, whole: string) => {
    // Within a word, as in `snake_case`, a mark means nothing.
    const inWord =
      !/[`:]/u.test(run) &&
      wordEnds.test(whole.slice(Math.max(0, at - 2), at)) &&
      wordBegins.test(whole.slice(at + run.length, at + run.length + 2));
    return inWord ? run : `<!date^00000000^{_}|${run}>`;
  });

/** So that a card cannot be made to lie. */
const unreadable = new RegExp(`\\r|${hiddenCharacter.source}`, 'gu');

/** Text from elsewhere with what cannot be shown made visible as `�`. Line breaks stay. */
export const readable = (text: string): string =>
  text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(unreadable, '\uFFFD');

/** The same on one line: breaks and runs of space become one space. */
export const oneLine = (text: string): string => readable(text).replaceAll(/\s+/gu, ' ').trim();

/** At most `max` UTF-16 units, with `…` as the last where something was left out. Cuts no surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text;
  const last = text.charCodeAt(max - 2);
  return `${text.slice(0, Math.max(0, last >= 0xd8_00 && last <= 0xdb_ff ? max - 2 : max - 1))}…`;
}

/** The same for mrkdwn: cuts none of what `escapeText` writes, and no mention. */
export function clipMrkdwn(mrkdwn: string, max: number): string {
  if (mrkdwn.length <= max) return mrkdwn;
  const kept = mrkdwn.slice(0, Math.max(0, max - 1));
  const tag = kept.lastIndexOf('<');
  const entity = kept.lastIndexOf('&');
  if (tag > kept.lastIndexOf('>')) return `${kept.slice(0, tag)}…`;
  if (entity >= 0 && !kept.includes(';', entity)) return `${kept.slice(0, entity)}…`;
  return clip(mrkdwn, max);
}

/** For mrkdwn and fallback text: readable, at most `max` characters of it shown, escaped, which makes it twelve times as long at most. */
export const safeText = (text: string, max: number): string => escapeText(clip(readable(text), max));

/** The same on one line. */
export const safeLine = (text: string, max: number): string => safeText(oneLine(text), max);

/** A line as code in mrkdwn; literal without it where a backtick would end the code. */
export const code = (text: string, max: number): string =>
  text.includes('`') ? safeLine(text, max) : `\`${escapeEntities(clip(oneLine(text), max)) || '–'}\``;

/**
 * For `plain_text`, `raw_text` and `rich_text`, which Slack shows as they are and escapes by itself: readable, one
 * line, clipped, never empty.
 */
export const plainLine = (text: string, max: number): string => clip(oneLine(text), max) || '–';
