import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { resolveTyped } from '../../src/command/resolve.ts';
import { findInstance } from '../../src/command/inventory.ts';
import { dueKind } from '../../src/model/records/due.ts';
import type { Start } from '../../src/model/records/requests.ts';
import type { LastingRestriction } from '../../src/model/restriction.ts';
import type { Guard, Limit, Rule } from '../../src/model/rulebook/rulebook.ts';
import type { Decision } from '../../src/model/values/decision.ts';
import { applyRules, authorize } from '../../src/policy/authorize.ts';
import { type Restriction, restrictBy } from '../../src/policy/restrict.ts';
import type { Memberships } from '../../src/policy/roles.ts';
import { callerOf } from '../core.ts';
import { people } from '../people.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';

let stage: BoxStage;
beforeAll(async () => {
  stage = await openBoxes();
});
afterAll(() => stage.close());

const token = { gate: 'token', verb: 'touch', how: 'touch', act: 'touch', noun: 'touch' };
const minute = 60_000;
const roleNames = ['responders', 'leads', 'anyone'];
const role = fc.constantFrom(...roleNames);
const roles = fc.uniqueArray(role, { minLength: 1 });
const labels = fc.constantFrom({ env: 'staging' }, { env: 'production' }, { env: 'quick' });
const demands = fc.constantFrom(undefined, [token]);
const approversAfter = fc.option(
  roles.map((joining) => [{ after: '10m', afterMs: 10 * minute, roles: joining }]),
  { nil: undefined },
);

const rules: fc.Arbitrary<Rule> = fc
  .record({
    effect: fc.constantFrom('allow', 'confirm', 'approve', 'deny'),
    roles,
    labels: fc.option(labels, { nil: undefined }),
    typeName: fc.boolean(),
    confirmNever: fc.boolean(),
    approvers: roles,
    approvals: fc.integer({ min: 1, max: 3 }),
    approversAfter,
    breakGlass: fc.uniqueArray(role),
    demands,
  })
  .map(({ effect, ...conditions }) => rule(effect, conditions));

const limit: fc.Arbitrary<Limit> = fc.record({
  per: fc.constantFrom('target', 'person', 'all'),
  atMost: fc.integer({ min: 1, max: 3 }),
  withinMs: fc.constantFrom(minute, 60 * minute),
  operations: fc.constantFrom(undefined, ['box.*'], ['box.look']),
  labels: fc.option(labels, { nil: undefined }),
});

const guard: fc.Arbitrary<Guard> = fc.record({
  labels,
  keep: fc.integer({ min: 1, max: 3 }),
  approvers: roles,
});

const boxes = ['web-1', 'web-2', 'db-1', 'quick'];
const box = fc.constantFrom(...boxes);
const person = fc.constantFrom('alice', 'bob', 'carol', 'lee');
const commands = fc.oneof(
  box.map((name) => `kick ${name}`),
  box.map((name) => `kick ${name} --break-glass "it burns"`),
  box.map((name) => `look ${name}`),
);

const starts = fc.array(
  fc.record({
    id: fc.uuid(),
    state: fc.constantFrom('running', 'succeeded', 'failed', 'unknown'),
    operation: fc.constantFrom('box.kick', 'box.gone'),
    name: box,
    who: person,
    agoMs: fc.constantFrom(0, 2 * minute, 30 * minute),
  }),
  { maxLength: 5 },
);

/** The things that people have done for a change. */
interface Evidence {
  readonly typed: boolean;
  readonly passed: boolean;
  /** A role of each approver. */
  readonly approvedBy: readonly string[];
  readonly afterMs: number;
}

const lists = [0, 1, 2, 3].flatMap((length) =>
  Array.from({ length: roleNames.length ** length }, (_, number) =>
    Array.from(
      { length },
      (__, place) => roleNames[Math.floor(number / roleNames.length ** place) % 3] ?? '',
    ),
  ),
);
const evidence: readonly Evidence[] = [0, 10 * minute].flatMap((afterMs) =>
  lists.flatMap((approvedBy) =>
    [true, false].flatMap((typed) => [true, false].map((passed) => ({ typed, passed, approvedBy, afterMs }))),
  ),
);

/** Whether a change runs with that, by a decision. */
function runs(decision: Decision, { typed, passed, approvedBy, afterMs }: Evidence): boolean {
  const { effect, typeName, demands: wanted = [], approvers, approversAfter: later = [] } = decision;
  if (effect === 'deny' || (wanted.length > 0 && !passed)) return false;
  if (effect !== 'approve') return typed || !typeName;
  const joined = later.filter((one) => one.afterMs <= afterMs);
  const asked = new Set([...approvers, ...joined.flatMap((one) => one.roles)]);
  return approvedBy.filter((one) => asked.has(one)).length >= decision.approvals;
}

/**
 * The evidence with which a change runs by the second decision, but not by the first. An approval includes the
 * confirmation.
 */
const looser = (first: Decision, second: Decision): readonly Evidence[] =>
  evidence.filter((one) => {
    const typed = one.typed || first.effect !== second.effect;
    return runs(second, { ...one, typed }) && !runs(first, { ...one, typed });
  });

/** A ban denies its targets to everyone but one person, unless they break the glass. */
const ban = dueKind('ban');
const banned = z.object({ name: z.string(), by: z.string() });
const banning: LastingRestriction = {
  kind: ban,
  noun: 'ban',
  label: 'Banned',
  bars: (all) =>
    all.map(({ about }) => {
      const { name, by: user } = banned.parse(about);
      return {
        title: 'ban',
        by: { ...people.alice, user },
        what: name,
        meets: (target) => target.name === name,
        said: () => [`${name} is banned`],
        overridden: () => [`${name} was banned`],
        instead: () => ['Wait'],
        advice: 'Lift the ban.',
        until: undefined,
      };
    }),
  assumed: { key: 'banned', description: 'banned', text: () => '' },
};

function at(
  started: readonly Start[],
  runningBoxes: readonly string[],
  bans: readonly z.output<typeof banned>[] = [],
): BoxStage {
  const lasting = bans.map((about, index) => ({ key: `${index}`, version: 1, about }));
  const one = stage.another(
    { ...stage.store, started: () => Promise.resolve(started), lasting: () => Promise.resolve(lasting) },
    { restrictions: [banning] },
  );
  one.service.runs = (name) => Promise.resolve(runningBoxes.includes(name));
  one.rulebook = stage.rulebook;
  return one;
}

const commandOn = ({ context }: BoxStage, typed: string) =>
  resolveTyped(context.registry, context.rulebook().inventory, 'box', typed);

it('no limit, guard or restriction of a feature allows a change that the rules do not allow, in any rulebook', async () => {
  const deciding = new Set<string>();
  const everything = fc.record({
    listed: fc.array(rules, { minLength: 1, maxLength: 3 }),
    limits: fc.array(limit, { maxLength: 2 }),
    guards: fc.array(guard, { maxLength: 2 }),
    started: starts,
    up: fc.subarray(boxes),
    bans: fc.array(fc.record({ name: box, by: person.map((name) => people[name].user) }), { maxLength: 2 }),
    typed: commands,
    who: person,
  });
  await fc.assert(
    fc.asyncProperty(everything, async ({ listed, limits, guards, started, up, bans, typed, who }) => {
      const now = stage.clock.now();
      const one = at(
        started.map(({ name, who: by, agoMs, ...rest }) => ({
          ...rest,
          target: findInstance(stage.rulebook.inventory, name),
          requester: people[by],
          startedAt: now - agoMs,
        })),
        up,
        bans,
      );
      const { policy } = one.rulebook;
      one.rulebook = { ...one.rulebook, policy: { ...policy, rules: listed }, limits, guards };
      const caller = callerOf(people[who]);
      const command = commandOn(one, typed);
      const { decision: ruled } = await applyRules(one.context, command, caller);
      const { decision } = await authorize(one.context, command, caller);
      expect(looser(ruled, decision)).toEqual([]);
      deciding.add(decision.by.kind);
    }),
    { numRuns: 1000 },
  );
  expect([...deciding]).toEqual(expect.arrayContaining(['rule', 'none', 'limit', 'guard', 'feature']));
});

const decision: Decision = {
  effect: 'approve',
  by: { kind: 'rule', index: 0 },
  rule: 'rule 1',
  explanation: 'Rule 1',
  approvers: ['leads'],
  approvals: 2,
  typeName: true,
  demands: [token],
  breakGlass: ['leads'],
  needed: { roles: [], channels: [] },
};

const returning = (given: Decision): Restriction => ({
  counts: () => ({ of: [], matters: () => false }),
  restrict: () => Promise.resolve({ decision: given }),
});

const noRoles: Memberships = { granting: new Map(), denying: new Map() };

const restricted = (before: Decision, ...after: readonly Decision[]) => {
  const one = at([], []);
  const { entry, target } = commandOn(one, 'kick web-1');
  const change = {
    entry,
    target,
    requester: people.alice,
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    roles: noRoles,
    returned: undefined,
  };
  return restrictBy(after.map(returning), one.context, change, before);
};

describe('a restriction', () => {
  it.each<[string, Partial<Decision>]>([
    ['allows', { effect: 'allow' }],
    ['only confirms', { effect: 'confirm' }],
    ['wants fewer approvals', { approvals: 1 }],
    ['lets others approve', { approvers: ['leads', 'anyone'] }],
    ['lets others approve later', { approversAfter: [{ after: '1m', afterMs: minute, roles: ['anyone'] }] }],
    ['wants no name', { typeName: false }],
    ['demands nothing', { demands: [] }],
    ['skips the approval', { approvalSkipped: true }],
    ['lets others break the glass', { breakGlass: ['anyone'] }],
  ])('that %s is a mistake, and nothing runs', async (_, change) => {
    await expect(restricted(decision, { ...decision, ...change })).rejects.toThrow(RangeError);
    await expect(restricted(decision, decision, { ...decision, ...change })).rejects.toThrow(RangeError);
  });

  it('that changes nothing, or wants more, decides', async () => {
    expect(await restricted(decision, decision)).toMatchObject({ decision });
    const more = { ...decision, approvals: 3 };
    expect(await restricted(decision, more, more)).toMatchObject({ decision: more });
  });

  it('that denies is the last one', async () => {
    const denied = { ...decision, effect: 'deny' } as const;
    expect(await restricted(decision, denied, decision)).toEqual({ decision: denied });
  });

  it('never allows a change that the rules do not allow, whatever it returns', async () => {
    const any: fc.Arbitrary<Decision> = fc
      .record({
        effect: fc.constantFrom('allow', 'confirm', 'approve', 'deny'),
        typeName: fc.boolean(),
        approvers: roles,
        approvals: fc.integer({ min: 1, max: 3 }),
        approversAfter,
        demands,
      })
      .map((given) => Object.assign({}, decision, { breakGlass: [] }, given));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(any, any, async (before, after) => {
        const outcome = await restricted(before, after).catch((error: unknown) => {
          if (!(error instanceof RangeError)) throw error;
          refused += 1;
        });
        expect(outcome ? looser(before, outcome.decision) : []).toEqual([]);
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(0);
  });
});
