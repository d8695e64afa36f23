import { abridged, mapValues } from '../../../text/words.ts';
import { fieldsOf } from '../../../command/grammar/registry.ts';
import type { Operation } from '../../../model/operation.ts';
import { type Inventory, namedKinds, targetsOfKind } from '../../../model/rulebook/target.ts';
import { anyone } from '../../../policy/roles.ts';
import { type Finding, type Names, type Path, unknownNames } from '../../../model/rulebook/finding.ts';
import type { Fitting, FittingFile } from '../../../model/rulebook/schema.ts';
import { type CheckedFile, namesIn } from '../../../model/section.ts';
import { demandKeys, programKeys, sections, skipKeys } from '../../../features/index.ts';
import { argumentFindings } from './argument-values.ts';
import { duplicateFindings } from './duplicates.ts';
import { accountFindings } from './outside-checks.ts';
import {
  atOnceFindings,
  programNames,
  programRuleFindings,
  approvalFindings,
  confirmationFindings,
  laterFindings,
  demandFindings,
} from './rule-checks.ts';

type KnownOperation = Pick<Operation, 'name' | 'risk' | 'input'>;

/** @param written the keys of the file @param known the keys that it may have */
export function* rulebookFindings(
  file: FittingFile,
  { written, known }: { readonly written: readonly string[]; readonly known: readonly string[] },
  operations: readonly Operation[],
): Generator<Finding> {
  const { rules = [], freeze = [], limits = [], guard = [], roles = {} } = file;
  const inventory = inventoryOf(file);
  /** The section may be under a misspelt key, which is reported. Names in that section can't be checked. */
  const isMisplaced = (section: string): boolean =>
    !written.includes(section) && written.some((key) => !known.includes(key));
  if (Object.hasOwn(roles, anyone))
    yield {
      path: ['roles', anyone],
      at: 'key',
      text: 'is built in and means the full members of your own team. Rename this role.',
    };
  yield* duplicateFindings(file);
  if (!isMisplaced('roles')) yield* roleReferences(file);
  for (const key of ['rules', 'limits'] as const)
    for (const [index, one] of (file[key] ?? []).entries())
      yield* operationFindings(one?.operations, [key, index, 'operations'], operations);
  for (const [index, rule = {}] of rules.entries()) {
    const path = ['rules', index];
    yield* argumentFindings(rule, path, operations, inventory);
    yield* atOnceFindings(rule, path, operations);
    const ofPrograms = programKeys.filter(({ key }) => Object.hasOwn(rule, key));
    for (const one of ofPrograms) {
      yield* programRuleFindings(rule, path, operations, one.key);
      if (!isMisplaced(one.key)) yield* programNames(rule, path, one, file);
    }
    if (ofPrograms.length === 0) {
      yield* confirmationFindings(rule, path, operations);
      yield* approvalFindings(rule, path, roles);
      yield* laterFindings(rule, path, file.requests?.expire_after);
    }
    for (const one of demandKeys)
      if (!isMisplaced(one.needs.key)) yield* demandFindings(rule, path, one, written);
  }
  yield* labelFindings(inventory, { rules, freeze, limits, guard });
  yield* secretFindings(file, operations);
  if (!isMisplaced('accounts')) yield* accountFindings(file);
  for (const section of sections) yield* section.mistakes({ file, inventory, operations, isMisplaced });
}

function inventoryOf({
  project,
  region,
  regions,
  instances = {},
  containers = {},
  targets = {},
}: FittingFile): CheckedFile['inventory'] {
  return {
    project,
    region,
    regions: labelsOf(regions),
    instances: mapValues(instances, (entry) => {
      return { ...entry, id: entry?.id ?? '', labels: labelsOf(entry?.labels) };
    }),
    containers: mapValues(containers, (entry) => ({ ...entry, labels: labelsOf(entry?.labels) })),
    targets: mapValues(targets, (listed) =>
      mapValues(listed ?? {}, (entry) => ({ labels: labelsOf(entry?.labels), settings: {} })),
    ),
  };
}

const labelsOf = (labels: Labels = {}): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

function* roleReferences({
  roles = {},
  rules = [],
  freeze = [],
  guard = [],
  announce,
}: FittingFile): Generator<Finding> {
  const known = new Set([anyone, ...Object.keys(roles)]);
  const check = (names: Names, path: Path) =>
    unknownNames(names, path, known, (typed) => `the role “${typed}” is not defined under roles.`);
  for (const [index, rule] of rules.entries()) {
    for (const key of ['roles', 'approvers', ...skipKeys.map((one) => one.key)])
      yield* check(rule && namesIn(rule, key), ['rules', index, key]);
    for (const [after, names] of Object.entries(rule?.approvers_after ?? {}))
      yield* check(names, ['rules', index, 'approvers_after', after]);
  }
  for (const [index, one] of freeze.entries()) yield* check(one?.except, ['freeze', index, 'except']);
  for (const [index, one] of guard.entries()) yield* check(one?.approvers, ['guard', index, 'approvers']);
  yield* check(announce?.broken_rules, ['announce', 'broken_rules']);
}

function operationFindings(patterns: Names, path: Path, operations: readonly KnownOperation[]) {
  const names = operations.map(({ name }) => name);
  const known = new Set([...names, ...names.map((name) => `${name.split('.')[0]}.*`), '*']);
  return unknownNames(
    patterns,
    path,
    known,
    (typed) => `unknown operation “${typed}”. Use a name (cloud.reboot) or an area (cloud.*).`,
  );
}

function* secretFindings(
  { secrets }: FittingFile,
  operations: readonly KnownOperation[],
): Generator<Finding> {
  if (!secrets) return;
  const fields = operations.flatMap(({ input }) => fieldsOf(input)).filter(({ secret }) => secret);
  const known = new Set(fields.map(({ name }) => name));
  for (const [name, secret] of Object.entries(secrets)) {
    yield* unknownNames(
      secret?.fields,
      ['secrets', name, 'fields'],
      known,
      (typed) => `no operation has a secret field “${typed}”.`,
    );
    yield* operationFindings(secret?.operations, ['secrets', name, 'operations'], operations);
  }
}

type Labels = Fitting<Record<string, string>> | undefined;

/** A condition on a label that no target has never matches. Labels are not checked if no target has any. */
function* labelFindings(
  inventory: Inventory,
  conditions: Readonly<Record<string, readonly ({ readonly labels?: Labels } | undefined)[]>>,
): Generator<Finding> {
  const kinds = namedKinds(inventory);
  const what = kinds.length > 2 ? 'target' : 'instance or container';
  const known = new Map<string, Set<string>>();
  for (const kind of kinds)
    for (const { labels } of Object.values(targetsOfKind(inventory, kind)))
      for (const [label, value] of Object.entries(labels))
        known.getOrInsertComputed(label, () => new Set()).add(value);
  if (known.size === 0) return;
  for (const [key, entries] of Object.entries(conditions))
    for (const [index, entry] of entries.entries())
      for (const [label, value] of Object.entries(entry?.labels ?? {})) {
        const path = [key, index, 'labels', label];
        const values = known.get(label);
        if (!values)
          yield {
            path,
            at: 'key',
            text: `no ${what} has the label “${abridged(label)}”.`,
            misspelt: { typed: label, known: known.keys() },
          };
        else if (value !== undefined && !values.has(value))
          yield {
            path,
            text: `no ${what} has ${label}=${abridged(value)}.`,
            misspelt: { typed: value, known: values },
          };
      }
}
