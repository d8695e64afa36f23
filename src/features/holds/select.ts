import { findNamed } from '../../command/inventory.ts';
import { readLabel } from '../../command/each.ts';
import {
  type Inventory,
  labelled,
  namedKinds,
  several,
  type Target,
  targetsOfKind,
} from '../../model/rulebook/target.ts';
import type { Lasting } from '../../model/records/due.ts';
import { samePerson } from '../../model/values/actor.ts';
import { badInput, misspelt, rescue } from '../../model/values/errors.ts';
import { guessOf } from '../../text/nearest.ts';
import { abridged } from '../../text/words.ts';
import { type Hold, inForce, maxNames, meets, type Selector } from './hold.ts';

interface Selected {
  readonly selector: Selector;
  readonly targets: readonly Target[];
}

const listedTargets = (inventory: Inventory) =>
  namedKinds(inventory).flatMap((kind) =>
    Object.entries(targetsOfKind(inventory, kind)).map(([name, { labels }]) => ({ kind, name, labels })),
  );

/**
 * Reads a name, or labels as `label=value`. A name stands for the targets of all kinds that have it.
 * @throws BellhopError `unknown-target`, `bad-input`, with a suggestion
 */
export function select(words: readonly string[], inventory: Inventory): Selected {
  const [name = '', ...more] = words;
  if (name === '') throw badInput('Name a target, or labels such as env=production tier=db.');
  if (words.every((word) => word.includes('='))) {
    const all = listedTargets(inventory);
    const labels = Object.fromEntries(words.map((word) => readLabel(word, all, '/bellhop hold')));
    const targets = selectedTargets({ labels }, inventory);
    if (targets.length > 0) return { selector: { labels }, targets };
    throw badInput(`No target has ${words.map((word) => abridged(word)).join(' and ')}. Nothing was held.`);
  }
  if (more.length > 0) throw badInput('Name one target, or labels such as env=production tier=db.');
  const kinds = namedKinds(inventory).filter((kind) => Object.hasOwn(targetsOfKind(inventory, kind), name));
  if (kinds.length === 0) {
    const text = `bellhop.yaml lists no target “${abridged(name)}”.`;
    const names = listedTargets(inventory).map((one) => one.name);
    throw misspelt('unknown-target', text, guessOf(name, names), ' For labels, type label=value.');
  }
  const selector = { targets: kinds.map((kind) => ({ kind, name })) };
  return { selector, targets: kinds.map((kind) => findNamed(inventory, kind, name)) };
}

/** The listed targets of a selector. One whose place is not configured can't be changed either. */
export const selectedTargets = (selector: Selector, inventory: Inventory): readonly Target[] =>
  listedTargets(inventory)
    .filter(({ kind, name, labels }) =>
      'labels' in selector
        ? labelled(selector.labels, { labels })
        : selector.targets.some((one) => one.kind === kind && one.name === name),
    )
    .flatMap(({ kind, name }) => rescue(() => findNamed(inventory, kind, name)) ?? [])
    .filter((target) => meets(selector, target));

/** Someone else's hold on one of the targets of this one. */
export const heldToo = (
  { by, selector }: Hold,
  all: readonly Lasting[],
  inventory: Inventory,
): Hold | undefined => {
  const targets = selectedTargets(selector, inventory);
  return inForce(all).find(
    (other) => !samePerson(other.by, by) && targets.some((target) => meets(other.selector, target)),
  );
};

/** Several targets as one, so that the rules have to allow a command on each. */
export function asOne(targets: readonly Target[]): Target {
  const [only] = targets;
  if (!only) return { kind: 'bellhop', name: 'Bellhop', labels: {} };
  if (targets.length === 1) return only;
  const names = targets.map(({ name }) => name);
  return several(targets, names.slice(0, maxNames).join(', '));
}
