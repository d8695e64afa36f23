import { abridged } from '../../../command/grammar/typed-text.ts';
import { fieldsOf } from '../../../command/grammar/fields.ts';
import type { Operation } from '../../../model/operation.ts';
import type { Inventory } from '../../../model/inventory.ts';
import { anyone } from '../../../policy/roles.ts';
import { canonicalId } from '../../../model/target.ts';
import { argumentFindings } from './argument-values.ts';
import { approvalFindings, confirmationFindings } from './effect-checks.ts';
import { hookFindings } from './hook-checks.ts';
import { user } from '../schema/ids.ts';
import { outline, recordOf, textOf, textsOf, type Given, type Outline } from './outline.ts';
import type { Finding, Path } from '../../yaml/findings.ts';
import { scheduleFindings } from './schedule-checks.ts';

/** What the rules can speak of: the name of an operation, its risk and the fields of its input. */
type KnownOperation = Pick<Operation, 'name' | 'risk' | 'input'>;

/** What the schema cannot see: names that nothing defines, duplicates, rules that can never do what they say. */
export function rulebookFindings(file: unknown, operations: readonly Operation[]): readonly Finding[] {
  const parts = outline(file);
  return [
    ...builtInFindings(parts),
    ...duplicateIds(parts),
    ...duplicateItems(file, []),
    ...twoTeams(parts),
    ...duplicateNames(parts),
    ...parts.rules.flatMap((rule, index) => [
      ...['roles', 'approvers', 'break_glass'].flatMap((key) =>
        roleFindings(parts, rule, ['rules', index], key),
      ),
      ...operationFindings(rule, ['rules', index], operations),
      ...argumentFindings(rule, ['rules', index], operations, parts.inventory),
      ...confirmationFindings(rule, ['rules', index], operations),
      ...approvalFindings(rule, ['rules', index], parts.roles),
    ]),
    ...parts.freezes.flatMap((freeze, index) => roleFindings(parts, freeze, ['freeze', index], 'except')),
    ...parts.limits.flatMap((limit, index) => operationFindings(limit, ['limits', index], operations)),
    ...parts.guards.flatMap((guard, index) => roleFindings(parts, guard, ['guard', index], 'approvers')),
    ...labelFindings(parts),
    ...secretFindings(parts, operations),
    ...scheduleFindings(parts),
    ...roleFindings(parts, parts.announce, ['announce'], 'broken_rules'),
    ...hookFindings(parts, operations),
  ];
}

const builtInFindings = ({ roles }: Outline): readonly Finding[] =>
  roles.has(anyone)
    ? [
        {
          path: ['roles', anyone],
          at: 'key',
          text: 'is built in: it means the full members of the own team. Give this role another name.',
        },
      ]
    : [];

/** Names and ids mean instances alike, in rules too: neither may be another one's. */
function duplicateIds({ instanceIds }: Outline): readonly Finding[] {
  const owner = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, id] of instanceIds) {
    const other = id === '' ? undefined : owner.get(canonicalId(id));
    if (other === undefined) owner.set(canonicalId(id), name);
    else {
      const text = `is the id of “${other}” already; one instance has one name.`;
      findings.push({ path: ['instances', name, 'id'], text });
    }
  }
  for (const [name] of instanceIds) {
    const other = owner.get(canonicalId(name));
    if (other === undefined || other === name) continue;
    const text = `is the id of “${other}”: give this instance another name.`;
    findings.push({ path: ['instances', name], at: 'key', text });
  }
  return findings;
}

/** A rule is known by its name in the audit and on cards. */
function duplicateNames({ rules }: Outline): readonly Finding[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule, index): readonly Finding[] => {
    const name = textOf(rule, 'name').toLowerCase();
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    if (other === undefined || name === '') return [];
    const text = `is the name of rule ${other + 1} already; give this rule another.`;
    return [{ path: ['rules', index, 'name'], text }];
  });
}

/** Every list of this file is a set: who or what is in it twice is a mistake. */
function duplicateItems(value: unknown, path: Path): readonly Finding[] {
  if (value === null || typeof value !== 'object') return [];
  if (!Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, member]) => duplicateItems(member, [...path, key]));
  }
  const seen = new Set<unknown>();
  return value.flatMap((item: unknown, index) => {
    const again = typeof item === 'string' && seen.has(item);
    seen.add(item);
    if (!again) return duplicateItems(item, [...path, index]);
    return [{ path: [...path, index], text: `“${abridged(item)}” is in this list already.` }];
  });
}

/** Nobody approves their own request: that is told by the user's id, which must therefore mean one person. */
function twoTeams({ roles }: Outline): readonly Finding[] {
  const first = new Map<string, { readonly listed: string; readonly role: string }>();
  return [...roles].flatMap(([role, { users }]) =>
    users.flatMap((listed, index): readonly Finding[] => {
      if (!user.safeParse(listed).success) return [];
      const id = listed.slice(listed.indexOf('/') + 1);
      const other = first.get(id);
      if (!other) first.set(id, { listed, role });
      if (!other || other.listed === listed) return [];
      const text =
        `is ${abridged(other.listed)} under roles.${abridged(other.role)} already: ` +
        'one person has one team, so write them alike in every role.';
      return [{ path: ['roles', role, 'users', index], text }];
    }),
  );
}

function roleFindings(
  { roles, roleNames, rolesMisplaced }: Outline,
  of: Given,
  path: Path,
  key: string,
): readonly Finding[] {
  if (rolesMisplaced) return [];
  return textsOf(of, key).flatMap((role, index) =>
    role === '' || role === anyone || roles.has(role)
      ? []
      : [
          {
            path: [...path, key, index],
            text: `the role “${abridged(role)}” is not defined under roles.`,
            misspelt: { typed: role, known: roleNames },
          },
        ],
  );
}

function operationFindings(
  rule: Given,
  path: Path,
  operations: readonly KnownOperation[],
): readonly Finding[] {
  const names = operations.map(({ name }) => name);
  const known = [...names, ...new Set(names.map((name) => `${name.split('.')[0]}.*`)), '*'];
  return textsOf(rule, 'operations').flatMap((pattern, index) =>
    pattern === '' || known.includes(pattern)
      ? []
      : [
          {
            path: [...path, 'operations', index],
            text: `there is no operation “${abridged(pattern)}”; a rule names one (cloud.reboot) or an area (cloud.*).`,
            misspelt: { typed: pattern, known },
          },
        ],
  );
}

/** A secret is bound to fields that take one. */
function secretFindings({ secrets }: Outline, operations: readonly KnownOperation[]): readonly Finding[] {
  const known = new Set(
    operations.flatMap(({ input }) => fieldsOf(input).flatMap(({ name, secret }) => (secret ? [name] : []))),
  );
  return Object.keys(secrets).flatMap((name) =>
    textsOf(recordOf(secrets, name), 'fields').flatMap((field, index): readonly Finding[] => {
      if (field === '' || known.has(field)) return [];
      const text = `no operation takes a secret in a field “${abridged(field)}”.`;
      return [{ path: ['secrets', name, 'fields', index], text, misspelt: { typed: field, known } }];
    }),
  );
}

/** A condition on a label that no target has never holds. Where no target has any label, nothing can be told. */
function labelFindings({ inventory, rules, freezes, limits, guards }: Outline): readonly Finding[] {
  const known = knownLabels(inventory);
  if (known.size === 0) return [];
  const parts = { rules, freeze: freezes, limits, guard: guards };
  return Object.entries(parts).flatMap(([key, entries]) =>
    entries.flatMap((entry, index) => labelFindingsIn(entry, [key, index, 'labels'], known)),
  );
}

/** The values of each label. */
function knownLabels({ instances, containers }: Inventory): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  for (const { labels } of [...Object.values(instances), ...Object.values(containers)]) {
    for (const [label, value] of Object.entries(labels)) {
      known.set(label, (known.get(label) ?? new Set<string>()).add(value));
    }
  }
  return known;
}

const labelFindingsIn = (
  entry: Given,
  path: Path,
  known: ReadonlyMap<string, ReadonlySet<string>>,
): readonly Finding[] =>
  Object.entries(recordOf(entry, 'labels')).flatMap(([label, value]): readonly Finding[] => {
    const values = known.get(label);
    const at = [...path, label];
    if (!values) {
      const text = `no instance or container has the label “${abridged(label)}”.`;
      return [{ path: at, at: 'key', text, misspelt: { typed: label, known: known.keys() } }];
    }
    if (typeof value !== 'string' || values.has(value)) return [];
    const text = `no instance or container has ${label}=${abridged(value)}.`;
    return [{ path: at, text, misspelt: { typed: value, known: values } }];
  });
