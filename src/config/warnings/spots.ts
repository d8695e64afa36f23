import type { PossibleCommand } from '../../command/possible-commands.ts';
import { riskOf } from '../../model/operation.ts';
import type { Rule } from '../../model/rulebook.ts';
import { labelled, namesOperation } from '../../policy/match-rule.ts';

/** An operation on all targets that are alike to the rules: of one kind and with the same labels. */
export interface Spot {
  readonly command: PossibleCommand;
  readonly targets: readonly string[];
}

/** Possible commands, those that no condition on operation, risk or labels tells apart taken together. */
export function spotsOf(commands: readonly PossibleCommand[]): readonly Spot[] {
  const spots = new Map<string, { command: PossibleCommand; targets: Set<string> }>();
  for (const command of commands) {
    const { entry, target, isUnlisted, input } = command;
    const risk = riskOf(entry.operation, input);
    const labels = Object.entries(target.labels).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const key = JSON.stringify([entry.operation.name, risk, target.kind, labels, isUnlisted]);
    const spot = spots.get(key) ?? { command, targets: new Set<string>() };
    spots.set(key, spot);
    spot.targets.add(target.name);
  }
  return [...spots.values()].map(({ command, targets }) => ({ command, targets: [...targets] }));
}

/** Whether a rule is about a command, whatever its input is, whoever asks and wherever. */
export const reaches = (rule: Rule, { command: { entry, target, input } }: Spot): boolean =>
  (!rule.risk || rule.risk.includes(riskOf(entry.operation, input))) &&
  (!rule.operations || rule.operations.some((pattern) => namesOperation(pattern, entry.operation.name))) &&
  (!rule.labels || labelled(rule.labels, target));

const mostNamed = 3;

/** `web-1, web-2, web-3 and 4 more` */
export function someOf(names: readonly string[]): string {
  const [last = '', ...before] = names.toReversed();
  if (names.length > mostNamed + 1)
    return `${names.slice(0, mostNamed).join(', ')} and ${names.length - mostNamed} more`;
  return before.length === 0 ? last : `${before.toReversed().join(', ')} and ${last}`;
}
