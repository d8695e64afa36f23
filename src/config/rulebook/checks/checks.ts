import { abridged } from '../../../text/words.ts';
import { fieldsOf } from '../../../command/grammar/registry.ts';
import type { Operation } from '../../../model/operation.ts';
import { removedText } from '../../../text/nearest.ts';
import { type Inventory, namedKinds, targetsOfKind } from '../../../model/target.ts';
import { anyone } from '../../../policy/roles.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import { type Fitting, type FittingFile, rulebookFile } from '../../../model/rulebook/schema.ts';
import { agentFindings, agentRuleFindings } from './agent-checks.ts';
import { argumentFindings } from './argument-values.ts';
import { duplicateFindings } from './duplicates.ts';
import { approvalFindings, confirmationFindings, laterFindings, stepUpFindings } from './effect-checks.ts';
import { hookFindings } from './hook-checks.ts';
import { accountFindings, identityFindings, scheduleFindings, witnessFindings } from './outside-checks.ts';

/** The parts of an operation that rules can use: its name, risk and input fields. */
type KnownOperation = Pick<Operation, 'name' | 'risk' | 'input'>;

/**
 * Findings beyond the schema: undefined names, duplicates, rules that can't work.
 * @param written the keys of the file
 */
export function rulebookFindings(
  file: FittingFile,
  written: readonly string[],
  operations: readonly Operation[],
): readonly Finding[] {
  const { rules = [], freeze = [], limits = [], guard = [], roles = {} } = file;
  const inventory = inventoryOf(file);
  return [
    ...(Object.hasOwn(roles, anyone) ? [builtIn] : []),
    ...duplicateFindings(file),
    ...(isMisplaced('roles', written) ? [] : roleReferences(file)),
    ...(['rules', 'limits'] as const).flatMap((key) =>
      (file[key] ?? []).flatMap((one, index) =>
        operationFindings(one?.operations, [key, index, 'operations'], operations),
      ),
    ),
    ...rules.flatMap((rule = {}, index) => [
      ...argumentFindings(rule, ['rules', index], operations, inventory),
      ...(Object.hasOwn(rule, 'agents')
        ? agentRuleFindings(rule, ['rules', index], operations)
        : [
            ...confirmationFindings(rule, ['rules', index], operations),
            ...approvalFindings(rule, ['rules', index], roles),
            ...laterFindings(rule, ['rules', index], file.requests?.expire_after),
          ]),
      ...(isMisplaced('identity', written)
        ? []
        : stepUpFindings(rule, ['rules', index], written.includes('identity'))),
    ]),
    ...(isMisplaced('agents', written) ? [] : agentReferences(file)),
    ...agentFindings(file),
    ...labelFindings(inventory, { rules, freeze, limits, guard }),
    ...secretFindings(file, operations),
    ...scheduleFindings(file),
    ...(isMisplaced('accounts', written) ? [] : accountFindings(file)),
    ...identityFindings(file),
    ...witnessFindings(file),
    ...hookFindings(file, inventory, operations),
  ];
}

const builtIn: Finding = {
  path: ['roles', anyone],
  at: 'key',
  text: 'is built in and means the full members of your own team. Rename this role.',
};

/** The section may be under a misspelt key, which is reported; its names can't be checked then. */
const isMisplaced = (section: string, written: readonly string[]): boolean =>
  !written.includes(section) && written.some((key) => !Object.hasOwn(rulebookFile.shape, key));

/** The valid part of the inventory. */
function inventoryOf({
  project,
  region,
  instances = {},
  containers = {},
  targets = {},
}: FittingFile): Inventory {
  const instance = Object.entries(instances).map(([name, { id = '', labels, ...place } = {}]) => {
    return [name, { ...place, id, labels: labelsOf(labels) }] as const;
  });
  const container = Object.entries(containers).map(([name, { labels, ...place } = {}]) => {
    return [name, { ...place, labels: labelsOf(labels) }] as const;
  });
  return {
    project,
    region,
    regions: {},
    instances: Object.fromEntries(instance),
    containers: Object.fromEntries(container),
    targets: Object.fromEntries(
      Object.entries(targets).map(([kind, listed = {}]) => [
        kind,
        Object.fromEntries(
          Object.entries(listed).map(([name, { labels } = {}]) => [
            name,
            { labels: labelsOf(labels), settings: {} },
          ]),
        ),
      ]),
    ),
  };
}

const labelsOf = (labels: Labels = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

type Names = readonly (string | undefined)[] | undefined;

/** The unknown names of a list, with their positions. */
const unknownNames = (
  names: Names = [],
  path: Path,
  known: ReadonlySet<string>,
  text: (typed: string) => string,
): readonly Finding[] =>
  names.flatMap((typed, index): readonly Finding[] => {
    if (typed === undefined || known.has(typed)) return [];
    const removed = removedText(typed);
    if (removed !== undefined) return [{ path: [...path, index], text: `${removed} Remove it here.` }];
    return [{ path: [...path, index], text: text(abridged(typed)), misspelt: { typed, known } }];
  });

function roleReferences({ roles = {}, ...file }: FittingFile): readonly Finding[] {
  const known = new Set([anyone, ...Object.keys(roles)]);
  const named: readonly (readonly [names: Names, path: Path])[] = [
    ...(file.rules ?? []).flatMap((rule, index) =>
      (['roles', 'approvers', 'break_glass'] as const).map(
        (key) => [rule?.[key], ['rules', index, key]] as const,
      ),
    ),
    ...(file.rules ?? []).flatMap((rule, index) =>
      Object.entries(rule?.approvers_after ?? {}).map(
        ([after, names]) => [names, ['rules', index, 'approvers_after', after]] as const,
      ),
    ),
    ...(file.freeze ?? []).map((one, index) => [one?.except, ['freeze', index, 'except']] as const),
    ...(file.guard ?? []).map((one, index) => [one?.approvers, ['guard', index, 'approvers']] as const),
    [file.announce?.broken_rules, ['announce', 'broken_rules']],
  ];
  return named.flatMap(([names, path]) =>
    unknownNames(names, path, known, (typed) => `the role “${typed}” is not defined under roles.`),
  );
}

const agentReferences = ({ rules = [], agents = {} }: FittingFile): readonly Finding[] =>
  rules.flatMap((rule, index) =>
    unknownNames(
      rule?.agents,
      ['rules', index, 'agents'],
      new Set(Object.keys(agents)),
      (typed) => `the agent “${typed}” is not defined under agents.`,
    ),
  );

function operationFindings(
  patterns: Names,
  path: Path,
  operations: readonly KnownOperation[],
): readonly Finding[] {
  const names = operations.map(({ name }) => name);
  const known = new Set([...names, ...names.map((name) => `${name.split('.')[0]}.*`), '*']);
  return unknownNames(
    patterns,
    path,
    known,
    (typed) => `unknown operation “${typed}”. Use a name (cloud.reboot) or an area (cloud.*).`,
  );
}

/** Secrets can be bound only to secret fields. */
function secretFindings(
  { secrets = {} }: FittingFile,
  operations: readonly KnownOperation[],
): readonly Finding[] {
  const fields = operations.flatMap(({ input }) => fieldsOf(input)).filter(({ secret }) => secret);
  const known = new Set(fields.map(({ name }) => name));
  return Object.entries(secrets).flatMap(([name, secret]) =>
    unknownNames(
      secret?.fields,
      ['secrets', name, 'fields'],
      known,
      (typed) => `no operation has a secret field “${typed}”.`,
    ).concat(operationFindings(secret?.operations, ['secrets', name, 'operations'], operations)),
  );
}

type Labels = Fitting<Record<string, string>> | undefined;

/** A condition on a label that no target has never matches. Not checked if no target has any label. */
function labelFindings(
  inventory: Inventory,
  conditions: Readonly<Record<string, readonly ({ readonly labels?: Labels } | undefined)[]>>,
): readonly Finding[] {
  const kinds = namedKinds(inventory);
  const what = kinds.length > 2 ? 'target' : 'instance or container';
  const targets = kinds.flatMap((kind) => Object.values(targetsOfKind(inventory, kind)));
  const values = Map.groupBy(
    targets.flatMap(({ labels }) => Object.entries(labels)),
    ([label]) => label,
  );
  const known = new Map(
    [...values].map(([label, pairs]) => [label, new Set(pairs.map(([, value]) => value))] as const),
  );
  if (known.size === 0) return [];
  return Object.entries(conditions).flatMap(([key, entries]) =>
    entries.flatMap((entry, index) =>
      Object.entries(entry?.labels ?? {}).flatMap(([label, value]) =>
        labelFinding([key, index, 'labels', label], label, value, known, what),
      ),
    ),
  );
}

function labelFinding(
  path: Path,
  label: string,
  value: string | undefined,
  known: ReadonlyMap<string, ReadonlySet<string>>,
  what: string,
): readonly Finding[] {
  const values = known.get(label);
  if (!values) {
    const text = `no ${what} has the label “${abridged(label)}”.`;
    return [{ path, at: 'key', text, misspelt: { typed: label, known: known.keys() } }];
  }
  if (value === undefined || values.has(value)) return [];
  const text = `no ${what} has ${label}=${abridged(value)}.`;
  return [{ path, text, misspelt: { typed: value, known: values } }];
}
