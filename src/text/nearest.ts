import { distance } from 'fastest-levenshtein';

import { dashes, quotedOr } from './words.ts';

const maxEdits = 2;
const maxGuesses = 3;

export const nearest = (typed: string, known: Iterable<string>, most = maxEdits): string | undefined =>
  allNearest(typed, known, most)[0];

export interface Guess {
  readonly typed: string;
  readonly words: readonly string[];
  /** Guesses about other parts of the same line. */
  readonly others?: readonly Guess[];
}

/** Returns up to three equally near words, or else words that a longer text, such as an address, contains. */
export function guessOf(typed: string, known: Iterable<string>, most = maxEdits): Guess {
  const near = allNearest(typed, known, most);
  const inside = new Set(typed.split(/[^\p{L}\p{N}_-]+/u));
  const words = near.length > 0 ? near : [...known].filter((word) => inside.has(word));
  return { typed, words: words.slice(0, maxGuesses) };
}

/** Appended to an error. May be empty. */
export const didYouMean = (typed: string, known: Iterable<string>, most = maxEdits): string =>
  guessText(guessOf(typed, known, most).words);

const reasons = new RegExp(`(?<=[-${dashes}](?:reason|break-glass)[\\s=]+)(?:["“”][^"“”]*["“”]|\\S+)`, 'gu');

/**
 * Copies of the typed line, each with a guess in place of the typed word. Everything else stays as typed. A reason stays,
 * too, unless the guess is about a reason.
 */
export function correctedLines(typedLine: string, { typed, words, others = [] }: Guess): readonly string[] {
  const line = others.reduce((text, other) => correctedLines(text, other)[0] ?? text, typedLine);
  const outsideReasons =
    typed.search(reasons) < 0 ? line.replaceAll(reasons, (reason) => ' '.repeat(reason.length)) : line;
  const whole = new RegExp(`(?<![^\\s/"“”'\`=,])${RegExp.escape(typed)}(?![^\\s"“”'\`=,])`, 'u');
  const at = typed === '' ? -1 : outsideReasons.search(whole);
  return at < 0 ? [] : words.map((word) => line.slice(0, at) + word + line.slice(at + typed.length));
}

/** Appended to an error. Empty without words. */
export const guessText = (words: readonly string[]): string =>
  words.length === 0 ? '' : ` Did you mean ${quotedOr(words)}?`;

function allNearest(typed: string, known: Iterable<string>, most: number): readonly string[] {
  const wanted = typed.slice(0, 64).toLowerCase();
  let best: string[] = [];
  let least = most;
  for (const word of known) {
    const edits = editsBetween(wanted, word.toLowerCase());
    if (edits > least || edits >= word.length) continue;
    best = edits < least ? [word] : [...best, word];
    least = edits;
  }
  return best;
}

/** Swapped letters count as one typo, although each swap is two edits. */
function editsBetween(typed: string, word: string): number {
  const edits = distance(typed, word);
  return edits === maxEdits && letters(typed) === letters(word) ? 1 : edits;
}

const letters = (word: string): string => Array.from(word).toSorted().join('');

const loadInstead = 'For the load of instances, use your monitoring, such as Grafana';

const instead: ReadonlyMap<string, string> = new Map([
  ['--follow', 'Use Refresh under the answer'],
  ['cloud.load', loadInstead],
  ['instance-metrics', loadInstead],
  ['--head', 'Use --checkpoint'],
]);

export function removedText(word: string, typed = word): string | undefined {
  const found = instead.get(word);
  return found === undefined ? undefined : `${typed} was removed. ${found}.`;
}
