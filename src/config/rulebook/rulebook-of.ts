import type { Identity, Rule, Rulebook, ScheduleSource } from '../../model/rulebook/rulebook.ts';
import type { RulebookFile } from '../../model/rulebook/schema.ts';
import type { Inventory } from '../../model/rulebook/target.ts';
import type { Operation } from '../../model/operation.ts';
import { mapValues, nameOnSchedule, readDuration } from '../../text/words.ts';
import { ruleArguments } from './checks/argument-values.ts';

export function rulebookOf(file: RulebookFile, hash: string, operations: readonly Operation[]): Rulebook {
  const { project, region, regions, instances, containers, targets, roles, freeze, requests } = file;
  const { guard: guards, announce } = file;
  const { key: keys = [], ...audit } = file.audit;
  const accounts = Object.keys(file.accounts).length === 0 ? undefined : file.accounts;
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
    limits: file.limits,
    guards,
    hooks: file.hooks,
    agents: file.agents,
    audit: { ...audit, keys },
    announce: {
      breakGlass: announce.break_glass,
      brokenRules: announce.broken_rules ?? approving(file),
    },
  };
}

const schedulesOf = ({ schedules, people }: RulebookFile): Rulebook['schedules'] =>
  mapValues(schedules, (one) => {
    const own = typeof one.match === 'object' ? one.match : {};
    const known = { ...byName(people), ...byName(own) };
    return { source: sourceOf(one), people: known, byEmail: one.match === 'email' };
  });

function sourceOf({ ical, pagerduty, jsm, time_zone }: RulebookFile['schedules'][string]): ScheduleSource {
  if (pagerduty) return { kind: 'pagerduty', ...pagerduty };
  if (jsm) return { kind: 'jsm', ...jsm };
  return { kind: 'ical', address: ical ?? '', timeZone: time_zone };
}

function identityOf({ identity, people }: RulebookFile): Identity | undefined {
  if (!identity) return undefined;
  const { match, ...rest } = identity;
  // Only e-mail addresses ignore case. Other ids that differ in case belong to different people.
  return { ...rest, people: rest.claim === 'email' ? byName(people) : people, byEmail: match === 'email' };
}

const byName = (people: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(people).map(([called, user]) => [nameOnSchedule(called), user]));

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
