import { possibleCommands } from '../../command/possible-commands.ts';
import type { Operation } from '../../model/operation.ts';
import type { Policy, Rulebook } from '../../model/rulebook/rulebook.ts';
import { sections } from '../../features/index.ts';
import type { Surroundings } from '../../model/section.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import type { Finding, Severity } from '../../model/rulebook/finding.ts';
import { shadowedRules, unreachedChanges } from './never-decides.ts';
import {
  approvalsNobodyGives,
  idleRoles,
  idleAccounts,
  localParts,
  misspeltLabels,
  missingSecrets,
  organizations,
  ownSecretsListed,
  placeless,
  unboundSecrets,
} from './references.ts';
import { channelsOf, rolesNamed, type Spot, spotsOf } from './spots.ts';
import { looseRules, takenAway, weakerOnUnlisted } from './too-loose.ts';

interface View extends Surroundings {
  readonly rulebook: Rulebook;
  readonly policy: Policy;
  /** Empty if there are too many to compare. */
  readonly spots: readonly Spot[];
  readonly isTooMuch: boolean;
  readonly shadowed: readonly Finding[];
}

const warnings: readonly ((view: View) => readonly Finding[])[] = [
  ({ rulebook }) => placeless(rulebook.inventory),
  ({ isTooMuch }) => (isTooMuch ? [tooMuch] : []),
  ({ shadowed }) => shadowed,
  ({ policy, spots, shadowed }) => takenAway(policy, spots, new Set(shadowed.map(({ path }) => path[1]))),
  ({ policy, spots }) => looseRules(policy, spots),
  ({ policy, spots }) => weakerOnUnlisted(policy, spots),
  ({ policy, spots }) => unreachedChanges(policy, spots),
  ({ policy }) => approvalsNobodyGives(policy),
  ({ rulebook }) => organizations(rulebook),
  ({ rulebook }) => idleRoles(rulebook),
  ({ rulebook }) => idleAccounts(rulebook),
  ({ rulebook }) => misspeltLabels(rulebook),
  ({ rulebook, secretNames = [] }) => unboundSecrets(rulebook, secretNames),
  ({ rulebook }) => ownSecretsListed(rulebook),
  ({ rulebook, secretNames: names }) => (names ? missingSecrets(rulebook, names, false) : []),
  ({ rulebook, longestCallMs = 0 }) => shortLease(rulebook, longestCallMs),
];

/** The severity depends on the environment, because a feature does not work at all without these values. */
const missing = (rulebook: Rulebook, { secretNames = [] }: Surroundings): readonly Finding[] => [
  ...missingSecrets(rulebook, secretNames, true),
  ...localParts(rulebook),
];

export const findingsOf = (
  wanted: Severity,
  rulebook: Rulebook,
  surroundings: Surroundings,
): readonly Finding[] => [
  ...sections
    .flatMap((section) => section.warnings(rulebook, surroundings))
    .filter(({ severity }) => severity === wanted),
  ...(surroundings.unusable === wanted ? missing(rulebook, surroundings) : []),
];

/** Bounds rules × kinds of targets × roles × channels, because a reload waits for the comparison. */
const maxWeight = 1_000_000;

const tooMuch: Finding = {
  path: ['rules'],
  text: 'is too large to check for rules that never decide.',
};

export function rulebookWarnings(
  rulebook: Rulebook,
  operations: readonly Operation[],
  surroundings: Surroundings,
): readonly Finding[] {
  const { policy, inventory, extensions } = rulebook;
  const all = spotsOf(possibleCommands(createRegistry(operations, extensions), inventory));
  const askers = rolesNamed(policy).length * channelsOf(policy).length;
  const isTooMuch = policy.rules.length * all.length * Math.max(1, askers) > maxWeight;
  const spots = isTooMuch ? [] : all;
  const shadowed = isTooMuch ? [] : shadowedRules(policy, spots, placeless(inventory).length === 0);
  const view = { ...surroundings, rulebook, policy, spots, isTooMuch, shadowed };
  return [...findingsOf('warning', rulebook, surroundings), ...warnings.flatMap((find) => find(view))];
}

/**
 * A lease shorter than a call could run out on a paused replica before the call ends. The replica would then count as
 * dead.
 */
function shortLease({ leaseMs }: Rulebook, longestCallMs: number): readonly Finding[] {
  if (leaseMs >= longestCallMs) return [];
  const [lease, longest] = [leaseMs, longestCallMs].map((ms) => `${ms / 1000} s`);
  const text =
    `${lease} is shorter than the longest call to the service, ${longest}. Set it to at least that; ` +
    'otherwise a change may become unknown while its call is still running.';
  return [{ path: ['requests', 'lease'], text }];
}
