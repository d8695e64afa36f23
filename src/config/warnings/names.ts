import { nearest } from '../../command/grammar/nearest.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';

/**
 * Labels of a target that no rule looks at, but nearly: one wrong letter in `env: production` takes a target out of the
 * rule for production and puts it under a looser one.
 */
export function misspeltLabels({ inventory, policy, limits, guards }: Rulebook): readonly Finding[] {
  const conditions = [...policy.rules, ...policy.freeze, ...limits, ...guards].map(
    ({ labels = {} }) => labels,
  );
  const looked = Map.groupBy(
    conditions.flatMap((labels) => Object.entries(labels)),
    ([label]) => label,
  );
  const values = (label: string): readonly string[] => (looked.get(label) ?? []).map(([, value]) => value);
  return (['instances', 'containers'] as const).flatMap((kind) =>
    Object.entries(inventory[kind]).flatMap(([name, { labels }]) =>
      Object.entries(labels).flatMap(([label, value]): readonly Finding[] => {
        const path = [kind, name, 'labels', label];
        const known = looked.has(label) ? values(label) : [...looked.keys()];
        const typed = looked.has(label) ? value : label;
        if (known.includes(typed) || nearest(typed, known, 1) === undefined) return [];
        const at = looked.has(label) ? 'value' : 'key';
        return [{ path, at, text: `no rule looks at “${typed}”.`, misspelt: { typed, known } }];
      }),
    ),
  );
}
