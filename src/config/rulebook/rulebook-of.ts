import { demandKeys, programKeys, sections, skipKeys, sourceKinds } from '../../features/index.ts';
import type { OwnSecret, Role, Rule, Rulebook } from '../../model/rulebook/rulebook.ts';
import type { RulebookFile } from '../../model/rulebook/schema.ts';
import type { Inventory } from '../../model/rulebook/target.ts';
import type { Operation } from '../../model/operation.ts';
import { namesIn, valueOf } from '../../model/section.ts';
import { mapValues, readDuration } from '../../text/words.ts';
import { ruleArguments } from './checks/argument-values.ts';

export function rulebookOf(file: RulebookFile, hash: string, operations: readonly Operation[]): Rulebook {
  const { project, region, regions, instances, containers, targets, roles, freeze, requests } = file;
  const { guard: guards, announce } = file;
  const auditKeys = file.audit.key ?? [];
  const accounts = Object.keys(file.accounts).length === 0 ? undefined : file.accounts;
  const inventory = { project, region, regions, accounts, instances, containers, targets };
  const own = { sections: Object.fromEntries(sections.map((one) => [one.name, one.valueIn(file)])) };
  return {
    ...own,
    inventory,
    policy: {
      roles: mapValues(roles, roleOf),
      rules: file.rules.map((written) => rule(written, operations, inventory)),
      freeze,
      hash,
    },
    secrets: file.secrets,
    expireAfterMs: requests.expire_after,
    leaseMs: requests.lease,
    drainMs: requests.drain,
    timeoutMs: requests.timeout,
    readTimeoutMs: requests.read_timeout,
    keepMs: requests.keep,
    extensions: accounts ? [...file.extensions, 'accounts'] : file.extensions,
    links: file.links,
    limits: file.limits,
    guards,
    auditKeys,
    ownSecrets: [...secretsOf({ auditKeys, accounts }), ...sections.flatMap((one) => one.secrets(own))],
    announce: {
      brokenRules: announce.broken_rules ?? approving(file),
    },
  };
}

/** Each kind of source has its own key in the file. */
function roleOf(written: RulebookFile['roles'][string]): Role {
  const { users, usergroups } = written;
  const sources = sourceKinds.flatMap(({ key }) => {
    const name = valueOf(written, key);
    return typeof name === 'string' ? [{ key, name }] : [];
  });
  return { users, usergroups, ...(sources.length > 0 && { sources }) };
}

const secretsOf = ({
  auditKeys,
  accounts = {},
}: Pick<Rulebook, 'auditKeys'> & Pick<Inventory, 'accounts'>): readonly OwnSecret[] => [
  ...auditKeys.map((reference) => ({ path: ['audit', 'key'] as const, reference })),
  ...Object.entries(accounts).map(([name, { key, baseUrl }]) => ({
    path: ['accounts', name, 'key'] as const,
    reference: key,
    without: baseUrl === 'local' ? undefined : 'nothing is sent to this account',
    essential: true as const,
  })),
];

/** The approvers own the rules, unless the file names other owners. */
const approving = ({ rules, guard }: RulebookFile): readonly string[] => [
  ...new Set([...rules, ...guard].flatMap(({ approvers }) => approvers ?? [])),
];

const approversAfter = (
  written: NonNullable<RulebookFile['rules'][number]['approvers_after']>,
): Rule['approversAfter'] =>
  Object.entries(written)
    .map(([after, roles]) => ({ after, afterMs: readDuration(after) ?? 0, roles }))
    .toSorted((one, other) => one.afterMs - other.afterMs);

function rule(
  written: RulebookFile['rules'][number],
  operations: readonly Operation[],
  inventory: Inventory,
): Rule {
  const { then: effect, approvers, approvals, confirm, approvers_after: further, ...conditions } = written;
  const demands = demandKeys.filter(({ key }) => valueOf(written, key) === true);
  const programs = programKeys.flatMap(({ key, kind }) => {
    const names = namesIn(written, key)?.map((name = '') => `${kind}:${name}`);
    return names ? [names] : [];
  });
  for (const { key } of [...demandKeys, ...programKeys, ...skipKeys]) Reflect.deleteProperty(conditions, key);
  return {
    ...conditions,
    ...(conditions.arguments && { arguments: ruleArguments(conditions, operations, inventory) }),
    effect,
    approvers: approvers ?? [],
    approvals: approvals ?? 1,
    approversAfter: further && approversAfter(further),
    typeName: confirm === 'type-name',
    confirmNever: confirm === 'never',
    breakGlass: skipKeys.flatMap(({ key }) => namesIn(written, key)?.map((name = '') => name) ?? []),
    ...(programs.length > 0 && { programs: programs.flat() }),
    ...(demands.length > 0 && { demands: demands.map(({ demand }) => demand) }),
  };
}
