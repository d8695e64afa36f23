import { type Inventory, targetsOfKind } from '../model/rulebook/target.ts';
import { badInput, misspelt } from '../model/values/errors.ts';
import { targetField } from './grammar/registry.ts';
import { type EnteredCommand, noEach } from './grammar/grammar.ts';
import { guessOf } from '../text/nearest.ts';
import { abridged, likelyDurations, readDuration } from '../text/words.ts';
import type { CommandOptions } from './grammar/words.ts';

const fewest = 2;
const most = 20;
const longestPauseMs = 60 * 60_000;
const usualPause = '30s';

interface Candidate {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

const candidatesOf = (inventory: Inventory, kind: string): readonly Candidate[] =>
  Object.entries(targetsOfKind(inventory, kind)).map(([name, { labels }]) => ({ name, labels }));

/**
 * Returns the names of the targets that have all labels of `--each`.
 * @throws BellhopError `bad-input` that names what is wrong, and the nearest label or value
 */
export function findEach(
  { entry, options: { each = [] } }: EnteredCommand,
  inventory: Inventory,
): readonly string[] {
  const kind = targetField(entry)?.target;
  if (kind === undefined) throw noEach(entry);
  const candidates = candidatesOf(inventory, kind);
  const wanted = each.map((typed) => readLabel(typed, candidates));
  const found = candidates.filter(({ labels }) => wanted.every(([label, value]) => labels[label] === value));
  const names = found.map(({ name }) => name);
  if (names.length >= fewest && names.length <= most) return names;
  const [only] = names;
  const pairs = each.map((typed) => abridged(typed)).join(' and ');
  const takes = `--each takes ${fewest} to ${most} targets.`;
  if (only === undefined)
    throw badInput(`No target has ${each.length === 2 ? 'both ' : ''}${pairs}. ${takes}`);
  throw badInput(
    names.length === 1
      ? `Only ${only} has ${pairs}, but ${takes} Type its name instead.`
      : `${names.length} targets have ${pairs}, but ${takes}`,
  );
}

/** @param taker the option or command that takes the label */
export function readLabel(
  typed: string,
  candidates: readonly Candidate[],
  taker = '--each',
): readonly [label: string, value: string] {
  const [, label, value] = /^([^=]+)=(.+)$/su.exec(typed) ?? [];
  if (label === undefined || value === undefined)
    throw badInput(`${taker} takes label=value, such as ${taker} tier=web, not “${abridged(typed)}”.`);
  const labels = new Set(candidates.flatMap((one) => Object.keys(one.labels)));
  if (!labels.has(label))
    throw misspelt(
      'bad-input',
      `No target has the label “${abridged(label)}”.`,
      guessOf(label, labels),
      known('labels', labels),
    );
  const values = new Set(
    candidates.flatMap(({ labels: own }) => (Object.hasOwn(own, label) ? [own[label] ?? ''] : [])),
  );
  if (!values.has(value)) {
    const pairs = [...values].map((one) => `${label}=${one}`);
    const guess = guessOf(`${label}=${value}`, pairs);
    throw misspelt('bad-input', `No target has “${abridged(typed)}”.`, guess, known('values', pairs));
  }
  return [label, value];
}

const maxKnown = 8;

const known = (what: string, words: Iterable<string>): string => {
  const all = [...words];
  if (all.length === 0) return ` bellhop.yaml gives no target a label.`;
  return ` The ${what} are: ${all.slice(0, maxKnown).join(', ')}${all.length > maxKnown ? ', …' : ''}.`;
};

const isPause = (text: string): boolean => (pauseMs(text) ?? Infinity) <= longestPauseMs;

/** Returns the pause as typed, or the default. @throws BellhopError `bad-input` */
export function pauseText({ pause = usualPause }: CommandOptions): string {
  if (isPause(pause)) return pause;
  const text = `--pause must be a duration from 0s to 1h, such as 30s or 2m, not “${abridged(pause)}”.`;
  throw misspelt('bad-input', text, { typed: pause, words: likelyDurations(pause).filter(isPause) });
}

/** Returns milliseconds, or undefined if the text is not a duration. */
export const pauseMs = (pause: string): number | undefined =>
  /^0+[smh]?$/u.test(pause) ? 0 : readDuration(pause);
