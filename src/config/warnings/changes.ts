import type { Policy } from '../../model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';
import { reaches, someOf, type Spot } from './spots.ts';

const isChange = ({ command }: Spot): boolean => command.entry.operation.risk !== 'read';

const operationsOf = (spots: readonly Spot[]): readonly string[] => [
  ...new Set(spots.map(({ command }) => command.entry.operation.name)),
];

/** Rules that run changes at once, or that seem to. */
export const looseRules = ({ rules }: Policy, spots: readonly Spot[]): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const names = operationsOf(spots.filter((spot) => isChange(spot) && reaches(rule, spot)));
    if (rule.effect !== 'allow' || names.length === 0) return [];
    const path = ['rules', index, rule.confirmNever ? 'confirm' : 'then'];
    const text = rule.confirmNever
      ? `runs ${someOf(names)} at once, with nobody to confirm or approve.`
      : `is for reads: for ${someOf(names)} it asks for a confirmation. Give changes a rule of their own.`;
    return [{ path, text }];
  });

/** Changes that nobody may make, without a rule that says so. What the inventory does not list is best left so. */
export function unreachedChanges({ rules }: Policy, spots: readonly Spot[]): readonly Finding[] {
  if (rules.length === 0) return [{ path: ['rules'], text: 'has no rule: everybody is denied everything.' }];
  const changes = spots.filter((spot) => isChange(spot) && !spot.command.isUnlisted);
  const unreached = changes.filter((spot) => !rules.some((rule) => reaches(rule, spot)));
  const byTargets = Map.groupBy(unreached, ({ targets }) => someOf(targets));
  return [...byTargets].map(([targets, group]) => ({
    path: ['rules'],
    text: `no rule is about ${someOf(operationsOf(group))} on ${targets}: everybody is denied that. Where it is meant, say so with “then: deny”.`,
  }));
}
