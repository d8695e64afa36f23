import { nearest } from '../../core/grammar/nearest.ts';
import type { Rulebook } from '../../core/model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';
import { scheduleSecret } from './schedules.ts';

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
        if (known.includes(typed) || nearest(typed, known) === undefined) return [];
        const at = looked.has(label) ? 'value' : 'key';
        return [{ path, at, text: `no rule looks at “${typed}”.`, misspelt: { typed, known } }];
      }),
    ),
  );
}

/** Secrets that are there, and that may go anywhere on a laptop and nowhere in production. */
export const unboundSecrets = (
  { secrets, hooks, schedules }: Rulebook,
  names: readonly string[],
): readonly Finding[] =>
  names
    .filter((name) => !Object.hasOwn(secrets, name))
    .filter((name) => Object.values(hooks).every(({ secret }) => secret !== `secret:${name}`))
    .filter((name) => Object.values(schedules).every((schedule) => scheduleSecret(schedule) !== name))
    .map((name) => ({
      path: ['secrets'],
      text: `secret:${name} is set, but not listed here: in production it is refused. List it with the fields and hosts that it is for.`,
      misspelt: { typed: name, known: Object.keys(secrets) },
    }));
