import type { Entry, Field, Registry } from '../../model/registry.ts';
import { badInput, type BellhopError, misspelt } from '../../model/values/errors.ts';
import { guessOf } from '../../text/nearest.ts';
import { abridged, listed, quoteWord, someNames, someOf } from '../../text/words.ts';
import { targetField } from './registry.ts';
import { rolls } from './words.ts';

export const isList = (field: Field): boolean => field.kind === 'texts' || field.kind === 'choices';

/**
 * A command takes one target. A change of several targets needs a label that all of them have. If other targets have
 * this label, too, the guess is a command for each target, because no button may change a target that was not typed.
 */
export function tooManyTargets(
  registry: Registry,
  entry: Entry,
  typed: string,
  names: readonly string[],
): BellhopError | undefined {
  const all = targetsFor(registry, entry);
  const one = new Set(names);
  if (!names.every((name) => Object.hasOwn(all, name))) return undefined;
  const text = oneAtATime(entry);
  const each = { typed, words: [...one].slice(0, 3) };
  if (entry.operation.risk === 'read') return misspelt('bad-input', text, each);
  // The last labels are usually the most precise.
  const [shared] = Object.entries(all[names[0] ?? '']?.labels ?? {})
    .toReversed()
    .map(([name, value]) => ({
      each: `--each ${quoteWord(`${name}=${value}`)}`,
      having: Object.keys(all).filter((target) => all[target]?.labels[name] === value),
    }))
    .filter(({ having }) => names.every((name) => having.includes(name)))
    .toSorted((first, second) => first.having.length - second.having.length);
  if (!shared) return badInput(`${text} ${someOf(names, 8)} share no label for --each.`, { guess: each });
  const guess = shared.having.length === one.size ? { typed, words: [shared.each] } : each;
  return badInput(`${text} ${eachText(entry, shared.having, shared.each)}`, { guess });
}

/** The listed targets, one of which the command takes. */
export function targetsFor(registry: Registry, entry: Entry): ReturnType<Registry['targets']> {
  const field = targetField(entry);
  return field?.target === undefined || isList(field) ? {} : registry.targets(field.target);
}

const oneAtATime = (entry: Entry): string => `Name one ${targetField(entry)?.label.toLowerCase()} at a time.`;

const eachText = ({ verb }: Entry, names: readonly string[], each: string): string =>
  `To ${verb} ${someOf(names, 8)} one after another, use ${each}.`;

/**
 * The error for labels in place of the target, such as `tier=web`. It suggests `--each`, or up to three targets that have
 * the labels if only one has them or the operation takes one target. Undefined if the words are not labels of a target.
 */
export function labelsForTarget(
  registry: Registry,
  entry: Entry,
  typed: readonly string[],
): BellhopError | undefined {
  const all = targetsFor(registry, entry);
  const pairsOf = (name: string): readonly string[] =>
    Object.entries(all[name]?.labels ?? {}).map((pair) => pair.join('='));
  const names = Object.keys(all);
  const known = new Set(names.flatMap(pairsOf));
  const guesses = typed.map((word) =>
    /[=:]/u.test(word) && !Object.hasOwn(all, word) ? guessOf(word, known).words.slice(0, 1) : [],
  );
  const labels = guesses.flat();
  const having = names.filter((name) => labels.every((label) => pairsOf(name).includes(label)));
  const [first = ''] = typed;
  const values = [...known].filter((pair) => pair.split('=', 1)[0] === first.split('=', 1)[0]);
  if (typed.length === 1 && labels.length === 0 && values.length > 0)
    return badInput(`No target has “${abridged(first)}”. The values are: ${someNames(values, 8)}.`);
  if (typed.length === 0 || labels.length < typed.length || having.length === 0) return undefined;
  if (having.length === 1 || !rolls(entry))
    return misspelt(
      'bad-input',
      having.length === 1 ? `Only ${having[0]} has ${listed(labels)}.` : oneAtATime(entry),
      { typed: typed.join(' '), words: having.slice(0, 3) },
    );
  const each = labels.map((label) => `--each ${quoteWord(label)}`);
  const [guess, ...others] = typed.map((word, at) => ({ typed: word, words: each.slice(at, at + 1) }));
  return badInput(eachText(entry, having, each.join(' ')), { guess: guess && { ...guess, others } });
}
