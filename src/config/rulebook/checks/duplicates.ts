import { user as userId } from '../../../model/rulebook/schema-parts.ts';
import type { FittingFile } from '../../../model/rulebook/schema.ts';
import { abridged, canonicalId } from '../../../text/words.ts';
import type { Finding } from '../../../model/rulebook/finding.ts';

export function* duplicateFindings(file: FittingFile): Generator<Finding> {
  yield* duplicateIds(file);
  yield* twoTeams(file);
  yield* duplicateNames(file);
}

/** Names and ids both identify instances, in rules too, so they must not collide. */
function* duplicateIds({ instances = {} }: FittingFile): Generator<Finding> {
  const owner = new Map<string, string>();
  for (const [name, { id = '' } = {}] of Object.entries(instances)) {
    const other = id === '' ? name : owner.getOrInsert(canonicalId(id), name);
    if (other !== name)
      yield {
        path: ['instances', name, 'id'],
        text: `is already the id of “${other}”. An instance has one name.`,
      };
  }
  for (const name of Object.keys(instances)) {
    const other = owner.get(canonicalId(name)) ?? name;
    if (other !== name)
      yield {
        path: ['instances', name],
        at: 'key',
        text: `is the id of “${other}”. Rename this instance.`,
      };
  }
}

/** The name identifies a rule in the audit log and on cards. */
function* duplicateNames({ rules = [] }: FittingFile): Generator<Finding> {
  const first = new Map<string, number>();
  for (const [index, rule] of rules.entries()) {
    const name = rule?.name?.toLowerCase() ?? '';
    const other = name === '' ? index : first.getOrInsert(name, index);
    if (other !== index)
      yield {
        path: ['rules', index, 'name'],
        text: `is already the name of rule ${other + 1}. Rename this rule.`,
      };
  }
}

/** User ids decide that no one approves their own request, so an id must mean one person. */
function* twoTeams({ roles = {} }: FittingFile): Generator<Finding> {
  const first = new Map<string, { readonly listed: string; readonly role: string }>();
  for (const [role, members] of Object.entries(roles))
    for (const [index, listed = ''] of (members?.users ?? []).entries()) {
      if (!userId.safeParse(listed).success) continue;
      const other = first.getOrInsert(listed.slice(listed.indexOf('/') + 1), { listed, role });
      if (other.listed !== listed)
        yield {
          path: ['roles', role, 'users', index],
          text:
            `is listed as ${abridged(other.listed)} under roles.${abridged(other.role)}. ` +
            'A person has one team, so use the same id in every role.',
        };
    }
}
