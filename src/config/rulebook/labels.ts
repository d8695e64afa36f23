import { abridged } from '../../core/grammar/typed-text.ts';
import type { Inventory } from '../../core/model/inventory.ts';
import { recordOf, type Given, type Outline } from './outline.ts';
import type { Finding, Path } from './yaml-source.ts';

/** A condition on a label that no target has never holds. Where no target has any label, nothing can be told. */
export function labelFindings({ inventory, rules, freezes, limits, guards }: Outline): readonly Finding[] {
  const known = labelsOf(inventory);
  if (known.size === 0) return [];
  const parts = { rules, freeze: freezes, limits, guard: guards };
  return Object.entries(parts).flatMap(([key, entries]) =>
    entries.flatMap((entry, index) => findingsIn(entry, [key, index, 'labels'], known)),
  );
}

/** The values of each label. */
function labelsOf({ instances, containers }: Inventory): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const { labels } of [...Object.values(instances), ...Object.values(containers)]) {
    for (const [label, value] of Object.entries(labels)) {
      known.set(label, (known.get(label) ?? new Set<string>()).add(value));
    }
  }
  return known;
}

const findingsIn = (
  entry: Given,
  path: Path,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Finding[] =>
  Object.entries(recordOf(entry, 'labels')).flatMap(([label, value]): readonly Finding[] => {
    const values = known.get(label);
    const at = [...path, label];
    if (!values) {
      const text = `no instance or container has the label “${abridged(label)}”.`;
      return [{ path: at, at: 'key', text, misspelt: { typed: label, known: known.keys() } }];
    }
    if (typeof value !== 'string' || values.has(value)) return [];
    const text = `no instance or container has ${label}=${abridged(value)}.`;
    return [{ path: at, text, misspelt: { typed: value, known: values } }];
  });
