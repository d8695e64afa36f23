import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Rule } from '../../src/model/rulebook/rulebook.ts';
import { createApproversHandler } from '../../src/request/further-approvers.ts';
import { sweep } from '../due/sweep.ts';
import { tellNotices } from '../due/notices.ts';
import { mortal } from '../run/killable-store.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import { dueKind } from '../../src/model/records/due.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
  const { policy } = stage.rulebook;
  const roles = {
    ...policy.roles,
    leads: { users: ['U0CAROL'], usergroups: [] },
    managers: { users: ['U0BOB'], usergroups: [] },
    directors: { users: [], usergroups: ['S0ONCALL'] },
  };
  stage.rulebook = { ...stage.rulebook, policy: { ...policy, roles } };
  stage.rules([approve()]);
});
afterEach(() => stage.close());

const minute = 60_000;
const dan = 'dan on call';
const managers = { after: '10m', afterMs: 10 * minute, roles: ['managers'] };
const directors = { after: '12m', afterMs: 12 * minute, roles: ['directors'] };

function approve(more: Partial<Rule> = {}): Rule {
  const usual = { roles: ['responders'], approvers: ['leads'], approversAfter: [managers, directors] };
  return rule('approve', { ...usual, ...more });
}

/** The people whom the due notices ask to approve. */
async function asked(): Promise<readonly (readonly string[] | undefined)[]> {
  const told = await tellNotices(stage.store, stage.clock.now());
  return told.filter(({ kind }) => kind === 'further').map(({ roles }) => roles);
}

const additions = async (request: { readonly id: string }) =>
  (await stage.story(request)).filter((line) => line.startsWith('approvers added'));

describe('a request that waits too long for an approval', () => {
  it('may be approved by further roles from their time on, with one notice and one entry', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    const createdAt = stage.clock.now();
    await stage.clock.advance(10 * minute - 1);
    await sweep(stage.context);
    expect((await stage.refused('bob', waiting, 'approve')).message).toContain("can't approve this");
    expect([await asked(), await additions(waiting)]).toEqual([[], []]);

    await stage.clock.advance(1);
    await Promise.all([sweep(stage.context), sweep(stage.another().context), sweep(stage.context)]);
    expect(await asked()).toEqual([['managers']]);
    expect(await additions(waiting)).toEqual([
      'approvers added → awaiting approval (managers can now approve, too)',
    ]);
    expect((await stage.refused(dan, waiting, 'approve')).message).toContain("can't approve this");
    expect((await stage.find(waiting)).decision.later).toEqual([
      { at: createdAt + 10 * minute, roles: ['managers'], since: stage.clock.now() },
      { at: createdAt + 12 * minute, roles: ['directors'] },
    ]);
    expect(await stage.click('bob', waiting, 'approve')).toMatchObject({ state: 'running' });
    await stage.becomes(waiting, 'succeeded');
  });

  it('asks no one before the time, though it is looked at after the clock was set back', async () => {
    const { id: key } = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(9 * minute);
    const due = { kind: dueKind('approvers'), key, version: 1, since: 0, claimedAt: 0, tries: 1 };
    expect(await createApproversHandler(stage.context).handle(due)).toEqual({ againIn: minute });
    expect(await stage.find({ id: key })).toMatchObject({ version: 1 });
  });

  it('asks the next ones at their own time, as groups of Slack are looked up', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(10 * minute);
    await sweep(stage.context);
    await asked();
    await stage.clock.advance(2 * minute);
    await sweep(stage.context);
    expect(await asked()).toEqual([['directors']]);
    expect(await additions(waiting)).toHaveLength(2);
    expect(await stage.click(dan, waiting, 'approve')).toMatchObject({ state: 'running' });
    await stage.becomes(waiting, 'succeeded');
  });

  it('asks all at once who should have been asked while no process ran', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(13 * minute);
    await sweep(stage.another().context);
    expect(await asked()).toEqual([['managers', 'directors']]);
    expect(await additions(waiting)).toHaveLength(1);
  });

  it('asks them once though the process that begins it is killed', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(10 * minute);
    const first = mortal(stage.store);
    const dying = stage.another({
      ...first.store,
      advance() {
        first.die();
        return new Promise(() => undefined);
      },
    });
    void sweep(dying.context);
    await expect.poll(async () => (await stage.find(waiting)).version).toBe(1);
    // Until the claim of the dead one is over.
    await stage.clock.advance(31_000);
    await Promise.all([sweep(stage.context), sweep(stage.another().context)]);
    expect(await asked()).toEqual([['managers']]);
    expect(await additions(waiting)).toHaveLength(1);
  });

  it('keeps the time when a part of the approvals has come', async () => {
    stage.rules([approve({ approvals: 2 })]);
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(9 * minute);
    await stage.click('carol', waiting, 'approve');
    await stage.clock.advance(minute);
    await sweep(stage.context);
    expect(await asked()).toEqual([['managers']]);
    expect(await stage.click('bob', waiting, 'approve')).toMatchObject({ state: 'running' });
    await stage.becomes(waiting, 'succeeded');
  });

  it.each([
    ['cancelled', (request: Waiting) => stage.click('alice', request, 'cancel')],
    ['denied', (request: Waiting) => stage.click('carol', request, 'deny')],
    ['approved', (request: Waiting) => stage.click('carol', request, 'approve')],
  ])('asks no one once it was %s', async (_, end) => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await end(waiting);
    await stage.clock.advance(10 * minute);
    await sweep(stage.context);
    expect([await asked(), await additions(waiting)]).toEqual([[], []]);
  });

  it('asks no one once it has expired', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(15 * minute);
    await Promise.all([sweep(stage.context), sweep(stage.another().context)]);
    expect(await stage.find(waiting)).toMatchObject({ state: 'expired' });
    expect([await asked(), await additions(waiting)]).toEqual([[], []]);
  });

  it('is not approved by roles that the rules name only since it waits', async () => {
    stage.rules([approve({ approversAfter: [] })]);
    const waiting = await stage.propose('alice', '/box kick db-1');
    stage.rules([approve()]);
    await stage.clock.advance(11 * minute);
    await sweep(stage.context);
    expect(await asked()).toEqual([]);
    expect((await stage.refused('bob', waiting, 'approve')).message).toContain("can't approve this");
  });

  it('is not approved by roles that the rules no longer name', async () => {
    const waiting = await stage.propose('alice', '/box kick db-1');
    await stage.clock.advance(10 * minute);
    await sweep(stage.context);
    stage.rules([approve({ approversAfter: [directors] })]);
    expect((await stage.refused('bob', waiting, 'approve')).message).toContain("can't approve this");
    stage.rules([approve()]);
    expect((await stage.refused('alice', waiting, 'approve')).message).toContain('own request');
    expect(await stage.click('bob', waiting, 'deny')).toMatchObject({ state: 'refused' });
  });
});

type Waiting = Awaited<ReturnType<BoxStage['propose']>>;
