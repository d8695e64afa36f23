import { possibleCommands } from '../../command/possible-commands.ts';
import type { Operation } from '../../model/operation.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import type { Decision } from '../../model/decision.ts';
import { anyone } from '../../policy/roles.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import { decideFor } from '../warnings/spots.ts';

/** The same change of decision for some commands of somebody somewhere. */
export interface Difference {
  /** A role, or `anyone`. */
  readonly role: string;
  /** Undefined: in every channel that no rule names. */
  readonly channel: string | undefined;
  readonly before: string;
  readonly after: string;
  /** By operation: the names of targets. */
  readonly commands: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Group extends Difference {
  readonly commands: Map<string, Set<string>>;
}

/** What of operations × targets × roles × channels two versions decide differently, outside of freezes. */
export function compareRulebooks(
  before: Rulebook,
  after: Rulebook,
  operations: readonly Operation[],
): readonly Difference[] {
  const rules = [...before.policy.rules, ...after.policy.rules];
  const variants = rules.flatMap((rule) => (rule.arguments ? [rule.arguments] : []));
  const commandsOf = ({ inventory, extensions }: Rulebook) =>
    new Map(
      possibleCommands(createRegistry(operations, extensions), inventory, variants).map((command) => [
        JSON.stringify([command.entry.operation.name, command.values]),
        command,
      ]),
    );
  const [old, now] = [commandsOf(before), commandsOf(after)];
  const channels = [...new Set(rules.flatMap((rule) => rule.channels ?? []))];
  const roles = new Set([anyone, ...Object.keys(before.policy.roles), ...Object.keys(after.policy.roles)]);
  const found = new Map<string, Group>();
  for (const [key, command] of now) {
    const earlier = old.get(key);
    for (const role of roles) {
      let everywhere = '';
      for (const channel of [undefined, ...channels]) {
        const one = earlier ? outcome(before, earlier, role, channel) : 'deny (not there)';
        const other = outcome(after, command, role, channel);
        const change = JSON.stringify([one, other]);
        if (channel === undefined) everywhere = change;
        // A channel that is like all others needs no word of its own.
        if (one === other || (channel !== undefined && change === everywhere)) continue;
        const group = JSON.stringify([role, channel, change]);
        const { commands } = found.getOrInsertComputed(group, () => {
          return { role, channel, before: one, after: other, commands: new Map() };
        });
        const targets = commands.getOrInsertComputed(command.entry.operation.name, () => new Set());
        targets.add(command.target.name);
      }
    }
  }
  return [...found.values()];
}

function outcome(
  { policy }: Rulebook,
  command: ReturnType<typeof possibleCommands>[number],
  role: string,
  channel = '',
): string {
  return decisionText(decideFor(policy, command, [role], channel));
}

/** What matters of a decision: `approve by leads`, `confirm`. The rule's name alone is no difference. */
export const decisionText = ({ effect, approvers, approvals }: Decision): string =>
  effect === 'approve'
    ? `approve by ${approvals === 1 ? '' : `${approvals} of `}${approvers.toSorted().join(', ')}`
    : effect;
