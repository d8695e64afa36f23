import type { Operation } from '../../../model/operation.ts';
import { namesOperation } from '../../../policy/match-rule.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import type { FittingFile, FittingRule } from '../../../model/rulebook/schema.ts';

/** The token identifies the agent, so two agents can't share one. */
export function agentFindings({ agents = {} }: FittingFile): readonly Finding[] {
  const owner = new Map<string, string>();
  return Object.entries(agents).flatMap(([name, agent]): readonly Finding[] => {
    const { token } = agent ?? {};
    const other = token && owner.get(token);
    if (token && other === undefined) owner.set(token, name);
    if (!other) return [];
    const text = `is already the token of agent “${other}”. Give each agent its own token.`;
    return [{ path: ['agents', name, 'token'], text }];
  });
}

const forPeople = ['roles', 'teams', 'approvers', 'approvals', 'confirm', 'break_glass'];

/** A rule for agents can only allow reads. */
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
  const withoutRisk = `applies to agents, but matches changes such as ${reached}. Add “risk: read”.`;
  return [
    ...(then && then !== 'allow'
      ? [{ path: [...path, 'then'], text: 'must be allow, because agents only read.' }]
      : []),
    ...forPeople
      .filter((key) => Object.hasOwn(rule, key))
      .map((key) => ({
        path: [...path, key],
        at: 'key' as const,
        text: 'applies to people, but a rule with “agents” does not. Remove one of the two.',
      })),
    ...(risk ?? []).flatMap((one, index) =>
      one && one !== 'read'
        ? [{ path: [...path, 'risk', index], text: 'must be read, because agents only read.' }]
        : [],
    ),
    ...(patterns ?? []).flatMap((one = '', index) =>
      changes.includes(one)
        ? [
            {
              path: [...path, 'operations', index],
              text: `is a change, and agents only read. Remove ${one}.`,
            },
          ]
        : [],
    ),
    ...(isOpen && reached !== undefined
      ? [{ path: [...path, 'agents'], at: 'key' as const, text: withoutRisk }]
      : []),
  ];
}
