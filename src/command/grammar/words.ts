import { BellhopError } from '../../model/values/errors.ts';
import type { Field } from '../../model/registry.ts';
import { abridged, splitItems } from '../../text/words.ts';

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

/** The items typed for a list, with aliases replaced. */
export function itemsOf(
  { itemsMayContainCommas, synonyms }: Pick<Field, 'itemsMayContainCommas' | 'synonyms'>,
  typed: string,
): readonly string[] {
  if (itemsMayContainCommas) return [typed.trim()].filter((item) => item !== '');
  return splitItems(typed).flatMap((item) => synonyms.get(item.toLowerCase()) ?? [item]);
}

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

/** Has to run before anything else reads the text. @throws BellhopError `bad-input` over {@link longestText} */
export function refuseLongText(text: string): void {
  if (text.length <= longestText) return;
  throw new BellhopError(
    'bad-input',
    `Your command has ${text.length} characters; the limit is ${longestText}.`,
  );
}
