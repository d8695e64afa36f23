import type { Policy, Role, Rulebook } from '../../model/rulebook.ts';
import type { Finding } from '../yaml/findings.ts';
import { someOf } from './spots.ts';

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
  role?.schedule !== undefined && role.users.length + role.usergroups.length === 0;

/** Schedules that no role is for: they are asked, and nothing follows from the answer. */
export const idleSchedules = ({ schedules, policy }: Rulebook): readonly Finding[] => {
  const used = new Set(Object.values(policy.roles).map(({ schedule }) => schedule));
  return Object.keys(schedules)
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['schedules', name],
      at: 'key',
      text: `is used by no role: roles: { oncall: { schedule: ${name} } } gives one to its people.`,
    }));
};
