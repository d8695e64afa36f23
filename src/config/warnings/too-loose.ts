import type { Decision } from '../../model/values/decision.ts';
import type { Policy, Rule } from '../../model/rulebook/rulebook.ts';
import { strictness } from '../../policy/restrict.ts';
import { ruleTitle } from '../../policy/policy.ts';
import { anyone } from '../../policy/roles.ts';
import type { Finding } from '../../model/rulebook/finding.ts';
import {
  channelsOf,
  decideFor,
  isChange,
  isPart,
  operationOf,
  partsOf,
  reaches,
  rolesNamed,
  type Spot,
} from './spots.ts';
import { someOf } from '../../text/words.ts';

export const looseRules = ({ rules }: Policy, spots: readonly Spot[]): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const names = new Set(spots.filter((spot) => isChange(spot) && reaches(rule, spot)).map(operationOf));
    if (rule.effect !== 'allow' || names.size === 0) return [];
    const text = rule.confirmNever
      ? `runs ${someOf(names)} without confirmation or approval.`
      : `applies to reads only; ${someOf(names)} will still ask for confirmation. Use a separate rule for changes.`;
    return [{ path: ['rules', index, rule.confirmNever ? 'confirm' : 'then'], text }];
  });

const isStricter = (one: Decision, other: Decision): boolean =>
  strictness[one.effect] > strictness[other.effect] ||
  (one.effect === 'approve' && other.effect === 'approve' && one.approvals > other.approvals) ||
  (one.effect === other.effect && demandOnly(one, other) !== undefined);

/** A demand of the first that the second does not make. */
const demandOnly = (one: Pick<Decision, 'demands'>, other: Pick<Decision, 'demands'>) =>
  one.demands?.find(({ gate }) => !other.demands?.some((also) => also.gate === gate));

/** If rules allow more on unlisted targets, a target that is missing from the inventory, or typed as an id, is less protected. */
export function weakerOnUnlisted(policy: Policy, spots: readonly Spot[]): readonly Finding[] {
  const found = new Map<number, { operations: Set<string>; stricter: Set<string> }>();
  const changes = spots.filter(isChange);
  for (const unlisted of changes.filter(({ command }) => command.isUnlisted)) {
    const listed = changes.filter(
      (spot) => !spot.command.isUnlisted && operationOf(spot) === operationOf(unlisted),
    );
    for (const role of rolesNamed(policy)) {
      for (const channel of channelsOf(policy)) {
        const weak = decideFor(policy, unlisted.command, [role], channel);
        if (weak.by.index === undefined) continue;
        for (const spot of listed) {
          const strict = decideFor(policy, spot.command, [role], channel);
          if (strict.by.index === undefined || strictness[strict.effect] <= strictness[weak.effect]) continue;
          const { operations, stricter } = found.getOrInsertComputed(weak.by.index, () => {
            return { operations: new Set(), stricter: new Set() };
          });
          operations.add(operationOf(spot));
          stricter.add(spot.targets[0] ?? '');
        }
      }
    }
  }
  return [...found].map(([index, { operations, stricter }]) => ({
    path: ['rules', index],
    text:
      `allows ${someOf(operations)} on unlisted targets with weaker checks than on ${someOf(stricter)}. ` +
      'Require approval for, or deny, unlisted targets.',
  }));
}

interface Taken {
  readonly looser: number;
  readonly stricter: number;
  readonly roles: Set<string>;
  readonly operations: Set<string>;
  readonly targets: Set<string>;
  readonly channels: Set<string>;
}

/**
 * Rules that decide some cases of a stricter rule below. A rule for fewer targets, or for the same targets and fewer people or channels,
 * counts as an intended exception.
 * @param shadowed rules already reported as never deciding
 */
export function takenAway(
  policy: Policy,
  spots: readonly Spot[],
  shadowed: ReadonlySet<unknown>,
): readonly Finding[] {
  const changes = spots.filter(isChange);
  const found = new Map<string, Taken>();
  for (const held of heldTogether(policy)) {
    for (const spot of changes) {
      for (const channel of channelsOf(policy)) {
        const first = decideFor(policy, spot.command, held, channel);
        const { index: looser } = first.by;
        if (looser === undefined) continue;
        const without = { ...policy, rules: policy.rules.with(looser, matchesNothing) };
        const next = decideFor(without, spot.command, held, channel);
        const { index: stricter } = next.by;
        if (stricter === undefined || shadowed.has(stricter) || !isStricter(next, first)) continue;
        if (isException(policy, looser, stricter, changes)) continue;
        const taken = found.getOrInsertComputed(`${looser} ${stricter}`, () => ({
          looser,
          stricter,
          roles: new Set(),
          operations: new Set(),
          targets: new Set(),
          channels: new Set(),
        }));
        for (const role of policy.rules[looser]?.roles ?? []) if (held.includes(role)) taken.roles.add(role);
        taken.operations.add(operationOf(spot));
        for (const target of spot.targets) taken.targets.add(target);
        taken.channels.add(channel);
      }
    }
  }
  return [...found.values()].map((taken) => ({
    path: ['rules', taken.looser],
    text: takenText(policy, taken),
  }));
}

const matchesNothing: Rule = {
  effect: 'deny',
  operations: [],
  approvers: [],
  approvals: 1,
  typeName: false,
  breakGlass: [],
};

function takenText(
  { rules }: Policy,
  { looser, stricter, roles, operations, targets, channels }: Taken,
): string {
  const [one, other] = [rules[looser], rules[stricter]];
  const alone = one?.confirmNever ? 'without confirmation' : 'alone';
  const more = one && other && one.effect === other.effect ? demandOnly(other, one) : undefined;
  const lets = more ? `without a ${more.noun}` : one?.effect === 'approve' ? 'with fewer approvals' : alone;
  const asks = more ? 'asks for one' : one?.effect === 'approve' ? 'asks for more' : 'asks for an approval';
  const wants = other?.effect === 'deny' ? 'denies it' : asks;
  const where = channels.has('') ? '' : ` in ${someOf(channels)}`;
  return (
    `${someOf(roles)} may run ${someOf(operations)} on ${someOf(targets)} ${lets}${where}, though ` +
    `${ruleTitle(rules, stricter)} below ${wants}: ` +
    `move ${ruleTitle(rules, stricter)} above ${ruleTitle(rules, looser)}, or narrow this rule.`
  );
}

const isIn = (inner: readonly string[] | undefined, outer: readonly string[] | undefined): boolean =>
  !outer || (inner?.every((name) => outer.includes(name)) ?? false);

function isException(
  { rules, roles }: Policy,
  looser: number,
  stricter: number,
  changes: readonly Spot[],
): boolean {
  const [one, other] = [rules[looser], rules[stricter]];
  if (!one || !other) return true;
  const only = (rule: Rule, not: Rule): boolean =>
    changes.some((spot) => reaches(rule, spot) && !reaches(not, spot));
  if (only(one, other)) return false;
  if (only(other, one) || (one.arguments && !other.arguments)) return true;
  const fewerPeople =
    isIn(one.roles, other.roles) ||
    (one.roles ?? []).every((name) => other.roles?.some((wider) => isPart(roles[name], roles[wider])));
  return fewerPeople || (one.channels !== undefined && isIn(one.channels, other.channels));
}

/** One person can hold all roles that list the same person, group or schedule. Includes each single role that a rule names. */
function heldTogether(policy: Policy): readonly (readonly string[])[] {
  const byPart = new Map<string, Set<string>>();
  for (const [name, role] of Object.entries(policy.roles))
    for (const part of partsOf(role)) byPart.getOrInsertComputed(part, () => new Set()).add(name);
  const sets = [...rolesNamed(policy).map((name) => [name]), ...byPart.values()].map((names) =>
    [...names, anyone].toSorted(),
  );
  return [...new Map(sets.map((names) => [names.join(' '), names])).values()];
}
