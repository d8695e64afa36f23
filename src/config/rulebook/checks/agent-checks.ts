import type { Operation } from '../../../model/operation.ts';
import { namesOperation } from '../../../policy/match-rule.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import type { FittingFile, FittingRule } from '../schema/schema.ts';

/** The token says which agent it is, so two of them cannot have the same. */
export function agentFindings({ agents = {} }: FittingFile): readonly Finding[] {
  const owner = new Map<string, string>();
  return Object.entries(agents).flatMap(([name, agent]): readonly Finding[] => {
    const { token } = agent ?? {};
    const other = token && owner.get(token);
    if (token && other === undefined) owner.set(token, name);
    if (!other) return [];
    const text = `is the token of the agent “${other}” already: give each agent a token of its own.`;
    return [{ path: ['agents', name, 'token'], text }];
  });
}

const forPeople = ['roles', 'teams', 'approvers', 'approvals', 'confirm', 'break_glass'];

/** A rule for agents lets them read, and nothing else. */
export function agentRuleFindings(
  rule: FittingRule,
  path: Path,
  operations: readonly Pick<Operation, 'name' | 'risk'>[],
): readonly Finding[] {
  const { then, risk, operations: patterns } = rule;
  const changes = operations.filter((one) => one.risk !== 'read').map(({ name }) => name);
  const isReached = (name: string): boolean =>
    patterns?.some((pattern = '') => namesOperation(pattern, name)) ?? true;
  const reached = changes.find(isReached);
  const isOpen = !Object.hasOwn(rule, 'risk') && !patterns?.some((pattern = '') => changes.includes(pattern));
  const withoutRisk = `is for agents, and reaches changes such as ${reached}: add “risk: read”.`;
  return [
    ...(then && then !== 'allow'
      ? [{ path: [...path, 'then'], text: 'must be allow: agents only read.' }]
      : []),
    ...forPeople
      .filter((key) => Object.hasOwn(rule, key))
      .map((key) => ({
        path: [...path, key],
        at: 'key' as const,
        text: 'is about people, and a rule with “agents” is for none: remove one of the two.',
      })),
    ...(risk ?? []).flatMap((one, index) =>
      one && one !== 'read'
        ? [{ path: [...path, 'risk', index], text: 'must be read: agents only read.' }]
        : [],
    ),
    ...(patterns ?? []).flatMap((one = '', index) =>
      changes.includes(one)
        ? [{ path: [...path, 'operations', index], text: `is a change: agents only read. Remove ${one}.` }]
        : [],
    ),
    ...(isOpen && reached !== undefined
      ? [{ path: [...path, 'agents'], at: 'key' as const, text: withoutRisk }]
      : []),
  ];
}
