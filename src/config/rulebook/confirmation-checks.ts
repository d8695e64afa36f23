import type { Operation } from '../../core/model/operation.ts';
import { namesOperation } from '../../core/policy/policy.ts';
import { textsOf, type Given } from './outline.ts';
import type { Finding, Path } from './yaml-source.ts';

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
