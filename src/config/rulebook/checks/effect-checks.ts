import type { Operation } from '../../../model/operation.ts';
import { namesOperation } from '../../../policy/match-rule.ts';
import { effects } from '../../../model/rulebook.ts';
import { anyone } from '../../../policy/roles.ts';
import { textsOf, type Given, type RoleOutline } from './outline.ts';
import type { Finding, Path } from '../../yaml/findings.ts';

type Roles = ReadonlyMap<string, RoleOutline>;

/** Whether a rule says whom it is for and who approves, and whether enough of them can exist. */
export function approvalFindings(rule: Given, path: Path, roles: Roles): readonly Finding[] {
  const effect = effects.find((known) => known === rule['then']);
  if (!effect) return [];
  const given = (key: string): boolean => Object.hasOwn(rule, key);
  const only = (key: string, meaning: string): readonly Finding[] =>
    given(key) ? [{ path: [...path, key], at: 'key', text: `has a meaning only with ${meaning}.` }] : [];
  return [
    ...(effect !== 'deny' && !given('roles')
      ? [
          {
            path: [...path, 'roles'],
            text: 'is missing: say whom the rule is for; [anyone] is every full member.',
          },
        ]
      : []),
    ...(effect === 'approve'
      ? approverFindings(rule, path, roles)
      : ['approvers', 'approvals', 'break_glass'].flatMap((key) => only(key, '“then: approve”'))),
  ];
}

function approverFindings(rule: Given, path: Path, roles: Roles): readonly Finding[] {
  if (!Object.hasOwn(rule, 'approvers')) {
    return [
      { path: [...path, 'approvers'], text: 'is missing: “then: approve” needs the roles that may approve.' },
    ];
  }
  const approvers = membersOf(textsOf(rule, 'approvers'), roles);
  const wanted = typeof rule['approvals'] === 'number' ? rule['approvals'] : 1;
  if (approvers === 'open') return [];
  const most = mostApprovals(membersOf(textsOf(rule, 'roles'), roles), approvers);
  if (wanted <= most) return [];
  const key = Object.hasOwn(rule, 'approvals') ? 'approvals' : 'approvers';
  return [
    {
      path: [...path, key],
      text: `can never be reached: at most ${most} may approve, since nobody approves their own request, and ${wanted} must.`,
    },
  ];
}

/** The most approvals that the luckiest requester can get. */
function mostApprovals(requesters: ReadonlySet<string> | 'open', approvers: ReadonlySet<string>): number {
  const outsider =
    requesters === 'open' || requesters.size === 0 || [...requesters].some((user) => !approvers.has(user));
  return outsider ? approvers.size : approvers.size - 1;
}

/** The people whom the file lists, or `open` where a role has others too, or is itself unknown. */
function membersOf(names: readonly string[], roles: Roles): ReadonlySet<string> | 'open' {
  const users = new Set<string>();
  for (const name of names) {
    const role = roles.get(name);
    if (name === anyone || !role || role.open) return 'open';
    for (const user of role.users) users.add(user);
  }
  return users;
}

type KnownOperation = Pick<Operation, 'name' | 'risk'>;

/** Whether what a rule says of confirming fits what it does: nothing changes at once that the rule does not say so of. */
export function confirmationFindings(
  rule: Given,
  path: Path,
  operations: readonly KnownOperation[],
): readonly Finding[] {
  const { then, confirm } = rule;
  const changes = operations.filter((one) => one.risk !== 'read' && isMeant(rule, one));
  if (confirm === 'never') {
    if (then === 'allow' && changes.length > 0) return [];
    const text = '“never” has a meaning only with “then: allow” of changes.';
    return [{ path: [...path, 'confirm'], at: 'key', text }];
  }
  if (Object.hasOwn(rule, 'confirm') && (then === 'allow' || then === 'deny')) {
    const text = 'has a meaning only with “then: confirm” or “then: approve”.';
    return [{ path: [...path, 'confirm'], at: 'key', text }];
  }
  const reads = operations.some((one) => one.risk === 'read' && isMeant(rule, one));
  const spoken = changes.find((change) => !reads || namesChange(rule, change));
  if (then !== 'allow' || !spoken) return [];
  const text =
    `would run ${spoken.name} at once, without a confirmation: ` +
    'add “confirm: never” if that is meant, else write “then: confirm”.';
  return [{ path: [...path, 'then'], text }];
}

const isMeant = (rule: Given, { name, risk }: KnownOperation): boolean =>
  (!Object.hasOwn(rule, 'risk') || risksOf(rule).includes(risk)) &&
  (!Object.hasOwn(rule, 'operations') ||
    textsOf(rule, 'operations').some((pattern) => namesOperation(pattern, name)));

/** A rule names a change by its risk or its whole name; what it reaches only by `area.*` or not at all may be a read. */
const namesChange = (rule: Given, { name, risk }: KnownOperation): boolean =>
  risksOf(rule).includes(risk) || textsOf(rule, 'operations').includes(name);

const risksOf = (rule: Given): readonly string[] =>
  typeof rule['risk'] === 'string' ? [rule['risk']] : textsOf(rule, 'risk');
