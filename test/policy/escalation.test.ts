import { describe, expect, it } from 'vitest';

import { decide, type Question } from '../../src/policy/policy.ts';
import type { Rule } from '../../src/model/rulebook/rulebook.ts';

const held = new Map([
  ['responders', 'held'],
  ['on call', 'held'],
] as const);

/** `/cdn purge 1001 --all`, or without `--all`, by a responder. */
const question = (all: boolean): Question => ({
  operation: {
    name: 'cdn.purge',
    risk: all ? 'destructive' : 'change',
    escalatedBy: all ? 'all' : undefined,
  },
  input: { resource: [['1001']], all: [[String(all)]] },
  target: { kind: 'cdn-resource', name: 'CDN resource 1001', resource: 1001, labels: {} },
  team: 'T0LOCAL',
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  roles: { granting: held, denying: held },
  breakGlass: false,
  now: 0,
});

const rule = (effect: Rule['effect'], conditions: Partial<Rule> = {}): Rule => ({
  roles: ['responders'],
  approvers: effect === 'approve' ? ['leads'] : [],
  approvals: 1,
  typeName: false,
  breakGlass: [],
  ...conditions,
  effect,
});

const allNamed = { arguments: { all: 'true' } };

describe('a flag that makes a change destructive', () => {
  it.each([
    ['a rule that confirms', [rule('confirm')], 'confirm', 'approve by responders'],
    [
      'a rule that runs it at once',
      [rule('allow', { confirmNever: true })],
      'allow',
      'approve by responders',
    ],
    [
      'a rule for the whole operation',
      [rule('confirm', { operations: ['cdn.purge'] })],
      'confirm',
      'approve by responders',
    ],
    [
      'a rule that names it',
      [rule('confirm', { ...allNamed, roles: ['on call'] }), rule('confirm')],
      'confirm',
      'confirm',
    ],
    [
      'a rule that names it and asks for an approval',
      [rule('approve', allNamed), rule('confirm')],
      'confirm',
      'approve by leads',
    ],
    ['a rule that asks for an approval anyway', [rule('approve')], 'approve by leads', 'approve by leads'],
    ['a rule for changes alone', [rule('confirm', { risk: ['change'] })], 'confirm', 'deny'],
    [
      'a rule that denies what is destructive',
      [rule('deny', { risk: ['destructive'] }), rule('confirm')],
      'confirm',
      'deny',
    ],
    ['no rule', [], 'deny', 'deny'],
  ] as const)('%s', (_what, rules, without, withFlag) => {
    const policy = { roles: {}, rules, freeze: [], hash: 'policy' };
    const said = [false, true].map((all) => {
      const { effect, approvers } = decide(policy, question(all));
      return approvers.length === 0 ? effect : `${effect} by ${approvers.join(', ')}`;
    });
    expect(said).toEqual([without, withFlag]);
  });
});
