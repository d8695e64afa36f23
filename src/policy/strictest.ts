import type { Decision } from '../model/values/decision.ts';
import { denialBy } from './policy.ts';
import { type Restricted, strictness } from './restrict.ts';
import { listed, sentences } from '../text/words.ts';

interface ForTarget<T> {
  readonly name: string;
  readonly given: T;
}

/**
 * The strictest decision about any of several targets, and at least `least`. One denial denies all targets. Only a
 * role that may approve every target may approve their change.
 */
export function strictest<T extends Restricted>(all: readonly ForTarget<T>[], least: 'allow' | 'confirm'): T {
  const ranked = all.toSorted(
    (one, other) => strictness[other.given.decision.effect] - strictness[one.given.decision.effect],
  );
  const [first] = ranked;
  if (!first) throw new RangeError('there is no target to decide on');
  const { given, name } = first;
  return { ...given, decision: { ...combine(given.decision, all, least), on: name }, check: undefined };
}

function combine(
  strict: Decision,
  all: readonly ForTarget<Restricted>[],
  least: 'allow' | 'confirm',
): Decision {
  // A way past one denial may not lead past another.
  if (strict.effect === 'deny') return { ...strict, wayOut: undefined };
  const decisions = all.map(({ given }) => given.decision);
  const together = {
    ...strict,
    note: sentences([...new Set(decisions.map(({ note }) => note))]),
    said: saidInAll(decisions),
    typeName: decisions.some(({ typeName }) => typeName),
    demands: allDemands(decisions),
    approvalSkipped: decisions.some(({ approvalSkipped }) => approvalSkipped),
  };
  const asking = decisions.filter(({ effect, approvalSkipped }) => effect === 'approve' || approvalSkipped);
  if (asking.length === 0) return { ...together, effect: least };
  const approvers = inAll(asking.map((one) => one.approvers));
  const skipped = asking.filter(({ effect }) => effect !== 'approve').length;
  if (approvers.length === 0) {
    const names = all.filter(({ given }) => asking.includes(given.decision)).map(({ name }) => name);
    const text = `No single role can approve all of ${listed(names)}, so run a separate command for each`;
    return denialBy({ ...strict.by, title: strict.rule }, text);
  }
  return {
    ...together,
    approvers,
    approversAfter: inAllLater(asking),
    approvals: Math.max(...asking.map(({ approvals }) => approvals)),
    approvalSkipped: skipped === asking.length,
    breakGlass: inAll(asking.map(({ breakGlass = [] }) => breakGlass)),
  };
}

function saidInAll(decisions: readonly Decision[]): Decision['said'] {
  const said = decisions.flatMap((one) => (one.said ? [...one.said, ' '] : []));
  return said.length === 0 ? undefined : said;
}

/** The demands of all decisions, without repetitions. */
const allDemands = (decisions: readonly Decision[]): Decision['demands'] => [
  ...new Map(decisions.flatMap(({ demands = [] }) => demands.map((one) => [one.gate, one]))).values(),
];

const inAll = (lists: readonly (readonly string[])[]): readonly string[] =>
  (lists[0] ?? []).filter((role) => lists.every((list) => list.includes(role)));

const afterIn = (role: string, { approvers, approversAfter = [] }: Decision): number =>
  approvers.includes(role)
    ? 0
    : (approversAfter.find(({ roles }) => roles.includes(role))?.afterMs ?? Infinity);

/** A role joins once that role may approve every target. */
function inAllLater(asking: readonly Decision[]): Decision['approversAfter'] {
  const steps = asking.flatMap(({ approversAfter = [] }) => approversAfter);
  const joining = Map.groupBy(new Set(steps.flatMap(({ roles }) => roles)), (role) =>
    Math.max(...asking.map((decision) => afterIn(role, decision))),
  );
  const byTime = new Map(steps.map((step) => [step.afterMs, step]));
  return [...byTime.values()]
    .map(({ after, afterMs }) => ({ after, afterMs, roles: joining.get(afterMs) ?? [] }))
    .filter(({ roles }) => roles.length > 0)
    .toSorted((one, other) => one.afterMs - other.afterMs);
}
