import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import type { LinkGate } from '../../src/model/gate.ts';
import type { Rule } from '../../src/model/rulebook/rulebook.ts';
import { handleClick } from '../../src/request/click.ts';
import { callerOf } from '../core.ts';
import { token, tokenGate, touched } from '../token-gate.ts';
import { people } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const roles = ['responders'];
const confirmed = rule('confirm', { roles, demands: [token] });
const approved = rule('approve', { roles, approvers: ['leads'], demands: [token] });
const cases = [
  ['confirm', confirmed, 'alice'],
  ['approve', approved, 'carol'],
] as const;

const gates = (given: readonly LinkGate[]): void => void Object.assign(stage.context, { gates: given });

async function proposed(one: Rule) {
  stage.rules([one]);
  return stage.propose('alice', '/box kick web-1');
}

describe.each(cases)('what a rule demands before people %s', (action, one, who) => {
  it('comes first, and is kept once it is done', async () => {
    gates([tokenGate()]);
    const request = await proposed(one);
    const asked = { ...callerOf(people[who]), requestId: request.id, action };
    expect(await handleClick(stage.context, asked)).toMatchObject({ kind: 'link', gate: { name: 'token' } });
    const running = await stage.click(who, request, action, { passes: touched });
    const { decision, approvals } = running;
    expect(action === 'confirm' ? decision : approvals[0]).toMatchObject({
      passed: ['token'],
      person: 'the hash of alice',
    });
    await stage.becomes(request, 'succeeded');
  });

  it('runs nothing where the gate does not ask for it', async () => {
    gates([tokenGate(true)]);
    const request = await proposed(one);
    expect((await stage.refused(who, request, action)).message).toBe(
      'The request now requires a touch. Nothing was run.',
    );
    expect(stage.service.kicks).toEqual([]);
  });

  it.each(['the same rules', 'rules that no longer demand it'])(
    'runs nothing in a version without the gate, with %s',
    async (rules) => {
      gates([tokenGate()]);
      const request = await proposed(one);
      gates([]);
      if (rules !== 'the same rules') stage.rules([{ ...one, demands: [] }]);
      expect((await stage.refused(who, request, action, { passes: touched })).message).toBe(
        "This version of Bellhop can't ask people to touch the token, which this request requires. Nothing was run.",
      );
      expect(stage.service.kicks).toEqual([]);
      await stage.click('alice', request, 'cancel');
    },
  );

  it('is not wanted any more once the rules do not demand it', async () => {
    gates([tokenGate()]);
    const request = await proposed(one);
    stage.rules([{ ...one, demands: [] }]);
    await stage.click(who, request, action);
    expect(await stage.becomes(request, 'succeeded')).not.toHaveProperty('decision.passed');
  });
});

it('an approver denies without the gate that the request demands', async () => {
  gates([tokenGate()]);
  const request = await proposed(approved);
  gates([]);
  expect(await stage.click('carol', request, 'deny')).toMatchObject({ state: 'refused' });
});

it('a change that would run at once waits, if its rule demands something', async () => {
  gates([tokenGate()]);
  const request = await proposed(rule('allow', { roles, confirmNever: true, demands: [token] }));
  expect(request.state).toBe('proposed');
  expect(stage.service.kicks).toEqual([]);
});

it('a click on a version that has changed since does nothing', async () => {
  const request = await proposed(rule('confirm', { roles }));
  expect(
    (await stage.refused('alice', request, 'confirm', { version: request.version + 1 })).message,
  ).toContain('The request has changed since you pressed the button.');
});
