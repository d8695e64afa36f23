import { nearest } from '../../command/grammar/nearest.ts';
import type { Inventory } from '../../model/target.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';
import { someOf } from './spots.ts';

const kinds = ['instances', 'containers'] as const;

/** Targets without a project or region: no command reaches them, so nothing can be told of the rules about them. */
export const placeless = (inventory: Inventory): readonly Finding[] =>
  (['project', 'region'] as const).flatMap((part): readonly Finding[] => {
    if (inventory[part] !== undefined) return [];
    const targets = kinds.flatMap((kind) => Object.entries(inventory[kind]));
    const names = targets.flatMap(([name, entry]) => (entry[part] === undefined ? [name] : []));
    if (names.length === 0) return [];
    const text = `is missing: no command reaches ${someOf(names)}. Set ${part} for all, or on each of them.`;
    return [{ path: [part], text }];
  });

/**
 * Labels of a target that no rule looks at, but nearly: one wrong letter in `env: production` takes a target out of the
 * rule for production and puts it under a looser one.
 */
export function misspeltLabels({ inventory, policy, limits, guards }: Rulebook): readonly Finding[] {
  const conditions = [...policy.rules, ...policy.freeze, ...limits, ...guards];
  const looked = Map.groupBy(
    conditions.flatMap(({ labels = {} }) => Object.entries(labels)),
    ([label]) => label,
  );
  return kinds.flatMap((kind) =>
    Object.entries(inventory[kind]).flatMap(([name, { labels }]) =>
      Object.entries(labels).flatMap(([label, value]): readonly Finding[] => {
        const path = [kind, name, 'labels', label];
        const values = looked.get(label)?.map(([, one]) => one);
        const known = values ?? [...looked.keys()];
        const typed = values ? value : label;
        if (known.includes(typed) || nearest(typed, known, 1) === undefined) return [];
        const at = values ? 'value' : 'key';
        return [{ path, at, text: `no rule looks at “${typed}”.`, misspelt: { typed, known } }];
      }),
    ),
  );
}
