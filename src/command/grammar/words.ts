import { z } from 'zod';

import { BellhopError } from '../../model/errors.ts';
import type { Field } from '../../model/registry.ts';

const closing: Readonly<Record<string, string>> = {
  '"': '"“”',
  '“': '"“”',
  '”': '"“”',
  "'": "'‘’",
  '‘': "'‘’",
  '’': "'‘’",
  '«': '»',
  '`': '`',
};

/**
 * Splits typed text into words. Straight and smart quotes and backticks group words; a dash that autocorrect made of `--` is
 * restored. A quote inside a word is a letter: `don't`. Inside a group, a quote before white space closes it, unless a
 * backslash precedes it.
 * @throws BellhopError `bad-input` for hidden characters, unclosed quotes and text over {@link longestText}
 */
export function splitWords(text: string): readonly string[] {
  refuseLongText(text);
  refuseHidden(text);
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (isSpace(text.charAt(at))) at += 1;
    else {
      const { word, next } = readWord(text, at);
      words.push(word);
      at = next;
    }
  }
  return words;
}

const optionStart = /[-–—]+[a-z][a-z\d-]*=/iuy;

/** Where the value starts in `--name=value`; -1 for other words. */
function valueStart(text: string, start: number): number {
  optionStart.lastIndex = start;
  return optionStart.test(text) ? optionStart.lastIndex : -1;
}

/** A word ends at white space; a quote opens a group at its start or right after the `=` of an option. */
function readWord(text: string, start: number): { word: string; next: number } {
  let word = '';
  let at = start;
  let grouped = false;
  const value = valueStart(text, start);
  while (at < text.length && !isSpace(text.charAt(at))) {
    const letter = text.charAt(at);
    const closers = closing[letter];
    if (closers !== undefined && (at === start || at === value)) {
      grouped ||= at === start;
      const end = endOfGroup(text, at + 1, closers);
      word += unescaped(text.slice(at + 1, end), closers);
      at = end + 1;
    } else {
      word += letter;
      at += 1;
    }
  }
  return { word: grouped ? word : undash(word), next: at };
}

function endOfGroup(text: string, start: number, closers: string): number {
  for (let at = start; at < text.length; at += 1) {
    if (closers.includes(text.charAt(at)) && closesAt(text, at) && !isEscaped(text, start, at)) return at;
  }
  const opened = abridged(text.slice(start - 1), 20);
  throw new BellhopError(
    'bad-input',
    `The quote at ${opened} is never closed. Close it at the end of a word.`,
  );
}

const closesAt = (text: string, at: number): boolean => at + 1 >= text.length || isSpace(text.charAt(at + 1));

/** After an odd number of backslashes. */
function isEscaped(text: string, start: number, at: number): boolean {
  let first = at;
  while (first > start && text.charAt(first - 1) === '\\') first -= 1;
  return (at - first) % 2 === 1;
}

/** Backslashes escape only quotes, so `C:\new` is unchanged. */
const unescaped = (group: string, closers: string): string =>
  group.replaceAll(new RegExp(`(?<!\\\\)(\\\\+)(?=[${closers}]|$)`, 'gu'), (run: string) =>
    run.slice(Math.ceil(run.length / 2)),
  );

const isSpace = (letter: string): boolean => /\s/u.test(letter);

/** Phones and chat clients turn `--reason` into `—reason`. */
const undash = (word: string): string => word.replace(/^[—–]-?(?=[a-z])/iu, '--');

/** A word as it has to be typed to be parsed back. */
export function quoteWord(word: string): string {
  if (word !== '' && !/[\s"“”'‘’«`]/u.test(word) && !/^[—–]/u.test(word)) return word;
  const escaped = word.replaceAll(/(?<!\\)(\\*)(?:(["“”])|$)/gu, (_, run: string, quote?: string) =>
    quote === undefined ? run + run : `${run}${run}\\${quote}`,
  );
  return `"${escaped}"`;
}

/** The items of `a,b` as typed. A comma after a backslash belongs to its item; empty items are dropped. */
export function splitItems(typed: string): readonly string[] {
  const items: string[] = [];
  let item = '';
  for (const [index, part] of typed.split(/((?<!\\)\\*,)/u).entries()) {
    if (index % 2 === 0) {
      item += part;
      continue;
    }
    const backslashes = part.length - 1;
    item += '\\'.repeat(Math.floor(backslashes / 2));
    if (backslashes % 2 === 1) item += ',';
    else {
      items.push(item);
      item = '';
    }
  }
  return [...items, item].map((each) => each.trim()).filter((each) => each !== '');
}

/** An item as it has to be typed to be parsed back. */
export const itemText = (item: string): string =>
  item.replaceAll(/(?<!\\)(\\*),/gu, (_, backslashes: string) => `${backslashes}${backslashes}\\,`);

/** The items typed for a list, with aliases replaced. */
export function itemsOf(
  { itemsMayContainCommas, synonyms }: Pick<Field, 'itemsMayContainCommas' | 'synonyms'>,
  typed: string,
): readonly string[] {
  if (itemsMayContainCommas) return [typed.trim()].filter((item) => item !== '');
  return splitItems(typed).flatMap((item) => synonyms.get(item.toLowerCase()) ?? [item]);
}

/** For `z.string().transform`: parses with `read`, and rejects the text with this message if that returns undefined. */
export const readAs =
  <T>(read: (text: string) => T | undefined, message: string) =>
  (text: string, context: z.RefinementCtx<string>): T => {
    const value = read(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  };

/**
 * Control characters other than white space, and characters that are invisible or change the text direction: they could hide
 * parts of a command from the readers of its card. Joiners and variation selectors of letters and emoji (U+200C, U+200D,
 * U+FE0E, U+FE0F) are allowed.
 */
export const hiddenCharacter =
  /[^\P{Cc}\t\n\r]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|[\u2800\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;

/** Searches text, lists and objects. @throws BellhopError `bad-input` */
export function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && hiddenCharacter.test(value)) {
    throw new BellhopError(
      'bad-input',
      'Your command contains invisible characters. Type it instead of pasting.',
    );
  }
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) refuseHidden(part);
}

/** Longer text is rejected unread, because no command needs it. In UTF-16 units. */
export const longestText = 3000;

/** Runs before anything else reads the text. @throws BellhopError `bad-input` over {@link longestText} */
export function refuseLongText(text: string): void {
  if (text.length <= longestText) return;
  throw new BellhopError(
    'bad-input',
    `Your command has ${text.length} characters; the limit is ${longestText}.`,
  );
}

/** Typed text, cut to at most `most` whole characters, to be repeated in an error. */
export function abridged(typed: string, most = 40): string {
  const start = Array.from(typed.slice(0, 2 * most + 2));
  return start.length > most ? `${start.slice(0, most).join('')}…` : typed;
}

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years, more than any command needs. */
const longestDays = 3660;

/** Parses `15m`, `2h`, `1d12h`, `7d` as milliseconds; undefined if invalid, zero or more than ten years. */
export function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhdw])+$/u.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,6})([smhdw])/gu))
    total += Number(count) * (units[unit ?? ''] ?? 0);
  return total > 0 && total <= longestDays * 86_400_000 ? total : undefined;
}

/** A typed duration, parsed to milliseconds. */
export const durationText = z
  .string()
  .trim()
  .transform(readAs(readDuration, `must be a duration such as 15m, 2h or 7d, at most ${longestDays}d`));

const forms = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** Parses `2026-12-24T19:00Z` or `2026-12-24T20:00:00+01:00` as epoch milliseconds; undefined without a zone, or if it does not exist. */
export const readMoment = (text: string): number | undefined =>
  forms.some((form) => form.safeParse(text).success) ? Date.parse(text) : undefined;

export const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
