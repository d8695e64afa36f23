import { distance } from 'fastest-levenshtein';

/** The known word nearest to what was typed, at most two edits away; longer typos are not guessed at. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  const wanted = typed.slice(0, 64).toLowerCase();
  let best: string | undefined;
  let least = 3;
  for (const word of known) {
    const edits = distance(wanted, word.toLowerCase());
    if (edits < least && edits < word.length) {
      best = word;
      least = edits;
    }
  }
  return best;
}

/** A sentence to append to an error, or nothing. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const word = nearest(typed, known);
  return word === undefined ? '' : ` Did you mean “${word}”?`;
}
