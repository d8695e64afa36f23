import type {
  Agents,
  AuditSettings,
  Hooks,
  Identity,
  Rule,
  Rulebook,
  ScheduleSource,
} from '../../model/rulebook/rulebook.ts';
import type { RulebookFile } from '../../model/rulebook/schema.ts';
import type { Accounts, Inventory } from '../../model/rulebook/target.ts';
import type { Operation } from '../../model/operation.ts';
import { nameOnSchedule, readDuration } from '../../text/words.ts';
import { ruleArguments } from './checks/argument-values.ts';

export function rulebookOf(file: RulebookFile, hash: string, operations: readonly Operation[]): Rulebook {
  const { project, region, regions, instances, containers, targets, roles, freeze, requests } = file;
  const { guard: guards, announce } = file;
  const accounts = accountsOf(file);
  const inventory = { project, region, regions, accounts, instances, containers, targets };
  return {
    inventory,
    schedules: schedulesOf(file),
    identity: identityOf(file),
    policy: {
      roles,
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
    limits: file.limits.map(({ at_most: atMost, within: withinMs, ...limit }) => ({
      ...limit,
      atMost,
      withinMs,
    })),
    guards,
    hooks: hooksOf(file),
    agents: agentsOf(file),
    audit: auditOf(file),
    announce: {
      breakGlass: announce.break_glass,
      brokenRules: announce.broken_rules ?? approving(file),
    },
  };
}

const schedulesOf = ({ schedules, people }: RulebookFile): Rulebook['schedules'] =>
  Object.fromEntries(
    Object.entries(schedules).map(([name, one]) => {
      const own = typeof one.match === 'object' ? one.match : {};
      const known = { ...byName(people), ...byName(own) };
      return [name, { source: sourceOf(one), people: known, byEmail: one.match === 'email' }];
    }),
  );

function sourceOf({ ical, pagerduty, jsm, time_zone }: RulebookFile['schedules'][string]): ScheduleSource {
  if (pagerduty) return { kind: 'pagerduty', ...pagerduty };
  if (jsm) return { kind: 'jsm', ...jsm };
  return { kind: 'ical', address: ical ?? '', timeZone: time_zone };
}

function identityOf({ identity, people }: RulebookFile): Identity | undefined {
  if (!identity) return undefined;
  const {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    claim,
    acr_values: acr,
    match,
  } = identity;
  return {
    issuer,
    clientId,
    clientSecret,
    claim,
    acrValues: acr?.split(' ').filter((word) => word !== '') ?? [],
    // Only e-mail addresses ignore case. Other ids that differ in case belong to different people.
    people: claim === 'email' ? byName(people) : people,
    byEmail: match === 'email',
  };
}

const byName = (people: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(people).map(([called, user]) => [nameOnSchedule(called), user]));

function accountsOf({ accounts }: RulebookFile): Accounts | undefined {
  const listed = Object.entries(accounts);
  if (listed.length === 0) return undefined;
  return Object.fromEntries(listed.map(([name, { base_url: baseUrl, key }]) => [name, { baseUrl, key }]));
}

const auditOf = ({ audit: { key, forward, ...audit } }: RulebookFile): AuditSettings => {
  if (!forward) return { ...audit, keys: key ?? [] };
  const { content_type: contentType, ...to } = forward;
  return { ...audit, keys: key ?? [], forward: { ...to, contentType } };
};

const hooksOf = ({ hooks }: RulebookFile): Hooks =>
  Object.fromEntries(
    Object.entries(hooks).map(([name, { target_label: targetLabel, ...hook }]) => [
      name,
      { ...hook, targetLabel },
    ]),
  );

const agentsOf = ({ agents }: RulebookFile): Agents =>
  Object.fromEntries(
    Object.entries(agents).map(([name, { expire_after: expireAfterMs, ...agent }]) => [
      name,
      { ...agent, expireAfterMs },
    ]),
  );

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
  const {
    then: effect,
    approvers,
    approvals,
    confirm,
    break_glass: breakGlass,
    step_up: stepUp,
    approvers_after: further,
    ...conditions
  } = written;
  return {
    ...conditions,
    ...(conditions.arguments && { arguments: ruleArguments(conditions, operations, inventory) }),
    effect,
    approvers: approvers ?? [],
    approvals: approvals ?? 1,
    approversAfter: further && approversAfter(further),
    typeName: confirm === 'type-name',
    confirmNever: confirm === 'never',
    breakGlass: breakGlass ?? [],
    stepUp,
  };
}
