import { distance } from 'fastest-levenshtein';

const mostEdits = 2;
const mostGuesses = 3;

/** The known word nearest to what was typed, at most so many edits away; longer typos are not guessed at. */
export const nearest = (typed: string, known: Iterable<string>, most = mostEdits): string | undefined =>
  allNearest(typed, known, most)[0];

/** A sentence to append to an error, or nothing. Words that are equally near are all named, up to three. */
export function didYouMean(typed: string, known: Iterable<string>, most = mostEdits): string {
  const words = allNearest(typed, known, most).slice(0, mostGuesses);
  return words.length === 0 ? '' : ` Did you mean ${words.map((word) => `“${word}”`).join(' or ')}?`;
}

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

/** Letters in another order are one slip of the fingers, however many edits that takes. */
function editsBetween(typed: string, word: string): number {
  const edits = distance(typed, word);
  return edits === mostEdits && letters(typed) === letters(word) ? 1 : edits;
}

const letters = (word: string): string => Array.from(word).toSorted().join('');

const loadInstead = 'look at the load of instances where you monitor them, as in Grafana';

/** What earlier versions took, an option, an operation or a key, and what to do instead. */
const instead: ReadonlyMap<string, string> = new Map([
  ['--follow', 'press Refresh under the answer to look again'],
  ['cloud.load', loadInstead],
  ['instance-metrics', loadInstead],
]);

/** The sentence that answers a word which is no longer taken; undefined for all others. */
export function removedText(word: string, typed = word): string | undefined {
  const found = instead.get(word);
  return found === undefined ? undefined : `${typed} was removed: ${found}.`;
}
