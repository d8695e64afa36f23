import { BellhopError } from './errors.ts';

/** Longer text is refused unread: no command of ours needs it. In UTF-16 units. */
export const longestText = 3000;

const closing: Readonly<Record<string, string>> = {
  '"': '"“”',
  '“': '"“”',
  '”': '"“”',
  "'": "'‘’",
  '‘': "'‘’",
  '’': "'‘’",
  '«': '»',
};

/**
 * Splits typed text into words. Quotes group, straight or smart; a dash that autocorrect made of `--` is one again.
 * A quote inside a word is a letter of it: `don't`.
 * @throws BellhopError `bad-input` for control characters, unclosed quotes and text over {@link longestText}
 */
export function splitWords(text: string): readonly string[] {
  if (text.length > longestText) {
    throw new BellhopError(
      'bad-input',
      `That is ${text.length} characters long; a command takes at most ${longestText}. Nothing was done.`,
    );
  }
  // Control characters other than white space can hide what is typed from whoever reads the card.
  if (/[^\P{Cc}\t\n\r]|[\u202A-\u202E\u2066-\u2069]/u.test(text)) {
    throw new BellhopError(
      'bad-input',
      'There are invisible control characters in that. Type it anew instead of pasting it.',
    );
  }
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
  return words.map(undash);
}

/** A word ends at white space; a quote opens a group at its start or right after the `=` of an option. */
function readWord(text: string, start: number): { word: string; next: number } {
  let word = '';
  let at = start;
  while (at < text.length && !isSpace(text.charAt(at))) {
    const letter = text.charAt(at);
    const closers = closing[letter];
    if (closers !== undefined && (word === '' || /^[-–—]+[a-z-]+=$/iu.test(word))) {
      const end = endOfGroup(text, at + 1, closers);
      word += text.slice(at + 1, end);
      at = end + 1;
    } else {
      word += letter;
      at += 1;
    }
  }
  return { word, next: at };
}

function endOfGroup(text: string, start: number, closers: string): number {
  for (let at = start; at < text.length; at += 1) {
    const after = text.charAt(at + 1);
    if (closers.includes(text.charAt(at)) && (after === '' || isSpace(after))) return at;
  }
  const opened = text.slice(start - 1, start + 20);
  throw new BellhopError(
    'bad-input',
    `The quote that opens at ${opened} is never closed. Add the closing quote.`,
  );
}

const isSpace = (letter: string): boolean => /\s/u.test(letter);

/** Phones and chat clients turn `--reason` into `—reason`. */
const undash = (word: string): string => word.replace(/^[—–]-?(?=[a-z])/iu, '--');

/** One word as it would have to be typed to be read back alike. */
export function quoteWord(word: string): string {
  if (word !== '' && !/[\s"“”'‘’«]/u.test(word) && !/^[—–]/u.test(word)) return word;
  if (!word.includes('"')) return `"${word}"`;
  return word.includes("'") ? `"${word.replaceAll('"', "'")}"` : `'${word}'`;
}
