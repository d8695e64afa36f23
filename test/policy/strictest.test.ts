import { describe, expect, it } from 'vitest';

import type { Decision } from '../../src/model/values/decision.ts';
import { strictest } from '../../src/policy/strictest.ts';

const decision: Decision = {
  effect: 'approve',
  by: { kind: 'rule', index: 0 },
  rule: 'rule 1',
  explanation: 'Rule 1',
  approvers: ['leads'],
  approvals: 1,
  typeName: false,
  needed: { roles: [], channels: [] },
};
const after = (minutes: number, ...roles: readonly string[]) => ({
  after: `${minutes}m`,
  afterMs: minutes * 60_000,
  roles,
});

/** The approvers who join later if these rules decide about the targets of one rollout. */
const joins = (...all: readonly Partial<Decision>[]) =>
  strictest(
    all.map((one, index) => ({ name: `web-${index}`, given: { decision: { ...decision, ...one } } })),
    'confirm',
  ).decision.approversAfter;

describe('the further approvers of a rollout', () => {
  it('join once they may approve each of its targets', () => {
    const [soon, late] = [[after(5, 'managers')], [after(10, 'managers', 'directors')]];
    expect(joins({ approversAfter: soon }, { approversAfter: late })).toEqual([after(10, 'managers')]);
    expect(joins({ approversAfter: late }, { approvers: ['leads', 'directors'] })).toEqual([
      after(10, 'directors'),
    ]);
  });

  it('are empty if one target never has them', () => {
    expect(joins({ approversAfter: [after(5, 'managers')] }, {})).toEqual([]);
    expect(joins({}, {})).toEqual([]);
  });
});

it('a rollout demands what the rule of any of its targets demands, once', () => {
  const token = { gate: 'token', verb: 'touch', how: 'touch', act: 'touch', noun: 'touch' };
  const all = [{}, { demands: [token] }, { demands: [token] }].map((one, index) => ({
    name: `web-${index}`,
    given: { decision: { ...decision, ...one } },
  }));
  expect(strictest(all, 'confirm').decision.demands).toEqual([token]);
});

it('a rollout skips its approval only if it may skip the approval of each target', () => {
  const skipped = { effect: 'confirm', approvalSkipped: true } as const;
  const skips = [
    [skipped, skipped],
    [skipped, {}],
    [skipped, { effect: 'confirm' as const }],
  ].map((all) => {
    const given = all.map((one, index) => ({
      name: `web-${index}`,
      given: { decision: { ...decision, ...one } },
    }));
    const { effect, approvalSkipped } = strictest(given, 'confirm').decision;
    return [effect, approvalSkipped];
  });
  expect(skips).toEqual([
    ['confirm', true],
    ['approve', false],
    ['confirm', true],
  ]);
});

it('a denial of several targets offers no way past one of them', () => {
  const given = { decision: { ...decision, effect: 'deny' as const, wayOut: 'Override it.' } };
  expect(strictest([{ name: 'web-1', given }], 'confirm').decision.wayOut).toBeUndefined();
});
