import type { Effect, Policy } from '../../model/rulebook.ts';
import { questioned } from '../../policy/authorize.ts';
import { decide } from '../../policy/policy.ts';
import type { Decision } from '../../model/decision.ts';
import type { Question } from '../../policy/match-rule.ts';
import { anyone } from '../../policy/roles.ts';
import type { Finding } from '../yaml/findings.ts';
import { someOf, type Spot } from './spots.ts';

export const strictness: Readonly<Record<Effect, number>> = { allow: 0, confirm: 1, approve: 2, deny: 3 };

/**
 * Rules by which somebody may do more to what the inventory does not list than to what it does: a target that was
 * forgotten there, or is spelt as an id, is then the one that is open.
 */
export function weakerOnUnlisted(policy: Policy, spots: readonly Spot[]): readonly Finding[] {
  const changes = spots.filter(({ command }) => command.entry.operation.risk !== 'read');
  const found = new Map<number, { operations: Set<string>; stricter: Set<string>; effect: Effect }>();
  for (const unlisted of changes.filter(({ command }) => command.isUnlisted)) {
    const { operation } = unlisted.command.entry;
    const listed = changes.filter(
      ({ command }) => !command.isUnlisted && command.entry.operation.name === operation.name,
    );
    for (const asker of askers(policy)) {
      const weak = decideForRole(policy, unlisted.command, asker);
      if (weak.index === undefined) continue;
      for (const spot of listed) {
        const strict = decideForRole(policy, spot.command, asker);
        if (strict.index === undefined || strictness[strict.effect] <= strictness[weak.effect]) continue;
        const known = found.get(weak.index);
        const one = known ?? { operations: new Set(), stricter: new Set(), effect: weak.effect };
        found.set(weak.index, one);
        one.operations.add(operation.name);
        one.stricter.add(spot.targets[0] ?? '');
      }
    }
  }
  return [...found].map(([index, { operations, stricter, effect }]) => ({
    path: ['rules', index],
    text:
      `${effect === 'allow' ? 'allows' : 'lets people confirm'} ${someOf([...operations])} on a target that the ` +
      `inventory does not list, where ${someOf([...stricter])} needs more: approve or deny what is not listed.`,
  }));
}

interface Asker {
  readonly role: string;
  readonly channel: string;
}

/** How much there is to compare. */
export const weight = (policy: Policy, spots: readonly Spot[]): number =>
  policy.rules.length * spots.length * Math.max(1, askers(policy).length);

/** Each role that a rule names, in each channel that one names and in one that none does. */
function askers({ rules }: Policy): readonly Asker[] {
  const roles = new Set(rules.flatMap((rule) => rule.roles ?? []));
  const channels = new Set(['', ...rules.flatMap((rule) => rule.channels ?? [])]);
  return [...roles].flatMap((role) => [...channels].map((channel) => ({ role, channel })));
}

/** What the rules decide for a role in a channel, `''` for one that no rule names. Freezes are left out: they pass. */
export const decideForRole = (policy: Policy, command: Spot['command'], { role, channel }: Asker): Decision =>
  decide({ ...policy, freeze: [] }, questionFor(command, [role, anyone], channel));

/** The question of somebody who holds these roles for certain. */
export function questionFor(command: Spot['command'], roles: readonly string[], channel: string): Question {
  const held = new Map(roles.map((name) => [name, 'held' as const]));
  return {
    operation: questioned(command),
    input: command.effective,
    target: command.target,
    team: '',
    place: { team: '', channel },
    roles: { granting: held, denying: held },
    breakGlass: false,
    now: 0,
  };
}
