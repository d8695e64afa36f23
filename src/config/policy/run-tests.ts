import { z } from 'zod';

import { type ResolvedCommand, resolveTyped } from '../../command/resolve.ts';
import type { Rules } from '../../model/ports.ts';
import { type Actor, listedActor } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Operation } from '../../model/operation.ts';
import type { Effect, Rulebook, Source } from '../../model/rulebook/rulebook.ts';
import { effects } from '../../model/rulebook/policy-schema.ts';
import { applyRules } from '../../policy/authorize.ts';
import { assumedMembers, demandKeys, programKeys, restrictions, sourceKinds } from '../../features/index.ts';
import { valueOf } from '../../model/section.ts';
import { limitReached } from '../../policy/limits.ts';
import { denialBy } from '../../policy/policy.ts';
import { uselessBreakGlass } from '../../policy/denied.ts';
import type { Decision } from '../../model/values/decision.ts';
import { laterText } from './compare.ts';
import { followExtensions } from '../../command/grammar/registry.ts';
import type { Registry } from '../../model/registry.ts';
import type { Finding, Path } from '../../model/rulebook/finding.ts';
import {
  channel,
  listOf,
  member,
  oneOrMore,
  team as teamId,
  time,
  user as personId,
  usergroup,
  userOrProgram,
  writtenValue,
} from '../../model/rulebook/schema-parts.ts';

const commandText = z
  .string()
  .max(2000)
  .regex(/^\/[a-z][a-z0-9-]{0,30}(?: |$)/u, {
    error: 'must be a complete command, such as /cloud reboot web-1.',
  });

const expected = z.enum(effects);

const demandTests: object = Object.fromEntries(
  demandKeys.map(({ key, demand: { verb } }) => [
    key,
    z.boolean().optional().describe(`whether people must ${verb}`),
  ]),
);

const assumedTests: object = Object.fromEntries(
  restrictions.map(({ assumed: { key, description } }) => [
    key,
    listOf(z.string()).optional().describe(description),
  ]),
);

const membersBySource = z.record(z.string(), listOf(member)).default({});

const sourceTests: object = Object.fromEntries(
  sourceKinds.map(({ assumed: { key, description } }) => [key, membersBySource.describe(description)]),
);

const policyTest = z
  .strictObject({
    as: oneOrMore(userOrProgram(programKeys.map(({ kind }) => kind)))
      .optional()
      .describe(
        `people (\`U…\`, or \`T…/U…\` from another organization)${programKeys.map(({ key, kind }) => ` or ${key} (\`${kind}:…\`)`).join('')}, one or more`,
      ),
    run: oneOrMore(commandText).optional().describe('commands as typed, one or more'),
    expect: expected.optional().describe('`allow`, `confirm`, `approve` or `deny`'),
    rule: writtenValue(z.string())
      .optional()
      .describe("what decides: a rule's name or number, `freeze 1`, `limit 1` or `no rule`"),
    approvers: listOf(z.string()).optional().describe('all roles that may approve'),
    approvals: z.int().min(1).optional().describe('how many must approve'),
    approvers_after: z
      .record(z.string(), listOf(z.string()))
      .optional()
      .describe('all roles that may approve later, `10m: [managers]`'),
    ...demandTests,
    ...assumedTests,
    table: z
      .record(commandText, z.record(personId, expected))
      .optional()
      .describe('instead of `as`, `run` and `expect`: the decision per command and person'),
    in: channel.optional().describe('the channel, `C…`; default: a channel that no rule mentions'),
    at: time.optional().describe('a time with its zone; default: now'),
    after: z
      .int()
      .min(0)
      .max(1000)
      .default(0)
      .describe('how many times the person has just run the command, to test limits'),
    groups: z.record(usergroup, listOf(personId)).default({}).describe('members of user groups, `S…: [U…]`'),
    ...sourceTests,
    guests: listOf(personId).default([]).describe('guests, `[U…]`'),
    team: teamId
      .default('T0OWN')
      .describe(
        "the bot's own team, `T…`. A `U…` without `T…/` belongs to it, as a full member unless `guests` lists it",
      ),
  })
  .refine(
    ({ table, as, run, expect }) =>
      table ? [as, run, expect].every((one) => one === undefined) : as && run && expect,
    {
      error: 'needs “as”, “run” and “expect”, or a “table” instead.',
      when: ({ issues }) => issues.length === 0,
    },
  );

export const policyTestsFile = z.array(policyTest).min(1);

type PolicyTest = z.output<typeof policyTest>;

interface PolicyTestResult {
  readonly cases: number;
  readonly failures: readonly Finding[];
  readonly unreached: readonly number[];
}

interface Case {
  readonly test: PolicyTest;
  readonly person: string;
  readonly command: string;
  readonly expect: Effect;
  readonly path: Path;
}

/**
 * Cases run like typed commands, with grammar, target and rules, and with limits if a case names earlier runs. Guards are not checked,
 * because guards need the service.
 * @param now epoch milliseconds, for cases without a time
 */
export async function runPolicyTests(
  rulebook: Rulebook,
  operations: readonly Operation[],
  tests: readonly PolicyTest[],
  now: number,
): Promise<PolicyTestResult> {
  const registry = followExtensions(operations, () => rulebook);
  const cases = tests.flatMap(casesOf);
  const reached = new Set<number | undefined>();
  const failures: Finding[] = [];
  for (const one of cases) {
    const outcome = await decideCase(assume(rulebook, registry, one.test, now), one);
    if (typeof outcome !== 'string' && outcome.by.kind === 'rule') reached.add(outcome.by.index);
    const text = typeof outcome === 'string' ? outcome : mismatch(one, outcome, rulebook);
    if (text === undefined) continue;
    const where = one.test.in === undefined ? '' : ` in ${one.test.in}`;
    failures.push({ path: one.path, text: `${one.person}, ${one.command}${where}: ${text}` });
  }
  const unreached = [...rulebook.policy.rules.keys()].filter((index) => !reached.has(index));
  return { cases: cases.length, failures, unreached };
}

function casesOf(test: PolicyTest, at: number): readonly Case[] {
  const { as = [], run = [], expect, table = {} } = test;
  const path = [at, 'expect'];
  const listed = run.flatMap((command) =>
    as.flatMap((person) => (expect ? [{ test, person, command, expect, path }] : [])),
  );
  const rows = Object.entries(table).flatMap(([command, row]) =>
    Object.entries(row).map(([person, effect]): Case => {
      return { test, person, command, expect: effect, path: [at, 'table', command, person] };
    }),
  );
  return [...listed, ...rows];
}

function assume(rulebook: Rulebook, registry: Registry, test: PolicyTest, now: number): Rules {
  const { groups, guests, team } = test;
  const isIn = (listed: readonly string[], { team: of, user }: Actor): boolean =>
    listed.includes(`${of}/${user}`) || (of === team && listed.includes(user));
  return {
    registry,
    rulebook: () => rulebook,
    ownTeam: team,
    clock: {
      now: () => test.at ?? now,
      every: () => () => undefined,
      wait: () => Promise.resolve(),
    },
    directory: {
      person(actor) {
        const guest = isIn(guests, actor);
        const fullMember = actor.team === team && !guest;
        return Promise.resolve({ ...actor, fullMember, guest, active: true, timeZone: 'UTC' });
      },
      membersOf: (source) => assumedMembers(source, assumedIn(test, source)),
      inUsergroup: (group, actor) => Promise.resolve(isIn(groups[group] ?? [], actor) ? 'held' : 'not held'),
    },
  };
}

function assumedIn(test: PolicyTest, { key, name }: Source): readonly string[] {
  const kind = sourceKinds.find((one) => one.key === key);
  return (kind && membersBySource.parse(valueOf(test, kind.assumed.key))[name]) ?? [];
}

/** No channel has this id, so no rule names it. */
const elsewhere = 'C';

async function decideCase(people: Rules, { test, person, command: typed }: Case): Promise<Decision | string> {
  const [area = '', ...rest] = typed.slice(1).split(' ');
  const actor = listedActor(person, test.team);
  const place = { team: test.team, channel: test.in ?? elsewhere };
  try {
    const { registry } = people;
    const command = resolveTyped(registry, people.rulebook().inventory, area, rest.join(' '));
    const { decision } = await applyRules(people, command, { actor, place });
    const refused = uselessBreakGlass(people, command, decision);
    if (refused) return { ...decision, effect: 'deny', explanation: refused.message };
    const held = restricted(test, command, decision);
    return held ?? limited(people, command, actor, test.after) ?? decision;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return error.message.replaceAll(/\s+/gu, ' ');
  }
}

function restricted(
  test: PolicyTest,
  { entry, target, each }: ResolvedCommand,
  { effect, approvalSkipped }: Decision,
): Decision | undefined {
  if (entry.operation.risk === 'read' || effect === 'deny' || approvalSkipped) return undefined;
  const targets = each?.map((one) => one.target) ?? [target];
  const denials = restrictions.flatMap(({ assumed: { key, text } }) => {
    const names = z.array(z.string()).default([]).parse(valueOf(test, key));
    const barred = targets.filter(({ name }) => names.includes(name));
    return barred.map(({ name }) => denialBy({ kind: 'feature', title: key }, text(name)));
  });
  return denials[0];
}

function limited(
  people: Rules,
  { entry: { operation }, target }: ResolvedCommand,
  actor: Actor,
  after: number,
): Decision | undefined {
  if (operation.risk === 'read') return undefined;
  const now = people.clock.now();
  const start = { operation: operation.name, target, requester: actor, startedAt: now };
  const started = Array.from({ length: after }, () => start);
  return limitReached(people.rulebook().limits, start, started, now);
}

function mismatch(one: Case, decision: Decision, rulebook: Rulebook): string | undefined {
  const wrong = [...mismatches(one, decision, rulebook)].join('; ');
  return wrong === '' ? undefined : `${wrong}. ${decision.explanation.replace(/\.$/u, '')}.`;
}

function* mismatches({ test, expect }: Case, decision: Decision, { policy }: Rulebook): Generator<string> {
  const { effect, by, rule, approvals, demands = [] } = decision;
  const approvers = decision.approvers.toSorted().join(', ');
  const later = laterText(decision.approversAfter);
  const wantedLater = laterText(
    Object.entries(test.approvers_after ?? {}).map(([after, roles]) => ({ after, afterMs: 0, roles })),
  );
  const place = (by.index ?? 0) + 1;
  const names =
    by.kind === 'none'
      ? ['no rule']
      : by.kind === 'feature'
        ? [rule]
        : by.kind === 'rule'
          ? [policy.rules[place - 1]?.name, rule, `${place}`, `rule ${place}`]
          : [`${by.kind} ${place}`];
  if (effect !== expect) yield `expected ${expect}, but it is ${effect}`;
  if (test.rule !== undefined && !names.includes(test.rule))
    yield `expected to be decided by ${test.rule}, but it is by ${rule}`;
  if (test.approvers && test.approvers.toSorted().join(', ') !== approvers)
    yield `expected ${test.approvers.join(', ')} to approve, but it is ${approvers || 'no one'}`;
  if (test.approvals !== undefined && test.approvals !== approvals)
    yield `expected ${test.approvals} approvals, but it is ${approvals}`;
  if (test.approvers_after && wantedLater !== later)
    yield `expected ${wantedLater.slice(2) || 'no one'} to approve later, but it is ${later.slice(2) || 'no one'}`;
  for (const { key, demand } of demandKeys) {
    const wanted = valueOf(test, key);
    if (wanted === undefined || wanted === demands.includes(demand)) continue;
    const { noun } = demand;
    yield wanted === true ? `expected a ${noun}, but it needs none` : `expected no ${noun}, but it needs one`;
  }
}
