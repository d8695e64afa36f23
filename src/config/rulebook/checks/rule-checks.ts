import { skipKeys, sourceKinds } from '../../../features/index.ts';
import type { Operation } from '../../../model/operation.ts';
import type { FittingFile, FittingRule } from '../../../model/rulebook/schema.ts';
import { anyone } from '../../../policy/roles.ts';
import { readDuration } from '../../../text/words.ts';
import { type Finding, type Path, unknownNames } from '../../../model/rulebook/finding.ts';
import { type DemandKey, namesIn, type ProgramKey, valueOf } from '../../../model/section.ts';
import { namesOperation } from '../../../model/rulebook/rulebook.ts';

type Roles = NonNullable<FittingFile['roles']>;
type KnownOperation = Pick<Operation, 'name' | 'risk' | 'atOnce'>;

export function* demandFindings(
  rule: FittingRule,
  path: Path,
  { key, needs }: DemandKey,
  written: readonly string[],
): Generator<Finding> {
  const value = valueOf(rule, key);
  if (value === undefined) return;
  const { then } = rule;
  const at = { path: [...path, key], at: 'key' } as const;
  if (then === 'allow' || then === 'deny')
    yield { ...at, text: 'is only valid with “then: confirm” or “then: approve”.' };
  else if (value === true && !written.includes(needs.key)) yield { ...at, text: needs.text };
}

const skipNames = skipKeys.map(({ key }) => key);

export function* approvalFindings(rule: FittingRule, path: Path, roles: Roles): Generator<Finding> {
  const { then: effect } = rule;
  if (!effect) return;
  if (effect !== 'deny' && !Object.hasOwn(rule, 'roles'))
    yield {
      path: [...path, 'roles'],
      text: 'is missing. Name the roles that the rule applies to; [anyone] means every full member.',
    };
  if (effect === 'approve') yield* approverFindings(rule, path, roles);
  for (const key of ['approvers', 'approvals', 'approvers_after', ...skipNames])
    if (effect !== 'approve' && Object.hasOwn(rule, key))
      yield { path: [...path, key], at: 'key', text: 'is only valid with “then: approve”.' };
}

function* approverFindings(rule: FittingRule, path: Path, roles: Roles): Generator<Finding> {
  if (!Object.hasOwn(rule, 'approvers')) {
    const text = 'is missing. “then: approve” needs the roles that may approve.';
    yield { path: [...path, 'approvers'], text };
    return;
  }
  const further = Object.values(rule.approvers_after ?? {}).flat();
  const approvers = membersOf([...(rule.approvers ?? [undefined]), ...further], roles);
  const wanted = rule.approvals ?? 1;
  if (approvers === 'open') return;
  const most = maxApprovals(membersOf(rule.roles, roles), approvers);
  if (wanted > most)
    yield {
      path: [...path, Object.hasOwn(rule, 'approvals') ? 'approvals' : 'approvers'],
      text: `can never be reached. At most ${most} may approve, because no one approves their own request, and the rule needs ${wanted}.`,
    };
}

export function* laterFindings(
  { approvers_after: further = {} }: FittingRule,
  path: Path,
  expireAfterMs = Infinity,
): Generator<Finding> {
  for (const after of Object.keys(further))
    if ((readDuration(after) ?? 0) >= expireAfterMs)
      yield {
        path: [...path, 'approvers_after', after],
        at: 'key',
        text: `is too late: a request expires after ${expireAfterMs / 1000} s (requests.expire_after).`,
      };
}

function maxApprovals(requesters: ReadonlySet<string> | 'open', approvers: ReadonlySet<string>): number {
  const outsider = requesters === 'open' || requesters.size === 0 || !requesters.isSubsetOf(approvers);
  return outsider ? approvers.size : approvers.size - 1;
}

/** `open` if a role is undefined or also has people who are not listed. */
function membersOf(
  names: readonly (string | undefined)[] = [undefined],
  roles: Roles,
): ReadonlySet<string> | 'open' {
  const held = names.map((name = anyone) => (name === anyone ? undefined : roles[name]));
  const isOpen = held.some(
    (role) =>
      !role?.users ||
      role.usergroups?.length !== 0 ||
      sourceKinds.some(({ key }) => valueOf(role, key) !== undefined),
  );
  return isOpen ? 'open' : new Set(held.flatMap((role) => role?.users?.map((user = '') => user) ?? []));
}

/** No change may run unconfirmed unless the rule says so. */
export function* confirmationFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
): Generator<Finding> {
  const { then, confirm } = rule;
  const changes = operations.filter((one) => one.risk !== 'read' && isMeant(rule, one));
  const at = { path: [...path, 'confirm'], at: 'key' } as const;
  if (confirm === 'never') {
    if (then !== 'allow' || changes.length === 0)
      yield { ...at, text: '“never” is only valid in a rule that matches changes and has “then: allow”.' };
    return;
  }
  if (Object.hasOwn(rule, 'confirm') && (then === 'allow' || then === 'deny')) {
    yield { ...at, text: 'is only valid with “then: confirm” or “then: approve”.' };
    return;
  }
  const reads = operations.some((one) => one.risk === 'read' && isMeant(rule, one));
  const spoken = changes.find((change) => !reads || namesChange(rule, change));
  if (then === 'allow' && spoken)
    yield {
      path: [...path, 'then'],
      text:
        `would run ${spoken.name} without a confirmation. ` +
        'If that is intended, add “confirm: never”; otherwise use “then: confirm”.',
    };
}

const isMeant = (rule: FittingRule, { name, risk }: KnownOperation): boolean =>
  (!Object.hasOwn(rule, 'risk') || (rule.risk ?? []).includes(risk)) &&
  (!Object.hasOwn(rule, 'operations') ||
    (rule.operations ?? []).some((pattern = '') => namesOperation(pattern, name)));

/**
 * A rule names a change by its risk or its full name. A rule with `area.*` or without operations may be meant for
 * reads.
 */
const namesChange = (rule: FittingRule, { name, risk }: KnownOperation): boolean =>
  (rule.risk ?? []).includes(risk) || (rule.operations ?? []).includes(name);

/** An operation that takes effect at once is never confirmed or approved. */
export function* atOnceFindings(
  { then, operations: named = [] }: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
): Generator<Finding> {
  const found = operations.find(({ name, atOnce }) => atOnce && named.includes(name));
  if (found && (then === 'confirm' || then === 'approve'))
    yield {
      path: [...path, 'then'],
      text: `must be allow or deny, because ${found.name} takes effect at once. Use a rule of its own.`,
    };
}

const forPeople = ['roles', 'teams', 'approvers', 'approvals', 'confirm', ...skipNames];

/** A rule for programs can only allow reads. */
export function* programRuleFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly KnownOperation[],
  programs: string,
): Generator<Finding> {
  const { then, risk = [], operations: patterns } = rule;
  const changes = operations.filter((one) => one.risk !== 'read').map(({ name }) => name);
  const acts = operations.filter((one) => one.atOnce).map(({ name }) => name);
  if (then && then !== 'allow')
    yield { path: [...path, 'then'], text: `must be allow, because ${programs} only read.` };
  for (const key of forPeople.filter((one) => Object.hasOwn(rule, one)))
    yield {
      path: [...path, key],
      at: 'key',
      text: `applies to people, but a rule with “${programs}” does not. Remove one of the two.`,
    };
  for (const [index, one] of risk.entries())
    if (one && one !== 'read')
      yield { path: [...path, 'risk', index], text: `must be read, because ${programs} only read.` };
  const named = (patterns ?? []).map((pattern = '') => pattern);
  for (const [index, one] of named.entries())
    if ([...changes, ...acts].includes(one))
      yield {
        path: [...path, 'operations', index],
        text: `is a change, and ${programs} only read. Remove ${one}.`,
      };
  const reached = changes.find((name) => !patterns || named.some((pattern) => namesOperation(pattern, name)));
  if (reached !== undefined && !Object.hasOwn(rule, 'risk') && !named.some((one) => changes.includes(one)))
    yield {
      path: [...path, programs],
      at: 'key',
      text: `applies to ${programs}, but matches changes such as ${reached}. Add “risk: read”.`,
    };
}

export function programNames(
  rule: FittingRule,
  path: Path,
  { key, kind }: ProgramKey,
  file: FittingFile,
): Generator<Finding> {
  const defined = valueOf(file, key);
  const known = new Set(typeof defined === 'object' && defined !== null ? Object.keys(defined) : []);
  return unknownNames(
    namesIn(rule, key),
    [...path, key],
    known,
    (typed) => `the ${kind} “${typed}” is not defined under ${key}.`,
  );
}
