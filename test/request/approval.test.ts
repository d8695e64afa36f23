import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { tellNotices } from '../due/notices.ts';
import { handleClick } from '../../src/request/click.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import { callerOf } from '../core.ts';
import { people, peopleDirectory } from '../people.ts';
import { token } from '../token-gate.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const { carol, lee, bob } = people;
const idOf = ({ team, user }: { team: string; user: string }) => ({ team, user });
const dan = 'dan on call';

describe('a request that awaits approval', () => {
  it('runs once enough others approved it, each once', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    expect(waiting).toMatchObject({
      state: 'awaiting approval',
      decision: { approvers: ['leads'], approvals: 2 },
    });

    expect(await stage.click('carol', waiting, 'approve')).toMatchObject({
      state: 'awaiting approval',
      approvals: [{ by: idOf(carol) }],
    });
    expect((await stage.refused('carol', waiting, 'approve')).message).toBe(
      "You've already approved. Someone else has to approve too. Nothing was done.",
    );
    expect(stage.service.kicks).toEqual([]);

    await stage.click(dan, waiting, 'approve');
    const ended = await stage.becomes(waiting, 'succeeded');
    expect(ended.approvals.map(({ by }) => by.user)).toEqual(['U0CAROL', 'U0DAN']);
    expect(stage.service.kicks).toEqual(['db-1']);
    expect(await stage.story(waiting)).toEqual([
      'proposed → awaiting approval by U0ALICE',
      'approved → awaiting approval by U0CAROL',
      expect.stringMatching(
        /^ignored click → awaiting approval by U0CAROL \(approve: You've already approved\./u,
      ),
      'approved → running by U0DAN',
      'started → running',
      'ended → succeeded',
    ]);
  });

  it('counts two who approve at the same moment', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await Promise.all([
      stage.click('carol', waiting, 'approve'),
      stage.another().click('lee', waiting, 'approve'),
    ]);
    await stage.becomes(waiting, 'succeeded');
    expect(stage.service.kicks).toEqual(['db-1']);
  });

  it('counts one person who clicks twice at the same moment once', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    const clicks = [1, 2, 3].map(() => stage.click('carol', waiting, 'approve'));
    const done = (await Promise.allSettled(clicks)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    expect(await stage.find(waiting)).toMatchObject({
      state: 'awaiting approval',
      approvals: [{ by: idOf(carol) }],
    });
  });

  it('is never approved by its requester, though a lead', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    const refused = await stage.refused('alice', waiting, 'approve');
    expect(refused.message).toBe(
      'This is your own request, so someone else has to approve it. Nothing was done.',
    );
    expect(refused).toMatchObject({ whoMay: { users: ['U0CAROL', 'U0LEE'], usergroups: ['S0ONCALL'] } });
    expect((await stage.refused('alice', waiting, 'deny')).message).toBe(
      'This is your own request; use Cancel instead. Nothing was done.',
    );
  });

  it('ends where an approver denies it, also one who approved before', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    const passes = { denial: { text: ' wait for the backup ' } };
    expect(await stage.click('carol', waiting, 'deny', { passes })).toMatchObject({
      state: 'refused',
      decidedBy: idOf(carol),
      note: 'Why: “wait for the backup”',
    });
    expect((await stage.refused('lee', waiting, 'approve')).message).toContain('already been refused');
    expect(stage.service.kicks).toEqual([]);
    expect((await stage.story(waiting)).slice(1, 3)).toEqual([
      'approved → awaiting approval by U0CAROL',
      'denied approval → refused by U0CAROL',
    ]);
  });

  it('that the rules deny later was not denied by a person', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    stage.rules([rule('deny', { operations: ['box.*'] })]);
    await stage.refused('carol', waiting, 'approve');
    expect(await stage.find(waiting)).toMatchObject({ state: 'refused' });
    expect(await stage.find(waiting)).not.toHaveProperty('decidedBy');
    const told = await tellNotices(stage.store, stage.clock.now());
    expect(told.map(({ kind }) => kind)).toEqual(['waiting', 'refused']);
  });

  it('is denied without a reason too, but not with a secret or a novel', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    for (const reason of ['the password is hunter2', 'long '.repeat(101)])
      expect(
        (await stage.refused('carol', waiting, 'deny', { passes: { denial: { text: reason } } })).code,
      ).toBe('bad-input');
    expect(
      await stage.click('carol', waiting, 'deny', { passes: { denial: { text: ' ' } } }),
    ).not.toHaveProperty('note');
  });

  it('asks an approver for the reason, no one else, and does nothing yet', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    const asks = { ...callerOf(people.carol), requestId: waiting.id, action: 'deny', passes: {} } as const;
    expect(await handleClick(stage.context, asks)).toMatchObject({
      kind: 'form',
      gate: 'denial',
      request: { state: 'awaiting approval' },
    });
    expect((await stage.refused('bob', waiting, 'deny', { passes: {} })).message).toBe(
      "You can't deny this. Nothing was done.",
    );
    await stage.click('alice', waiting, 'cancel');
    expect((await stage.refused('carol', waiting, 'deny', { passes: {} })).message).toContain(
      'already been cancelled',
    );
  });

  it('ends where its requester cancels it', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('alice', waiting, 'cancel');
    expect(await stage.find(waiting)).toMatchObject({ state: 'cancelled' });
  });

  it('needs as many approvals as the current rules require, from the people they name', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    const approve = { roles: ['responders'], approvers: ['partners'], approvals: 2 };
    stage.rulebook = {
      ...stage.rulebook,
      policy: {
        ...stage.rulebook.policy,
        roles: { ...stage.rulebook.policy.roles, partners: { users: ['U0BOB', 'U0LEE'], usergroups: [] } },
        rules: [rule('approve', approve)],
      },
    };
    const still = await stage.click('bob', waiting, 'approve');
    expect(still).toMatchObject({
      state: 'awaiting approval',
      approvals: [{ by: idOf(bob) }],
      decision: { approvers: ['partners'], approvals: 2 },
    });
    expect((await stage.refused(dan, waiting, 'approve')).message).toBe(
      "You can't approve this. Nothing was done.",
    );
    expect(await stage.click('lee', waiting, 'approve')).toMatchObject({
      state: 'running',
      approvals: [{ by: idOf(bob) }, { by: idOf(lee) }],
    });
    await stage.becomes(waiting, 'succeeded');
  });

  it('counts no approval without a touch of the token once the rules ask for one, and lets its person approve again', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', waiting, 'approve');
    const approve = { roles: ['responders'], approvers: ['leads'], approvals: 2, demands: [token] };
    stage.rules([rule('approve', approve)]);
    const as = async (person: typeof carol) => {
      const { version } = (await stage.find(waiting)) ?? { version: 0 };
      const click = { ...callerOf(idOf(person)), requestId: waiting.id, action: 'approve' } as const;
      return (
        await handleClick(stage.context, { ...click, passes: { token: { person: person.user } }, version })
      ).request;
    };
    expect(await as(lee)).toMatchObject({ state: 'awaiting approval', approvals: [{ by: idOf(lee) }] });
    const done = await as(carol);
    expect(done).toMatchObject({
      state: 'running',
      approvals: [
        { by: idOf(lee), passed: ['token'] },
        { by: idOf(carol), passed: ['token'] },
      ],
    });
    await stage.becomes(waiting, 'succeeded');
  });

  it('keeps asking for approval although the current rules ask only for a confirmation', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    stage.rules([rule('confirm', { roles: ['responders'] })]);
    expect(await stage.click('carol', waiting, 'approve')).toMatchObject({ state: 'awaiting approval' });
    expect(await stage.click('lee', waiting, 'approve')).toMatchObject({ state: 'running' });
    await stage.becomes(waiting, 'succeeded');
  });

  it('lets new approvers deny, not the old ones', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['anyone'] })]);
    expect(await stage.click('bob', waiting, 'deny')).toMatchObject({ state: 'refused' });
  });

  it('is skipped with break-glass by whom the rule names', async () => {
    const proposed = await stage.propose('lee', '/box kick db-1 --break-glass "fire in the rack"');
    expect(proposed).toMatchObject({
      state: 'proposed',
      breakGlass: 'fire in the rack',
      decision: { effect: 'confirm' },
    });
    await stage.click('lee', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
  });
});

const elsewhere = (user: string) => ({ actor: { team: 'T0OTHER', user } });

describe('one person with an id in two teams', () => {
  it('neither approves their own request nor approves twice', async () => {
    const { rulebook } = stage;
    const { roles } = rulebook.policy;
    const twice = { users: ['U0CAROL', 'U0LEE', 'T0OTHER/U0ALICE', 'T0OTHER/U0CAROL'], usergroups: [] };
    stage.rulebook = { ...rulebook, policy: { ...rulebook.policy, roles: { ...roles, leads: twice } } };
    const waiting = await stage.propose('alice', '/box kick db-1');
    for (const action of ['approve', 'deny'] as const) {
      const refused = await stage.refused('alice', waiting, action, elsewhere('U0ALICE'));
      expect(refused.message).toContain('This is your own request');
    }
    await stage.click('carol', waiting, 'approve');
    expect((await stage.refused('carol', waiting, 'approve', elsewhere('U0CAROL'))).message).toBe(
      "You've already approved. Someone else has to approve too. Nothing was done.",
    );
    expect(await stage.find(waiting)).toMatchObject({ state: 'awaiting approval' });
  });
});

it('an approval of an account that was deactivated since does not count', async () => {
  const waiting = await stage.propose('alice', '/box kick db-1');
  await stage.click('carol', waiting, 'approve');
  const closed = { ...idOf(carol), fullMember: false, guest: false, active: false, timeZone: 'UTC' };
  const before = peopleDirectory.person.bind(peopleDirectory);
  const directory = vi
    .spyOn(peopleDirectory, 'person')
    .mockImplementation((actor) => (actor.user === carol.user ? Promise.resolve(closed) : before(actor)));
  try {
    expect(await stage.click(dan, waiting, 'approve')).toMatchObject({ state: 'awaiting approval' });
    expect(stage.service.kicks).toEqual([]);
  } finally {
    directory.mockRestore();
  }
});

describe('where someone cannot be looked up', () => {
  it('a confirmation runs nothing and leaves the request as it is', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    stage.rules([rule('confirm', { roles: ['night'] })]);
    expect((await stage.refused('alice', proposed, 'confirm')).message).toBe(
      "Not run. Rule 1 is for “night”, whose members can't be looked up right now. Slack may be down. Click again in a minute.",
    );
    expect(await stage.find(proposed)).toMatchObject({ state: 'proposed' });
    stage.rules([rule('confirm', { roles: ['responders'] })]);
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
  });

  it.each(['approve', 'deny'] as const)('they %s nothing, and get a message that says so', async (action) => {
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['night'] })]);
    const waiting = await stage.propose('alice', '/box kick web-1');
    expect((await stage.refused('bob', waiting, action)).message).toBe(
      "Bellhop can't look up your roles in Slack right now (“night”). Slack may be down. Try again in a minute. If it keeps failing, contact the Bellhop admin. Nothing was done.",
    );
    expect(await stage.find(waiting)).toMatchObject({ state: 'awaiting approval' });
    await stage.click('lee', waiting, action);
  });

  it('their earlier approval is neither counted nor dropped', async () => {
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['leads'], approvals: 2 })]);
    const waiting = await stage.propose('alice', '/box kick web-1');
    await stage.click('carol', waiting, 'approve');
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['night'], approvals: 2 })]);
    expect((await stage.refused('lee', waiting, 'approve')).message).toBe(
      "Bellhop can't verify the earlier approvals right now. Click again in a minute. Nothing was done.",
    );
    expect(await stage.find(waiting)).toMatchObject({
      state: 'awaiting approval',
      approvals: [{ by: idOf(carol) }],
    });
  });
});
