import { describe, expect, it } from 'vitest';

import { resolve, resolveUnfinished } from '../../src/command/resolve.ts';
import { parse } from '../../src/command/grammar/grammar.ts';
import { authorize } from '../../src/policy/authorize.ts';
import { mightAllow, type Question } from '../../src/policy/policy.ts';
import type { Membership } from '../../src/model/values/actor.ts';
import { entry, inventory, registry } from '../run/sample-registry.ts';
import { coreFor } from '../core.ts';
import { ruleSets } from './rule-sets.ts';
import { whoMay } from './who-may.ts';
import { people, peopleDirectory, roles } from '../people.ts';

/** The decision on a typed command, by the same code as for every command, in the words of the table. */
async function decided([rules, who, channel, typed, , , , now = 0]: (typeof whoMay)[number]) {
  const { context } = coreFor({
    registry,
    directory: peopleDirectory,
    rulebook: { inventory, policy: { roles, ...ruleSets[rules], hash: 'policy' } },
    now,
  });
  const [area = '', text = ''] = typed.slice(1).split(/ (.*)/su);
  const parsed = parse(registry, area, text);
  if (parsed.kind === 'help') throw new Error(`${typed} is help`);
  const { team, user } = people[who];
  const command = parsed.kind === 'form' ? resolveUnfinished(parsed, inventory) : resolve(parsed, inventory);
  const { decision } = await authorize(context, command, {
    actor: { team, user },
    place: { team: 'T0LOCAL', channel },
  });
  const { needed } = decision;
  const channels = needed.channels.length === 0 ? [] : ['in', ...needed.channels];
  return [decision.effect, decision.rule, [...needed.roles, ...channels].join(' ')];
}

describe('who may', () => {
  it('is a table of at least sixty questions', () => {
    expect(whoMay.length).toBeGreaterThanOrEqual(60);
    expect(new Set(whoMay.map((row) => JSON.stringify(row))).size).toBe(whoMay.length);
  });

  it.each(whoMay.map((row) => [row.join(' | '), row] as const))('%s', async (_, row) => {
    const [, , , , effect, rule, needed] = row;
    expect(await decided(row)).toEqual([effect, rule, needed]);
  });
});

describe('a decision', () => {
  it.each([
    ['a rule', 'sample', '/cloud reboot db-1', 0, 'Rule 2'],
    [
      'break-glass',
      'break-glass',
      '/cloud reboot db-1 --break-glass fire',
      0,
      'Rule 1, approval skipped by break-glass',
    ],
    ['no rule', 'none', '/cloud ips', 0, 'No rule allows it'],
    ['a rule with a name', 'at once', '/cdn metrics 5xx', 0, 'Rule “free”'],
    ['a rule that denies', 'first match', '/cloud stop web-1', 0, 'Rule 1 denies it'],
    ['a freeze', 'frozen', '/cloud reboot db-1', 1500, 'Frozen: holidays'],
    [
      'a rule for roles that cannot be looked up',
      'cannot be looked up',
      '/cloud reboot db-1',
      0,
      "Rule 2 is for “night”, whose members can't be looked up right now",
    ],
    [
      'a rule that denies such roles',
      'cannot be looked up',
      '/cloud stop web-1',
      0,
      "Rule 1 denies it to “night”, whose members can't be looked up right now",
    ],
    [
      'a freeze with such an exception',
      'cannot be looked up',
      '/cloud reboot db-1',
      1500,
      "Frozen: holidays, except for “night”, whose members can't be looked up right now",
    ],
  ] as const)('by %s explains itself', async (_, rules, typed, now, explanation) => {
    const { context } = coreFor({
      registry,
      directory: peopleDirectory,
      rulebook: {
        inventory,
        policy: {
          roles: { ...roles, leads: { users: ['U0ALICE'], usergroups: [] } },
          ...ruleSets[rules],
          hash: '',
        },
      },
      now,
    });
    const parsed = parse(registry, ...split(typed));
    if (parsed.kind !== 'command') throw new Error(typed);
    const { decision } = await authorize(context, resolve(parsed, inventory), {
      actor: rules === 'frozen' ? people.bob : people.alice,
      place: { team: 'T0LOCAL', channel: 'C0OPS' },
    });
    expect(decision.explanation).toBe(explanation);
  });
});

const split = (typed: string): [area: string, text: string] => {
  const [area = '', text = ''] = typed.slice(1).split(/ (.*)/su);
  return [area, text];
};

const memberships = (held: readonly string[]): ReadonlyMap<string, Membership> =>
  new Map(held.map((role) => [role, 'held']));

const question = (
  name: string,
  held: readonly string[],
  channel = 'C0OPS',
): Omit<Question, 'target' | 'input'> => ({
  operation: entry(name).operation,
  team: 'T0LOCAL',
  place: { team: 'T0LOCAL', channel },
  roles: { granting: memberships(held), denying: memberships(held) },
  breakGlass: false,
  now: 0,
});

describe('what might be allowed', () => {
  it.each<
    [rules: keyof typeof ruleSets, name: string, held: readonly string[], channel: string, might: boolean]
  >([
    ['sample', 'cloud.reboot', ['anyone'], 'C0OPS', false],
    ['sample', 'cloud.ips', ['anyone'], 'C0OPS', true],
    ['sample', 'cloud.reboot', ['responders'], 'C0GENERAL', true],
    ['sample', 'cdn.raw-logs', ['responders'], 'C0GENERAL', false],
    ['labels', 'cloud.reboot', ['anyone'], 'C0OPS', true],
    ['arguments', 'cloud.reboot', ['anyone'], 'C0OPS', true],
    ['arguments', 'cdn.metrics', ['anyone'], 'C0OPS', true],
    ['first match', 'cloud.stop', ['anyone'], 'C0OPS', false],
    ['no roles said', 'cloud.stop', ['anyone'], 'C0OPS', false],
    ['none', 'cloud.ips', ['anyone'], 'C0OPS', false],
  ])('by the rules “%s”, %s for %j in %s: %s', (rules, name, held, channel, might) => {
    expect(mightAllow({ roles, ...ruleSets[rules], hash: '' }, question(name, held, channel))).toBe(might);
  });
});
