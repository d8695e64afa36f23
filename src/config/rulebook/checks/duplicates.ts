import { abridged } from '../../../text/words.ts';
import { canonicalId } from '../../../text/ids.ts';
import type { Finding } from '../../yaml/findings.ts';
import { user as userId } from '../../../model/rulebook/schema-parts.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';

/** Names of two things, and people listed in two ways. */
export const duplicateFindings = (file: FittingFile): readonly Finding[] => [
  ...duplicateIds(file),
  ...twoTeams(file),
  ...duplicateNames(file),
];

/** Names and ids both identify instances, in rules too, so they must not collide. */
function duplicateIds({ instances = {} }: FittingFile): readonly Finding[] {
  const owner = new Map<string, string>();
  const findings: Finding[] = [];
  for (const [name, { id = '' } = {}] of Object.entries(instances)) {
    const other = id === '' ? undefined : owner.get(canonicalId(id));
    if (other === undefined) owner.set(canonicalId(id), name);
    else {
      const text = `is already the id of “${other}”. An instance has one name.`;
      findings.push({ path: ['instances', name, 'id'], text });
    }
  }
  for (const name of Object.keys(instances)) {
    const other = owner.get(canonicalId(name));
    if (other === undefined || other === name) continue;
    const text = `is the id of “${other}”. Rename this instance.`;
    findings.push({ path: ['instances', name], at: 'key', text });
  }
  return findings;
}

/** The name identifies a rule in the audit log and on cards. */
function duplicateNames({ rules = [] }: FittingFile): readonly Finding[] {
  const first = new Map<string, number>();
  return rules.flatMap((rule, index): readonly Finding[] => {
    const name = rule?.name?.toLowerCase() ?? '';
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    if (other === undefined || name === '') return [];
    const text = `is already the name of rule ${other + 1}. Rename this rule.`;
    return [{ path: ['rules', index, 'name'], text }];
  });
}

/** User ids decide that no one approves their own request, so an id must mean one person. */
function twoTeams({ roles = {} }: FittingFile): readonly Finding[] {
  const first = new Map<string, { readonly listed: string; readonly role: string }>();
  return Object.entries(roles).flatMap(([role, members]) =>
    (members?.users ?? []).flatMap((listed = '', index): readonly Finding[] => {
      if (!userId.safeParse(listed).success) return [];
      const id = listed.slice(listed.indexOf('/') + 1);
      const other = first.get(id);
      if (!other) first.set(id, { listed, role });
      if (!other || other.listed === listed) return [];
      const text =
        `is ${abridged(other.listed)} under roles.${abridged(other.role)}. ` +
        'A person has one team, so use the same id in every role.';
      return [{ path: ['roles', role, 'users', index], text }];
    }),
  );
}
