import { ruleTitle } from '../../policy/policy.ts';
import { anyone } from '../../policy/roles.ts';
import type { Policy, Roles, Rule } from '../../model/rulebook/rulebook.ts';
import type { Finding } from '../../model/rulebook/finding.ts';
import { isChange, hasUnlisted, isPart, operationOf, reaches, type Spot } from './spots.ts';
import { someOf } from '../../text/words.ts';

/** Unlisted targets need no rule. */
export function unreachedChanges({ rules }: Policy, spots: readonly Spot[]): readonly Finding[] {
  if (rules.length === 0)
    return [{ path: ['rules'], text: 'has no rules, so everything is denied to everyone.' }];
  const changes = spots.filter((spot) => isChange(spot) && !spot.command.isUnlisted);
  const unreached = changes.filter((spot) => !rules.some((rule) => reaches(rule, spot)));
  const byTargets = Map.groupBy(unreached, ({ targets }) => someOf(targets));
  return [...byTargets].map(([targets, group]) => ({
    path: ['rules'],
    text: `no rule covers ${someOf(new Set(group.map(operationOf)))} on ${targets}, so it is denied to everyone. If that's intended, add a “then: deny” rule.`,
  }));
}

/**
 * Shadowed rules match nothing, or earlier rules decide everything that they match.
 * @param allPlaced whether all targets of the inventory have a place, so that `spots` is complete
 */
export function shadowedRules(
  { rules, roles }: Policy,
  spots: readonly Spot[],
  allPlaced: boolean,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [index, rule] of rules.entries()) {
    const before = rules.slice(0, index);
    const cases = casesOf(rule, spots);
    if (cases.length === 0) {
      if (!allPlaced) continue;
      const text = 'never matches: no known target has these labels for these operations.';
      findings.push({ path: ['rules', index], text });
      continue;
    }
    const deciding = cases.map((one) => before.findIndex((earlier) => covers(earlier, rule, one, roles)));
    if (deciding.includes(-1)) continue;
    const by = [...new Set(deciding)].toSorted((one, other) => one - other);
    const titles = someOf(by.map((at) => ruleTitle(rules, at)));
    const text = `never decides anything: ${titles} before it ${by.length === 1 ? 'decides' : 'decide'} everything it matches.`;
    findings.push({ path: ['rules', index], text });
  }
  return findings;
}

/** One way in which a rule can match. An undefined part means anything that is not named. */
interface Case {
  readonly spot: Spot;
  readonly role: string | undefined;
  readonly channel: string | undefined;
  readonly team: string | undefined;
}

function casesOf(rule: Rule, spots: readonly Spot[]): readonly Case[] {
  const { roles = [undefined], channels = [undefined], teams = [undefined] } = rule;
  return spots
    .filter((spot) => reaches(rule, spot))
    .flatMap((spot) =>
      roles.flatMap((role) =>
        channels.flatMap((channel) => teams.map((team) => ({ spot, role, channel, team }))),
      ),
    );
}

/** Whether `earlier` certainly matches whenever `later` matches in this case. */
const covers = (earlier: Rule, later: Rule, { spot, role, channel, team }: Case, roles: Roles): boolean =>
  reaches(earlier, spot) &&
  coversPrograms(earlier, later) &&
  includes(earlier.channels, channel) &&
  includes(earlier.teams, team) &&
  coversArguments(earlier, later) &&
  (!earlier.roles ||
    (role !== undefined &&
      earlier.roles.some((one) => coversRole(one, role, roles, isLooser(earlier, later)))));

/** Rules for programs and rules for people never match the same command. */
const coversPrograms = ({ programs }: Rule, later: Rule): boolean =>
  programs ? (later.programs?.every((one) => programs.includes(one)) ?? false) : !later.programs;

const includes = (names: readonly string[] | undefined, name: string | undefined): boolean =>
  !names || (name !== undefined && names.includes(name));

/** Denials also match guests of a group, and single items of a list, so allowing rules match less. */
const isLooser = (earlier: Rule, later: Rule): boolean =>
  earlier.effect !== 'deny' && later.effect === 'deny';

const coversArguments = (earlier: Rule, later: Rule): boolean =>
  Object.entries(earlier.arguments ?? {}).every(
    ([field, value]) => later.arguments?.[field] === value && !isLooser(earlier, later),
  );

/** Whether everyone with `inner` certainly holds `outer`. */
function coversRole(outer: string, inner: string, roles: Roles, exactOnly: boolean): boolean {
  const members = roles[inner];
  if (exactOnly && (inner === anyone || (members && hasUnlisted(members)))) return false;
  if (outer === inner) return true;
  if (inner === anyone || !members) return false;
  // A person listed by id may be a guest; a group includes only full members.
  return outer === anyone ? members.users.length === 0 : isPart(members, roles[outer]);
}
