import {
  everAsked,
  nameOfSecret,
  ownSecrets,
  type Policy,
  type Rulebook,
} from '../../model/rulebook/rulebook.ts';
import { sourceKinds } from '../../features/index.ts';
import type { Finding } from '../../model/rulebook/finding.ts';
import { hasUnlisted, partsOf } from './spots.ts';
import { someOf } from '../../text/words.ts';
import { nearest } from '../../text/nearest.ts';
import { type Inventory, namedKinds, targetsOfKind } from '../../model/rulebook/target.ts';
import { secretVariable } from '../environment/secrets.ts';

/** Finds requests that can never be approved, because too few of the listed approvers are someone other than the requester. */
export const approvalsNobodyGives = ({ rules, roles }: Policy): readonly Finding[] =>
  rules.flatMap((rule, index): readonly Finding[] => {
    const held = everAsked(rule).map((name) => roles[name]);
    if (rule.effect !== 'approve' || held.some((role) => !role || hasUnlisted(role))) return [];
    const approvers = new Set(held.flatMap((role) => role?.users ?? []));
    const known = new Set((rule.roles ?? []).flatMap((name) => roles[name]?.users ?? []));
    const stuck = [...known].filter(
      (user) => approvers.size - (approvers.has(user) ? 1 : 0) < rule.approvals,
    );
    if (stuck.length === 0) return [];
    const text =
      `requests by ${someOf(stuck)} can never be approved, because no one approves their own request ` +
      'and too few others may.';
    return [{ path: ['rules', index, 'approvers'], text }];
  });

const noPeople = `has no people. List users or usergroups${sourceKinds.map(({ key }) => `, or name a ${key}`).join('')}.`;

export function idleRoles({ policy, guards, announce }: Rulebook): readonly Finding[] {
  const used = new Set([
    ...policy.rules.flatMap((rule) => [rule.roles ?? [], everAsked(rule), rule.breakGlass].flat()),
    ...policy.freeze.flatMap(({ except }) => except),
    ...guards.flatMap(({ approvers }) => approvers),
    ...announce.brokenRules,
  ]);
  return Object.entries(policy.roles).flatMap(([name, role]): readonly Finding[] => {
    const at = { path: ['roles', name], at: 'key' as const };
    if (partsOf(role).length === 0) return [{ ...at, text: noPeople }];
    return used.has(name) ? [] : [{ ...at, text: 'is not used by any rule.' }];
  });
}

/** People act as members of a workspace, so the id of an organization matches no one. */
export function organizations({ policy: { roles, rules } }: Rulebook): readonly Finding[] {
  const listed = [
    ...Object.entries(roles).map(([name, { users }]) => ({ path: ['roles', name, 'users'], ids: users })),
    ...rules.map(({ teams = [] }, index) => ({ path: ['rules', index, 'teams'], ids: teams })),
  ];
  const text =
    'matches no one, because E… is the id of an organization, not of a workspace. Use the id of a workspace (T…).';
  return listed.flatMap(({ path, ids }) =>
    ids.flatMap((id, at) => (id.startsWith('E') ? [{ path: [...path, at], text }] : [])),
  );
}

const placed = ['instances', 'containers'] as const;

/** No command can use a target without a project or region. */
export const placeless = (inventory: Inventory): readonly Finding[] =>
  (['project', 'region'] as const).flatMap((part): readonly Finding[] => {
    if (inventory[part] !== undefined) return [];
    const targets = placed.flatMap((kind) => Object.entries(inventory[kind]));
    const names = targets.flatMap(([name, entry]) => (entry[part] === undefined ? [name] : []));
    if (names.length === 0) return [];
    const text = `is missing, so no command works on ${someOf(names)}. Set ${part} for all, or on each of them.`;
    return [{ path: [part], text }];
  });

/** One wrong letter in `env: production` moves a target from the rule for production to a looser rule. */
export function misspeltLabels({ inventory, policy, limits, guards }: Rulebook): readonly Finding[] {
  const conditions = [...policy.rules, ...policy.freeze, ...limits, ...guards];
  const looked = Map.groupBy(
    conditions.flatMap(({ labels = {} }) => Object.entries(labels)),
    ([label]) => label,
  );
  return namedKinds(inventory).flatMap((kind) =>
    Object.entries(targetsOfKind(inventory, kind)).flatMap(([name, { labels }]) =>
      Object.entries(labels).flatMap(([label, value]): readonly Finding[] => {
        const path = [...sectionOf(kind), name, 'labels', label];
        const values = looked.get(label)?.map(([, one]) => one);
        const known = values ?? [...looked.keys()];
        const typed = values ? value : label;
        if (known.includes(typed) || nearest(typed, known, 1) === undefined) return [];
        const at = values ? 'value' : 'key';
        return [{ path, at, text: `no rule uses “${typed}”.`, misspelt: { typed, known } }];
      }),
    ),
  );
}

const sectionOf = (kind: string): readonly string[] =>
  kind === 'instance' || kind === 'container' ? [`${kind}s`] : ['targets', kind];

type Names = readonly string[];

export function unboundSecrets(rulebook: Rulebook, names: Names): readonly Finding[] {
  const { secrets } = rulebook;
  const own = ownSecrets(rulebook);
  return names
    .filter((name) => !Object.hasOwn(secrets, name) && !own.has(name))
    .map((name) => ({
      path: ['secrets'],
      text: `secret:${name} is set, but not listed here, so forms reject it outside the playground, and your own operations can't use it in production. List it with the fields and hosts, or the operations, that may use it.`,
      misspelt: { typed: name, known: Object.keys(secrets) },
    }));
}

export function ownSecretsListed(rulebook: Rulebook): readonly Finding[] {
  const used = Map.groupBy(rulebook.ownSecrets, ({ reference }) => nameOfSecret(reference));
  return Object.keys(rulebook.secrets).flatMap((name): readonly Finding[] => {
    const [by] = used.get(name)?.flatMap(({ path }) => path[0] ?? []) ?? [];
    if (by === undefined) return [];
    const text = `secret:${name} is used by ${by}, so forms reject it. Remove it here.`;
    return [{ path: ['secrets', name], at: 'key', text }];
  });
}

export const missingSecrets = (
  { ownSecrets: used }: Rulebook,
  names: Names,
  essential: boolean,
): readonly Finding[] =>
  used.flatMap(({ path, at, reference, without, ...secret }): readonly Finding[] => {
    const name = nameOfSecret(reference);
    if (name === undefined || without === undefined || names.includes(name)) return [];
    if ((secret.essential ?? false) !== essential) return [];
    const text =
      `secret:${name} does not exist, so ${without}. Set ${secretVariable(name)}, ` +
      `or put it into the file ${name} in BELLHOP_SECRETS_DIR.`;
    return [{ path, at, text }];
  });

export function idleAccounts({ inventory }: Rulebook): readonly Finding[] {
  const listed = [...Object.values(inventory.instances), ...Object.values(inventory.containers)];
  const used = new Set(listed.map(({ account }) => account));
  return Object.keys(inventory.accounts ?? {})
    .filter((name) => !used.has(name))
    .map((name) => ({ path: ['accounts', name], at: 'key', text: 'is not the account of any target.' }));
}

/** Services of the playground exist only with the local service. */
export const localParts = ({ inventory: { accounts = {} } }: Rulebook): readonly Finding[] =>
  Object.entries(accounts)
    .filter(([, { baseUrl }]) => baseUrl === 'local')
    .map(([name]) => ({
      path: ['accounts', name, 'base_url'],
      text: '“local” is a service of the playground, which runs only with API_BASE_URL=local. Use an https:// address.',
    }));
