import type { Policy, Role, Rulebook } from '../../model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';
import { hasUnlisted, partsOf, someOf } from './spots.ts';

/** Requests that can be made and never be approved: of the approvers that the file lists, too few are somebody else. */
export const approvalsNobodyGives = ({ rules, roles }: Policy): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const held = rule.approvers.map((name) => roles[name]);
    if (rule.effect !== 'approve' || held.some((role) => !role || hasUnlisted(role))) return [];
    const approvers = new Set(held.flatMap((role) => role?.users ?? []));
    const known = new Set((rule.roles ?? []).flatMap((name) => roles[name]?.users ?? []));
    const stuck = [...known].filter(
      (user) => approvers.size - (approvers.has(user) ? 1 : 0) < rule.approvals,
    );
    if (stuck.length === 0) return [];
    const text =
      `what is asked for by ${someOf(stuck)} can never be approved: nobody approves their own request, ` +
      'and too few others may.';
    return [{ path: ['rules', index, 'approvers'], text }];
  });

/** Requests that nobody can approve while the one person on call asks for them, or their schedule does not answer. */
export const approvalsOnlyOnCall = ({ rules, roles }: Policy): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    if (rule.effect !== 'approve' || !rule.approvers.every((name) => isOnlyOnCall(roles[name]))) return [];
    const text =
      `only whoever is on call may approve (${someOf(rule.approvers)}): nobody can while that is the requester, ` +
      'or while the schedule does not answer. Add a role with others.';
    return [{ path: ['rules', index, 'approvers'], text }];
  });

const isOnlyOnCall = (role: Role | undefined): boolean =>
  role?.schedule !== undefined && partsOf(role).length === 1;

/** Roles that nobody has, or that nothing is said of. */
export function idleRoles({ policy, guards, announce }: Rulebook): readonly Finding[] {
  const used = new Set([
    ...policy.rules.flatMap(({ roles = [], approvers, breakGlass }) => [roles, approvers, breakGlass].flat()),
    ...policy.freeze.flatMap(({ except }) => except),
    ...guards.flatMap(({ approvers }) => approvers),
    ...announce.brokenRules,
  ]);
  return Object.entries(policy.roles).flatMap(([name, role]): readonly Finding[] => {
    const at = { path: ['roles', name], at: 'key' as const };
    if (partsOf(role).length === 0)
      return [{ ...at, text: 'has nobody in it: list users or usergroups, or name a schedule.' }];
    return used.has(name) ? [] : [{ ...at, text: 'is named nowhere: no rule is for it.' }];
  });
}

/** Schedules that no role is for: they are asked, and nothing follows from the answer. */
export function idleSchedules({ schedules, policy }: Rulebook): readonly Finding[] {
  const used = new Set(Object.values(policy.roles).map(({ schedule }) => schedule));
  return Object.keys(schedules)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['schedules', name],
      at: 'key',
      text: `is used by no role: roles: { oncall: { schedule: ${name} } } gives one to its people.`,
    }));
}
