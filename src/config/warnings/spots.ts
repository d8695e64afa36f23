import type { PossibleCommand } from '../../command/possible-commands.ts';
import type { Decision } from '../../model/values/decision.ts';
import { riskOf } from '../../model/operation.ts';
import type { Policy, Role, Rule } from '../../model/rulebook/rulebook.ts';
import { operationInQuestion } from '../../policy/authorize.ts';
import { decide, isFor } from '../../policy/policy.ts';
import { anyone } from '../../policy/roles.ts';

/** An operation on all targets that rules can't distinguish, because kind and labels are the same. */
export interface Spot {
  readonly command: PossibleCommand;
  readonly targets: readonly string[];
}

export function spotsOf(commands: readonly PossibleCommand[]): readonly Spot[] {
  const spots = new Map<string, { command: PossibleCommand; targets: Set<string> }>();
  for (const command of commands) {
    const { entry, target, isUnlisted, input } = command;
    const risk = riskOf(entry.operation, input);
    const labels = Object.entries(target.labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const key = JSON.stringify([entry.operation.name, risk, target.kind, labels, isUnlisted]);
    spots.getOrInsertComputed(key, () => ({ command, targets: new Set() })).targets.add(target.name);
  }
  return [...spots.values()].map(({ command, targets }) => ({ command, targets: [...targets] }));
}

export const operationOf = ({ command }: Spot): string => command.entry.operation.name;

export const isChange = ({ command }: Spot): boolean => command.entry.operation.risk !== 'read';

/** Whether a rule applies to a command with any input, person and channel. */
export const reaches = (rule: Rule, { command }: Spot): boolean =>
  isFor(rule, operationInQuestion(command), command.target);

/**
 * For a person with these roles and `anyone`. The channel `''` stands for a channel that no rule names. Freezes are omitted, because they
 * are temporary.
 */
export function decideFor(
  policy: Policy,
  command: PossibleCommand,
  roles: readonly string[],
  channel: string,
): Decision {
  const held = new Map([anyone, ...roles].map((name) => [name, 'held' as const]));
  return decide(
    { ...policy, freeze: [] },
    {
      operation: operationInQuestion(command),
      input: command.effective,
      target: command.target,
      team: '',
      place: { team: '', channel },
      roles: { granting: held, denying: held },
      now: 0,
    },
  );
}

/** Includes `''`, for a channel that no rule names. */
export const channelsOf = ({ rules }: Policy): readonly string[] => [
  ...new Set(['', ...rules.flatMap((rule) => rule.channels ?? [])]),
];

export const rolesNamed = ({ rules }: Policy): readonly string[] => [
  ...new Set(rules.flatMap((rule) => rule.roles ?? [])),
];

export const partsOf = ({ users, usergroups, sources = [] }: Role): readonly string[] => [
  ...users,
  ...usergroups,
  ...sources.map(({ key, name }) => `${key} ${name}`),
];

export const isPart = (inner: Role | undefined, outer: Role | undefined): boolean =>
  inner !== undefined && outer !== undefined && partsOf(inner).every((part) => partsOf(outer).includes(part));

export const hasUnlisted = (role: Role): boolean => partsOf(role).length > role.users.length;
