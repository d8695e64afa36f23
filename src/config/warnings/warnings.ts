import { possibleCommands } from '../../command/possible-commands.ts';
import type { Operation } from '../../model/operation.ts';
import type { Rulebook } from '../../model/rulebook.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import type { Finding, Severity } from '../yaml/findings.ts';
import { looseRules, unreachedChanges } from './changes.ts';
import { approvalsNobodyGives, idleRoles } from './people.ts';
import { approvalsOnlyOnCall, idleSchedules } from './schedules.ts';
import { forwardWithoutSecret, ownSecretsListed, schedulesWithoutSecret, unboundSecrets } from './secrets.ts';
import { placeless } from './places.ts';
import { shadowedRules } from './shadowed.ts';
import { spotsOf } from './spots.ts';
import { misspeltLabels } from './names.ts';
import { takenAway } from './taken-away.ts';
import { weakerOnUnlisted, weight } from './weaker.ts';

/** What rules cannot see of where they are used. What is left out is not checked. */
export interface Surroundings {
  /** Names of the secrets that there are, without `secret:`. */
  readonly secretNames?: readonly string[] | undefined;
  /** How long a call to the service can take, in milliseconds. */
  readonly longestCallMs?: number | undefined;
  /** How severe it is that a hook has no secret, or a schedule the calendar of the playground. */
  readonly hookWithoutSecret?: Severity | undefined;
}

/** Rules, times kinds of targets, times roles and channels: a reload waits for it. */
const mostWeight = 1_000_000;

/** What a valid `bellhop.yaml` says that is probably not meant. Pure. */
export function rulebookWarnings(
  rulebook: Rulebook,
  operations: readonly Operation[],
  { secretNames, longestCallMs }: Surroundings,
): readonly Finding[] {
  const { policy, inventory, extensions } = rulebook;
  const registry = createRegistry(operations, extensions);
  const spots = spotsOf(possibleCommands(registry, inventory));
  const unplaced = placeless(inventory);
  const isTooMuch = weight(policy, spots) > mostWeight;
  const shadowed = isTooMuch ? [] : shadowedRules(policy, spots, unplaced.length === 0);
  return [
    ...unplaced,
    ...(isTooMuch
      ? [
          {
            path: ['rules'],
            text: 'has more than can be compared here: rules that never decide are not looked for.',
          },
        ]
      : [
          ...shadowed,
          ...takenAway(policy, spots, new Set(shadowed.map(({ path }) => path[1]))),
          ...looseRules(policy, spots),
          ...weakerOnUnlisted(policy, spots),
          ...unreachedChanges(policy, spots),
        ]),
    ...approvalsNobodyGives(policy),
    ...approvalsOnlyOnCall(policy),
    ...idleRoles(rulebook),
    ...idleSchedules(rulebook),
    ...misspeltLabels(rulebook),
    ...unboundSecrets(rulebook, secretNames ?? []),
    ...ownSecretsListed(rulebook),
    ...(secretNames
      ? [...schedulesWithoutSecret(rulebook, secretNames), ...forwardWithoutSecret(rulebook, secretNames)]
      : []),
    ...shortLease(rulebook, longestCallMs),
  ];
}

/** Such a lease of a paused replica runs out before its call can have ended: it is then taken for crashed. */
function shortLease({ leaseMs }: Rulebook, longestCallMs = 0): readonly Finding[] {
  if (leaseMs >= longestCallMs) return [];
  const [lease, longest] = [leaseMs, longestCallMs].map((ms) => `${ms / 1000} s`);
  const text =
    `${lease} is shorter than the longest call to the service, ${longest}: set it to that or longer, ` +
    'else a change may be called unknown while it is still on its way.';
  return [{ path: ['requests', 'lease'], text }];
}
