import type { Operation } from '../../../model/operation.ts';
import { readDuration } from '../../../text/words.ts';
import { namesOperation } from '../../../policy/match-rule.ts';
import { anyone } from '../../../policy/roles.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import type { FittingFile, FittingRule } from '../../../model/rulebook/schema.ts';

type Roles = NonNullable<FittingFile['roles']>;

/** Whether people can sign in where a rule wants it. */
export function stepUpFindings(
  { then, step_up }: FittingRule,
  path: Path,
  hasIdentity: boolean,
): readonly Finding[] {
  if (step_up === undefined) return [];
  const at = { path: [...path, 'step_up'], at: 'key' } as const;
  if (then === 'allow' || then === 'deny')
    return [{ ...at, text: 'has a meaning only with “then: confirm” or “then: approve”.' }];
  if (!step_up || hasIdentity) return [];
  const text =
    'needs “identity”, where people sign in: identity: { issuer: https://login.example.com, client_id: bellhop, client_secret: secret:oidc }.';
  return [{ ...at, text }];
}

/** Checks that a rule names its people and approvers, and that enough of them can exist. */
export function approvalFindings(rule: FittingRule, path: Path, roles: Roles): readonly Finding[] {
  const { then: effect } = rule;
  if (!effect) return [];
  const given = (key: string): boolean => Object.hasOwn(rule, key);
  const only = (key: string, meaning: string): readonly Finding[] =>
    given(key) ? [{ path: [...path, key], at: 'key', text: `is only valid with ${meaning}.` }] : [];
  return [
    ...(effect !== 'deny' && !given('roles')
      ? [
          {
            path: [...path, 'roles'],
            text: 'is missing. Name the roles that the rule applies to; [anyone] means every full member.',
          },
        ]
      : []),
    ...(effect === 'approve'
      ? approverFindings(rule, path, roles)
      : ['approvers', 'approvals', 'approvers_after', 'break_glass'].flatMap((key) =>
          only(key, '“then: approve”'),
        )),
  ];
}

function approverFindings(rule: FittingRule, path: Path, roles: Roles): readonly Finding[] {
  if (!Object.hasOwn(rule, 'approvers')) {
    return [
      { path: [...path, 'approvers'], text: 'is missing. “then: approve” needs the roles that may approve.' },
    ];
  }
  const further = Object.values(rule.approvers_after ?? {}).flat();
  const approvers = membersOf([...(rule.approvers ?? [undefined]), ...further], roles);
  const wanted = rule.approvals ?? 1;
  if (approvers === 'open') return [];
  const most = mostApprovals(membersOf(rule.roles, roles), approvers);
  if (wanted <= most) return [];
  const key = Object.hasOwn(rule, 'approvals') ? 'approvals' : 'approvers';
  return [
    {
      path: [...path, key],
      text: `can never be reached. At most ${most} may approve, because no one approves their own request, and ${wanted} must.`,
    },
  ];
}

/** Groups that would be asked only once the request has expired. */
export const laterFindings = (
  { approvers_after: further = {} }: FittingRule,
  path: Path,
  expireAfterMs = Infinity,
): readonly Finding[] =>
  Object.keys(further).flatMap((after): readonly Finding[] =>
    (readDuration(after) ?? 0) < expireAfterMs
      ? []
      : [
          {
            path: [...path, 'approvers_after', after],
            at: 'key',
            text: `is too late: a request expires after ${expireAfterMs / 1000} s (requests.expire_after).`,
          },
        ],
  );

/** The most approvals that any requester can get. */
function mostApprovals(requesters: ReadonlySet<string> | 'open', approvers: ReadonlySet<string>): number {
  const outsider =
    requesters === 'open' || requesters.size === 0 || [...requesters].some((user) => !approvers.has(user));
  return outsider ? approvers.size : approvers.size - 1;
}

/** The people listed in the file, or `open` if a role has others too, or is undefined. */
function membersOf(
  names: readonly (string | undefined)[] = [undefined],
  roles: Roles,
): ReadonlySet<string> | 'open' {
  const held = names.map((name = anyone) => (name === anyone ? undefined : roles[name]));
  const isOpen = held.some(
    (role) => !role?.users || role.usergroups?.length !== 0 || role.schedule !== undefined,
  );
  return isOpen ? 'open' : new Set(held.flatMap((role) => role?.users?.map((user = '') => user) ?? []));
}

type KnownOperation = Pick<Operation, 'name' | 'risk'>;

/** Checks that a rule's `confirm` fits its effect, so that no change runs unconfirmed unless the rule says so. */
export function confirmationFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
): readonly Finding[] {
  const { then, confirm } = rule;
  const changes = operations.filter((one) => one.risk !== 'read' && isMeant(rule, one));
  if (confirm === 'never') {
    if (then === 'allow' && changes.length > 0) return [];
    const text = '“never” is only valid with “then: allow” for changes.';
    return [{ path: [...path, 'confirm'], at: 'key', text }];
  }
  if (Object.hasOwn(rule, 'confirm') && (then === 'allow' || then === 'deny')) {
    const text = 'is only valid with “then: confirm” or “then: approve”.';
    return [{ path: [...path, 'confirm'], at: 'key', text }];
  }
  const reads = operations.some((one) => one.risk === 'read' && isMeant(rule, one));
  const spoken = changes.find((change) => !reads || namesChange(rule, change));
  if (then !== 'allow' || !spoken) return [];
  const text =
    `would run ${spoken.name} without a confirmation. ` +
    'If that is intended, add “confirm: never”; otherwise use “then: confirm”.';
  return [{ path: [...path, 'then'], text }];
}

const isMeant = (rule: FittingRule, { name, risk }: KnownOperation): boolean =>
  (!Object.hasOwn(rule, 'risk') || (rule.risk ?? []).includes(risk)) &&
  (!Object.hasOwn(rule, 'operations') ||
    (rule.operations ?? []).some((pattern = '') => namesOperation(pattern, name)));

/** A rule names a change by its risk or its full name. With `area.*` or no operations, it may be meant for reads. */
const namesChange = (rule: FittingRule, { name, risk }: KnownOperation): boolean =>
  (rule.risk ?? []).includes(risk) || (rule.operations ?? []).includes(name);
