import { removedText } from '../../text/nearest.ts';
import { abridged } from '../../text/words.ts';

export type Path = readonly PropertyKey[];

/** At one place of a YAML file. */
export interface Finding {
  readonly path: Path;
  readonly at?: 'key' | 'value' | undefined;
  readonly text: string;
  /** As in `text`. Replaced by its spelling in the file, such as 007 for 7. */
  readonly value?: string | undefined;
  readonly misspelt?: { readonly typed: string; readonly known: Iterable<string> } | undefined;
}

export type Severity = 'error' | 'warning';

export type Names = readonly (string | undefined)[] | undefined;

export function* unknownNames(
  names: Names = [],
  path: Path,
  known: ReadonlySet<string>,
  text: (typed: string) => string,
): Generator<Finding> {
  for (const [index, typed] of names.entries()) {
    if (typed === undefined || known.has(typed)) continue;
    const removed = removedText(typed);
    yield removed === undefined
      ? { path: [...path, index], text: text(abridged(typed)), misspelt: { typed, known } }
      : { path: [...path, index], text: `${removed} Remove it here.` };
  }
}
