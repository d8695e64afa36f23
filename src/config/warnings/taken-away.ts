import type { Policy, Role, Rule } from '../../model/rulebook.ts';
import { decide, ruleTitle } from '../../policy/policy.ts';
import type { Decision } from '../../model/decision.ts';
import { anyone } from '../../policy/roles.ts';
import type { Finding } from '../yaml/findings.ts';
import { reaches, someOf, type Spot } from './spots.ts';
import { questionFor, strictness } from './weaker.ts';

/** What a looser rule decides before a stricter one that is about the same. */
interface Taken {
  readonly roles: Set<string>;
  readonly operations: Set<string>;
  readonly targets: Set<string>;
  readonly channels: Set<string>;
}

/**
 * Rules that decide, for some people or targets, what a stricter rule below them is about. One that is about fewer targets than the
 * stricter one is an exception that somebody thought of; so is one for the same targets, and for fewer people or channels.
 * @param shadowed rules of which it is said already that they never decide
 */
export function takenAway(
  policy: Policy,
  spots: readonly Spot[],
  shadowed: ReadonlySet<unknown>,
): readonly Finding[] {
  const changes = spots.filter(({ command }) => command.entry.operation.risk !== 'read');
  const found = new Map<string, Taken & { readonly looser: number; readonly stricter: number }>();
  const channels = ['', ...new Set(policy.rules.flatMap((rule) => rule.channels ?? []))];
  for (const held of heldTogether(policy)) {
    for (const spot of changes) {
      for (const channel of channels) {
        const first = decideFor(policy, spot, held, channel);
        const next =
          first.index === undefined ? undefined : decideBelow(policy, first.index, spot, held, channel);
        if (!next || first.index === undefined || next.index === undefined) continue;
        if (
          shadowed.has(next.index) ||
          !isStricter(next, first) ||
          isException(policy, first.index, next.index, changes)
        )
          continue;
        const key = `${first.index} ${next.index}`;
        const taken = found.get(key) ?? {
          looser: first.index,
          stricter: next.index,
          roles: new Set(),
          operations: new Set(),
          targets: new Set(),
          channels: new Set(),
        };
        found.set(key, taken);
        for (const role of policy.rules[first.index]?.roles ?? [])
          if (held.includes(role)) taken.roles.add(role);
        taken.operations.add(spot.command.entry.operation.name);
        for (const target of spot.targets) taken.targets.add(target);
        taken.channels.add(channel);
      }
    }
  }
  return [...found.values()].map(({ looser, stricter, ...taken }) => ({
    path: ['rules', looser],
    text: textOf(policy, looser, stricter, taken),
  }));
}

function textOf({ rules }: Policy, looser: number, stricter: number, taken: Taken): string {
  const [one, other] = [rules[looser], rules[stricter]];
  const lets = one?.effect === 'approve' ? 'with fewer approvals' : one?.confirmNever ? 'at once' : 'alone';
  const wants = other?.effect === 'deny' ? 'denies it' : 'asks for an approval';
  const where = taken.channels.has('') ? '' : ` in ${someOf([...taken.channels])}`;
  return (
    `${someOf([...taken.roles])} may run ${someOf([...taken.operations])} on ${someOf([...taken.targets])} ${lets}${where}, though ` +
    `${ruleTitle(rules, stricter)} below ${other?.effect === 'approve' && one?.effect === 'approve' ? 'asks for more' : wants}: ` +
    `move ${ruleTitle(rules, stricter)} above ${ruleTitle(rules, looser)}, or narrow this one.`
  );
}

const isStricter = (one: Decision, other: Decision): boolean =>
  strictness[one.effect] > strictness[other.effect] ||
  (one.effect === 'approve' && other.effect === 'approve' && one.approvals > other.approvals);

function decideFor(policy: Policy, spot: Spot, held: readonly string[], channel: string): Decision {
  return decide({ ...policy, freeze: [] }, questionFor(spot.command, held, channel));
}

/** What would decide without the rule that does. */
function decideBelow(
  policy: Policy,
  index: number,
  spot: Spot,
  held: readonly string[],
  channel: string,
): Decision | undefined {
  const never: Rule = {
    effect: 'deny',
    operations: [],
    approvers: [],
    approvals: 1,
    typeName: false,
    breakGlass: [],
  };
  return decideFor({ ...policy, rules: policy.rules.with(index, never) }, spot, held, channel);
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

const isPart = (inner: Role | undefined, outer: Role | undefined): boolean =>
  inner !== undefined && outer !== undefined && partsOf(inner).every((part) => partsOf(outer).includes(part));

const partsOf = ({ users, usergroups, schedule }: Role): readonly string[] => [
  ...users,
  ...usergroups,
  ...(schedule === undefined ? [] : [`schedule ${schedule}`]),
];

/** Roles that one person can hold together: each with `anyone`, and those that list the same person, group or schedule. */
function heldTogether({ roles, rules }: Policy): readonly (readonly string[])[] {
  const byPart = Map.groupBy(
    Object.entries(roles).flatMap(([name, role]) => partsOf(role).map((part) => ({ part, name }))),
    ({ part }) => part,
  );
  const together = [...byPart.values()].map((names) => [anyone].concat(names.map(({ name }) => name)));
  const named = new Set(rules.flatMap((rule) => rule.roles ?? []));
  const alone = [...named].map((name) => (name === anyone ? [anyone] : [anyone, name]));
  return [...new Map([...alone, ...together].map((names) => [names.toSorted().join(' '), names])).values()];
}
