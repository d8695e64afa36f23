import { readLabel } from '../../command/each.ts';
import { findNamed, listedTargets } from '../../command/inventory.ts';
import {
  asOne,
  type Inventory,
  itself,
  namedKinds,
  type Target,
  targetsOfKind,
} from '../../model/rulebook/target.ts';
import { samePerson } from '../../model/values/actor.ts';
import { badInput, misspelt } from '../../model/values/errors.ts';
import { guessOf } from '../../text/nearest.ts';
import { abridged, someNames } from '../../text/words.ts';
import { type Hold, maxNames, meets } from './hold.ts';

/** The most typed targets that get a button. */
const maxOffered = 3;

/**
 * The words are a name, or labels as `label=value`. A name stands for the targets of all kinds that have it.
 * @throws BellhopError `unknown-target`, `bad-input`, with a suggestion
 */
export function select(words: readonly string[], inventory: Inventory) {
  const [name = '', ...more] = words;
  if (name === '') throw badInput('Name a target, or labels such as env=production tier=db.');
  const all = listedTargets(inventory);
  if (words.every((word) => word.includes('='))) {
    const labels = words.map((word) => readLabel(word, all, '/bellhop hold'));
    const targets = all.filter((target) => labels.every(([label, value]) => target.labels[label] === value));
    if (targets.length > 0) return { selector: { labels: Object.fromEntries(labels) }, targets };
    throw badInput(`No target has ${words.map((word) => abridged(word)).join(' and ')}. Nothing was held.`);
  }
  if (more.length > 0) {
    const names = words.filter((word) => all.some((target) => target.name === word)).slice(0, maxOffered);
    const text = 'A hold has one target, or labels such as env=production tier=db. Nothing was held.';
    throw badInput(`${text} Type one command for each target.`, {
      guess: { typed: words.join(' '), words: names },
    });
  }
  const kinds = namedKinds(inventory).filter((kind) => Object.hasOwn(targetsOfKind(inventory, kind), name));
  if (kinds.length > 0)
    return { selector: { name, kinds }, targets: kinds.map((kind) => findNamed(inventory, kind, name)) };
  const text = `bellhop.yaml lists no target “${abridged(name)}”.`;
  const guess = guessOf(
    name,
    all.map((target) => target.name),
  );
  throw misspelt('unknown-target', text, guess, ' For labels, type label=value.');
}

const targetsOf = ({ selector }: Hold, inventory: Inventory): readonly Target[] =>
  listedTargets(inventory).filter((target) => meets(selector, target));

/** One target, so that the rules must allow a command on each of the hold's targets. */
export const targetOfHold = (hold: Hold, inventory: Inventory): Target =>
  together(targetsOf(hold, inventory));

/** Without words, as in an unfinished command, the target is Bellhop itself. */
export const selectedTarget = (words: readonly string[] = [], inventory: Inventory): Target =>
  together(words.length === 0 ? [] : select(words, inventory).targets);

/** Other people's holds that include a target of this one. */
export function heldToo(hold: Hold, kept: readonly Hold[], inventory: Inventory): readonly Hold[] {
  const targets = targetsOf(hold, inventory);
  return kept.filter(
    ({ by, selector }) => !samePerson(by, hold.by) && targets.some((target) => meets(selector, target)),
  );
}

function together(targets: readonly Target[]): Target {
  const names = targets.map(({ name }) => name);
  return asOne(targets, someNames(names, maxNames)) ?? itself;
}
