import { possibleCommands } from '../../command/possible-commands.ts';
import type { Operation } from '../../model/operation.ts';
import type { Policy, Rulebook } from '../../model/rulebook.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import type { Finding, Severity } from '../yaml/findings.ts';
import { shadowedRules, unreachedChanges } from './never-decides.ts';
import {
  agentsWithOneToken,
  agentsWithoutSecret,
  approvalsNobodyGives,
  approvalsOnlyOnCall,
  forwardWithoutSecret,
  hooksWithoutSecret,
  idleRoles,
  identityWithoutSecret,
  idleSchedules,
  localCalendars,
  localIssuer,
  misspeltLabels,
  ownSecretsListed,
  placeless,
  schedulesWithoutSecret,
  stepUpUnreachable,
  unboundSecrets,
} from './references.ts';
import { channelsOf, rolesNamed, type Spot, spotsOf } from './spots.ts';
import { looseRules, takenAway, weakerOnUnlisted } from './too-loose.ts';

/** What rules cannot see of where they are used. What is left out is not checked. */
export interface Surroundings {
  /** Names of the secrets that there are, without `secret:`. */
  readonly secretNames?: readonly string[] | undefined;
  /** Names of secrets that have the same value. */
  readonly alikeSecrets?: readonly (readonly string[])[] | undefined;
  /** How long a call to the service can take, in milliseconds. */
  readonly longestCallMs?: number | undefined;
  /** How severe it is that a hook has no secret, or a schedule the calendar of the playground. */
  readonly hookWithoutSecret?: Severity | undefined;
  /** Whether browsers can reach Bellhop. */
  readonly isReachable?: boolean | undefined;
}

/** What the warnings look at. */
interface View extends Surroundings {
  readonly rulebook: Rulebook;
  readonly policy: Policy;
  /** What can be asked for; none where there is too much to compare. */
  readonly spots: readonly Spot[];
  readonly isTooMuch: boolean;
  /** Rules that never decide. */
  readonly shadowed: readonly Finding[];
}

/** What a valid `bellhop.yaml` says that is probably not meant: a row for each, in no order. */
const warnings: readonly ((view: View) => readonly Finding[])[] = [
  ({ rulebook }) => placeless(rulebook.inventory),
  ({ isTooMuch }) => (isTooMuch ? [tooMuch] : []),
  ({ shadowed }) => shadowed,
  ({ policy, spots, shadowed }) => takenAway(policy, spots, new Set(shadowed.map(({ path }) => path[1]))),
  ({ policy, spots }) => looseRules(policy, spots),
  ({ policy, spots }) => weakerOnUnlisted(policy, spots),
  ({ policy, spots }) => unreachedChanges(policy, spots),
  ({ policy }) => approvalsNobodyGives(policy),
  ({ policy }) => approvalsOnlyOnCall(policy),
  ({ rulebook }) => idleRoles(rulebook),
  ({ rulebook }) => idleSchedules(rulebook),
  ({ rulebook }) => misspeltLabels(rulebook),
  ({ rulebook, secretNames = [] }) => unboundSecrets(rulebook, secretNames),
  ({ rulebook }) => ownSecretsListed(rulebook),
  ({ rulebook, secretNames: names }) => (names ? schedulesWithoutSecret(rulebook, names) : []),
  ({ rulebook, secretNames: names }) => (names ? forwardWithoutSecret(rulebook, names) : []),
  ({ rulebook, secretNames: names }) => (names ? identityWithoutSecret(rulebook, names) : []),
  ({ rulebook, longestCallMs = 0 }) => shortLease(rulebook, longestCallMs),
];

/** As severe as the surroundings say: without these, what the file promises does not work at all. */
const missing: typeof warnings = [
  ({ rulebook, secretNames = [] }) => hooksWithoutSecret(rulebook, secretNames),
  ({ rulebook, secretNames = [] }) => agentsWithoutSecret(rulebook, secretNames),
  ({ rulebook }) => localCalendars(rulebook),
  ({ rulebook }) => localIssuer(rulebook),
];

/** Rules, times kinds of targets, times roles and channels: a reload waits for it. */
const mostWeight = 1_000_000;

const tooMuch: Finding = {
  path: ['rules'],
  text: 'has more than can be compared here: rules that never decide are not looked for.',
};

/** What there is to say of valid rules, by how severe it is. Pure. */
export function rulebookWarnings(
  rulebook: Rulebook,
  operations: readonly Operation[],
  surroundings: Surroundings,
): Readonly<Record<Severity, readonly Finding[]>> {
  const { policy, inventory, extensions } = rulebook;
  const all = spotsOf(possibleCommands(createRegistry(operations, extensions), inventory));
  const askers = rolesNamed(policy).length * channelsOf(policy).length;
  const isTooMuch = policy.rules.length * all.length * Math.max(1, askers) > mostWeight;
  const spots = isTooMuch ? [] : all;
  const shadowed = isTooMuch ? [] : shadowedRules(policy, spots, placeless(inventory).length === 0);
  const view = { ...surroundings, rulebook, policy, spots, isTooMuch, shadowed };
  const found = (rows: typeof warnings): readonly Finding[] => rows.flatMap((find) => find(view));
  const { hookWithoutSecret: severity, isReachable } = surroundings;
  return {
    error: [
      ...(isReachable === false ? stepUpUnreachable(rulebook) : []),
      ...agentsWithOneToken(rulebook, surroundings.alikeSecrets ?? []),
      ...(severity === 'error' ? found(missing) : []),
    ],
    warning: [...(severity === 'warning' ? found(missing) : []), ...found(warnings)],
  };
}

/** Such a lease of a paused replica runs out before its call can have ended: it is then taken for crashed. */
function shortLease({ leaseMs }: Rulebook, longestCallMs: number): readonly Finding[] {
  if (leaseMs >= longestCallMs) return [];
  const [lease, longest] = [leaseMs, longestCallMs].map((ms) => `${ms / 1000} s`);
  const text =
    `${lease} is shorter than the longest call to the service, ${longest}: set it to that or longer, ` +
    'else a change may be called unknown while it is still on its way.';
  return [{ path: ['requests', 'lease'], text }];
}
