import type { Policy, Roles, Rulebook } from '../../model/rulebook.ts';
import { anyone } from '../../policy/roles.ts';
import type { Finding } from '../yaml/findings.ts';
import { someOf } from './spots.ts';

/** Requests that can be made and never be approved: of the approvers that the file lists, too few are somebody else. */
export const approvalsNobodyGives = ({ rules, roles }: Policy): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const approvers = listedIn(rule.approvers, roles);
    if (rule.effect !== 'approve' || !approvers) return [];
    const known = (rule.roles ?? []).flatMap((name) => roles[name]?.users ?? []);
    const stuck = [...new Set(known)].filter(
      (user) => approvers.size - (approvers.has(user) ? 1 : 0) < rule.approvals,
    );
    if (stuck.length === 0) return [];
    const text =
      `what is asked for by ${someOf(stuck)} can never be approved: nobody approves their own request, ` +
      'and too few others may.';
    return [{ path: ['rules', index, 'approvers'], text }];
  });

/** Undefined where a role has members that the file does not list. */
function listedIn(names: readonly string[], roles: Roles): ReadonlySet<string> | undefined {
  const held = names.map((name) => (name === anyone ? undefined : roles[name]));
  if (held.some((role) => !role || role.usergroups.length > 0 || role.schedule !== undefined))
    return undefined;
  return new Set(held.flatMap((role) => role?.users ?? []));
}

/** Roles that nobody has, or that nothing is said of. */
export function idleRoles({ policy, guards, announce }: Rulebook): readonly Finding[] {
  const used = new Set([
    ...policy.rules.flatMap(({ roles = [], approvers, breakGlass }) => [
      ...roles,
      ...approvers,
      ...breakGlass,
    ]),
    ...policy.freeze.flatMap(({ except }) => except),
    ...guards.flatMap(({ approvers }) => approvers),
    ...announce.brokenRules,
  ]);
  return Object.entries(policy.roles).flatMap(
    ([name, { users, usergroups, schedule }]): readonly Finding[] => {
      const at = { path: ['roles', name], at: 'key' as const };
      if (users.length + usergroups.length === 0 && schedule === undefined)
        return [{ ...at, text: 'has nobody in it: list users or usergroups, or name a schedule.' }];
      return used.has(name) ? [] : [{ ...at, text: 'is named nowhere: no rule is for it.' }];
    },
  );
}
