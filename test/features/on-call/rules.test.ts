import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { DeniedError } from '../../../src/policy/denied.ts';
import type { Rule, Source } from '../../../src/model/rulebook/rulebook.ts';
import { rule, type BoxStage } from '../../run/sample-boxes.ts';
import type { Who } from '../../people.ts';
import { openBoxesOnCall, scheduleOf } from './on-call-stage.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxesOnCall();
});
afterEach(() => stage.close());

/** Staging is for anyone who is on call; production too, with the approval of a lead. */
function useRules(schedule: 'primary' | 'silent', ...rules: readonly Rule[]): void {
  const { rulebook } = stage;
  const { policy } = rulebook;
  stage.rulebook = {
    ...rulebook,
    policy: {
      ...policy,
      roles: { ...policy.roles, oncall: { users: [], usergroups: [], sources: [scheduleOf(schedule)] } },
      rules: [
        ...rules,
        rule('confirm', { name: 'on call', labels: { env: 'staging' }, roles: ['oncall'] }),
        rule('approve', {
          labels: { env: 'staging' },
          roles: ['responders'],
          approvers: ['leads'],
          breakGlass: ['leads'],
        }),
      ],
    },
  };
}

async function denial(who: Who, typed = '/box kick web-1'): Promise<DeniedError> {
  const error: unknown = await stage.propose(who, typed).catch((thrown: unknown) => thrown);
  if (error instanceof DeniedError) return error;
  throw new Error(`${who} was not denied`, { cause: error });
}

const lastEntry = async () => (await stage.store.audit({ limit: 1 }))[0];

const answered = Date.parse('2026-11-21T02:59:00Z');

describe('a role of the person on call', () => {
  it('is held by them, and the audit log says by which answer', async () => {
    useRules('primary');
    const proposed = await stage.propose('bob', '/box kick web-1');
    expect(proposed).toMatchObject({ state: 'proposed', decision: { rule: 'rule “on call”' } });
    expect(await lastEntry()).toMatchObject({
      event: 'proposed',
      onCall: [{ schedule: 'primary', held: 'held', at: answered }],
    });
    await stage.click('bob', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
    const entries = await stage.store.audit({ requestId: proposed.id, limit: 10 });
    expect(entries.find(({ event }) => event === 'confirmed')).toHaveProperty('onCall', [
      { schedule: 'primary', held: 'held', at: answered },
    ]);
  });

  it('is held by no one else, and others learn who is on call', async () => {
    useRules('primary');
    const { message, whoMay } = await denial('lee');
    expect(message).toBe('You have no role that may kick web-1. Nothing was done.');
    expect(whoMay.sources).toMatchObject([{ source: 'primary', people: [{ user: 'U0BOB' }, {}, {}] }]);
    expect(await lastEntry()).toMatchObject({
      event: 'denied',
      onCall: [
        { schedule: 'primary', held: 'not held', at: answered, users: ['U0BOB', 'U0GRETA', 'U0ALICE'] },
      ],
    });
  });

  it.each<Who>(['greta, a guest on call', "another team's user with alice's id", 'ulla, unknown now'])(
    'is not held by %s',
    async (who) => {
      useRules('primary');
      expect((await denial(who)).message).toMatch(
        /^You have no role that may kick web-1|^Bellhop (?:can't|takes commands only from)/u,
      );
    },
  );

  it('is not logged if another role decides', async () => {
    useRules('primary', rule('confirm', { labels: { env: 'staging' }, roles: ['leads'] }));
    await stage.propose('carol', '/box kick web-2');
    expect(await lastEntry()).not.toHaveProperty('onCall');
  });

  it('approves, and the audit log says by which answer', async () => {
    useRules(
      'primary',
      rule('approve', {
        labels: { env: 'production' },
        roles: ['leads'],
        approvers: ['oncall'],
        approvals: 2,
      }),
    );
    const waiting = await stage.propose('carol', '/box kick db-1');
    await stage.click('bob', waiting, 'approve');
    expect(await lastEntry()).toMatchObject({
      event: 'approved',
      onCall: [{ schedule: 'primary', held: 'held', at: answered }],
    });
    useRules('silent', ...stage.rulebook.policy.rules.slice(0, 1));
    expect((await stage.refused('lee', waiting, 'approve')).message).toBe(
      "You can't approve this. Nothing was done.",
    );
  });
});

describe('while the schedule does not answer', () => {
  it('no one holds the role: the denial says so, and who may break the glass', async () => {
    useRules('silent');
    const { message, whoMay, retryable } = await denial('bob');
    expect(message).toBe(
      "You can't kick web-1. No rule allows it. The schedule silent can't be read right now, so Bellhop can't tell who is on call. Nothing was done.",
    );
    expect(retryable).toBe(true);
    expect(whoMay).toMatchObject({
      sources: [{ source: 'silent', problem: { text: 'answered 503' } }],
      breakGlass: ['leads'],
    });
    expect(await lastEntry()).toHaveProperty('onCall', [
      { schedule: 'silent', held: 'unknown', at: answered },
    ]);
  });

  it('other people may what they may otherwise, break-glass with it', async () => {
    useRules('silent');
    expect(await stage.propose('alice', '/box kick web-1')).toMatchObject({
      state: 'awaiting approval',
      decision: { approvers: ['leads'] },
    });
    expect(await stage.propose('alice', '/box kick web-2 --break-glass "it burns"')).toMatchObject({
      state: 'proposed',
    });
  });

  it('what is denied to the person who is on call is denied to everyone', async () => {
    useRules(
      'silent',
      rule('deny', { name: 'not on call', labels: { env: 'staging' }, roles: ['oncall'] }),
      rule('confirm', { labels: { env: 'staging' }, roles: ['anyone'] }),
    );
    expect((await denial('lee')).message).toMatch(/Rule “not on call” denies it to “oncall”, whose members/u);
  });

  it('what is denied to the person who is on call is denied to everyone, too, if one of them is not found in Slack', async () => {
    const { directory } = stage.context;
    const membersOf = (source: Source) => ({
      ...directory.membersOf(source),
      unmatched: ['eve@example.com'],
    });
    Object.assign(stage.context, { directory: { ...directory, membersOf } });
    useRules(
      'primary',
      rule('deny', { name: 'not on call', labels: { env: 'staging' }, roles: ['oncall'] }),
      rule('confirm', { labels: { env: 'staging' }, roles: ['anyone'] }),
    );
    expect((await denial('lee')).message).toMatch(/Rule “not on call” denies it to “oncall”, whose members/u);
  });

  it('a request of theirs stays open, and can be confirmed once it answers', async () => {
    useRules('primary');
    const proposed = await stage.propose('bob', '/box kick web-1');
    useRules('silent');
    expect((await stage.refused('bob', proposed, 'confirm')).message).toMatch(
      /^Not run\. .*silent can't be read right now, so Bellhop can't tell who is on call\. Click again in a minute\.$/u,
    );
    expect((await stage.find(proposed)).state).toBe('proposed');
    useRules('primary');
    await stage.click('bob', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
  });

  it('an approval of theirs is neither counted nor dropped', async () => {
    const approving = rule('approve', {
      labels: { env: 'production' },
      roles: ['leads'],
      approvers: ['oncall', 'leads'],
      approvals: 2,
    });
    useRules('primary', approving);
    const waiting = await stage.propose('carol', '/box kick db-1');
    await stage.click('bob', waiting, 'approve');
    useRules('silent', approving);
    expect((await stage.refused('alice', waiting, 'approve')).code).toBe('busy');
    useRules('primary', approving);
    await stage.click('alice', waiting, 'approve');
    await stage.becomes(waiting, 'succeeded');
  });
});
