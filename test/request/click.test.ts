import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { handleClick } from '../../src/request/click.ts';
import { LostRaceError, isDoubleClick } from '../../src/request/steps/step.ts';
import type { Store } from '../../src/store/store.ts';
import { openBoxes, rule, type BoxStage } from '../run/sample-boxes.ts';
import { people } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const idOf = ({ team, user }: { team: string; user: string }) => ({ team, user });

describe('a request to be confirmed', () => {
  it('runs once its requester confirms it, and all of it is on record', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1 --reason "it hangs"');
    expect(proposed).toMatchObject({
      state: 'proposed',
      requester: idOf(people.alice),
      reason: 'it hangs',
      words: '/box kick web-1 --reason "it hangs"',
      preview: [
        { label: 'Sends', value: 'KICK id-1', isCall: true },
        { label: 'Effect', value: 'web-1 will be kicked.', isEffect: true },
      ],
      decision: { effect: 'confirm', rule: 'rule 4' },
    });
    expect(stage.service.kicks).toEqual([]);

    expect(await stage.click('alice', proposed, 'confirm')).toMatchObject({ state: 'running' });
    const ended = await stage.becomes(proposed, 'succeeded');

    expect(stage.service.kicks).toEqual(['web-1']);
    expect(ended).toMatchObject({
      decidedBy: idOf(people.alice),
      outcome: { report: { title: 'web-1 was kicked', headline: 'web-1 moved' } },
    });
    expect(stage.shown.map(({ state }) => state)).toEqual(['proposed', 'running', 'succeeded']);
    expect(await stage.story(proposed)).toEqual([
      'proposed → proposed by U0ALICE',
      'confirmed → running by U0ALICE',
      'started → running',
      'ended → succeeded',
    ]);
  });

  it('ends where its requester cancels it', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    expect(await stage.click('alice', proposed, 'cancel')).toMatchObject({
      state: 'cancelled',
      decidedBy: idOf(people.alice),
    });
    expect(stage.service.kicks).toEqual([]);
  });

  it('asks for the name of its target where a rule wants that typed', async () => {
    stage.rules([rule('confirm', { roles: ['responders'], typeName: true })]);
    const proposed = await stage.propose('alice', '/box kick web-1');
    const click = {
      ...proposed,
      requestId: proposed.id,
      action: 'confirm',
      actor: idOf(people.alice),
    } as const;
    expect(await handleClick(stage.context, click)).toMatchObject({ kind: 'form', gate: 'type-name' });
    expect(
      (await stage.refused('alice', proposed, 'confirm', { passes: { 'type-name': { text: 'web-2' } } }))
        .message,
    ).toBe('The name does not match “web-1”. Nothing was run.');
    await stage.click('alice', proposed, 'confirm', { passes: { 'type-name': { text: ' web-1 ' } } });
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('runs once where its button is clicked twice at once', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    const [one, other] = await Promise.allSettled([
      stage.click('alice', proposed, 'confirm'),
      stage.click('alice', proposed, 'confirm'),
    ]);
    expect([one?.status, other?.status].toSorted()).toEqual(['fulfilled', 'rejected']);
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('tells a double click from a late click, another button and another person', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', proposed, 'confirm');
    const clicked = await stage.becomes(proposed, 'succeeded');
    const actor = clicked.requester;
    const at = clicked.decidedAt ?? Number.NaN;
    const other = { ...actor, user: 'U0BOB' };
    expect(isDoubleClick(clicked, { actor, action: 'confirm' }, at + 1_999)).toBe(true);
    expect(isDoubleClick(clicked, { actor, action: 'confirm' }, at + 2_000)).toBe(false);
    expect(isDoubleClick(clicked, { actor, action: 'cancel' }, at + 1)).toBe(false);
    expect(isDoubleClick(clicked, { actor: other, action: 'confirm' }, at + 1)).toBe(false);
    const cancelled = { ...clicked, state: 'cancelled', startedAt: undefined } as const;
    expect(isDoubleClick(cancelled, { actor, action: 'cancel' }, at + 1)).toBe(true);
    expect(isDoubleClick(cancelled, { actor, action: 'confirm' }, at + 1)).toBe(false);
  });

  it('runs once where it is clicked a hundred times at once in five processes, and every click is on record', async () => {
    const processes = [stage, ...Array.from({ length: 4 }, () => stage.another())];
    const proposed = await stage.propose('alice', '/box kick web-1');
    const clicks = processes.flatMap((process) =>
      Array.from({ length: 20 }, () => process.click('alice', proposed, 'confirm')),
    );
    const done = (await Promise.allSettled(clicks)).filter(({ status }) => status === 'fulfilled');
    expect(done).toHaveLength(1);
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
    const story = await stage.story(proposed);
    expect(story.filter((line) => line.startsWith('started'))).toHaveLength(1);
    expect(story.filter((line) => line.startsWith('ignored click'))).toHaveLength(99);
  });

  it('either runs or is cancelled where both are clicked at once', async () => {
    const requests = ['/box kick web-1', '/box kick web-2', '/box shove web-1'];
    for (const [index, typed] of requests.entries()) {
      const proposed = await stage.propose('alice', typed);
      const before = stage.service.kicks.length;
      await Promise.allSettled(
        (index % 2 ? (['confirm', 'cancel'] as const) : (['cancel', 'confirm'] as const)).map((action) =>
          stage.click('alice', proposed, action),
        ),
      );
      const { state } = await stage.find(proposed);
      await stage.becomes(proposed, state === 'cancelled' ? 'cancelled' : 'succeeded');
      expect(stage.service.kicks.length - before).toBe(state === 'cancelled' ? 0 : 1);
    }
  });

  it('waits for approval if the current rules require it', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    stage.rules([rule('approve', { roles: ['responders'], approvers: ['leads'], approvals: 1 })]);
    const waiting = await stage.click('alice', proposed, 'confirm');
    expect(waiting).toMatchObject({
      state: 'awaiting approval',
      note: 'Rule 1. The change now needs approval.',
      decision: { effect: 'approve', rule: 'rule 1', approvers: ['leads'], approvals: 1 },
    });
    expect(stage.service.kicks).toEqual([]);
    await stage.click('carol', waiting, 'approve');
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });
});

describe('the audit of a click', () => {
  it('says where it was clicked, not where the command was typed', async () => {
    const place = { team: 'T0LOCAL', channel: 'D0HOME' };
    const run = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', run, 'confirm', { place });
    await stage.becomes(run, 'succeeded');
    const approved = await stage.propose('alice', '/box kick db-1');
    await stage.click('carol', approved, 'approve', { place });
    await stage.click('lee', approved, 'deny', { place });
    const entries = await stage.store.audit({ limit: 100 });
    const where = Object.fromEntries(entries.map((entry) => [entry.event, entry.place?.channel]));
    expect(where).toEqual({
      proposed: 'C0OPS',
      confirmed: 'D0HOME',
      started: 'C0OPS',
      ended: 'C0OPS',
      approved: 'D0HOME',
      'denied approval': 'D0HOME',
    });
  });

  it.each([
    [' wait for the backup ', 'wait for the backup'],
    ['', undefined],
  ])('gives the reason of a denial with “%s”, not of the request', async (reason, recorded) => {
    const waiting = await stage.propose('alice', '/box kick db-1 --reason "it hangs"');
    await stage.click('carol', waiting, 'deny', { passes: { denial: { text: reason } } });
    const [entry] = await stage.store.audit({ requestId: waiting.id, limit: 1 });
    expect([entry?.event, entry?.reason, entry?.note]).toEqual(['denied approval', recorded, undefined]);
  });
});

describe('a mistake of ours while a click is judged again', () => {
  it('is reported as one, and leaves the request as it is', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    const { rulebook } = stage;
    const broken = new TypeError('instances is not what it was');
    const inventory = {
      ...rulebook.inventory,
      get instances(): never {
        throw broken;
      },
    };
    stage.rulebook = { ...rulebook, inventory };
    await expect(stage.click('alice', proposed, 'confirm')).rejects.toBe(broken);
    stage.rulebook = rulebook;
    expect(await stage.find(proposed)).toMatchObject({ state: 'proposed' });
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
  });
});

const whereRunningIsNeverWon = (store: Store): Store => ({
  ...store,
  advance: (step) => (step.to === 'running' ? Promise.resolve(undefined) : store.advance(step)),
});

describe('a click that keeps losing', () => {
  it('gives up with the state of the request', async () => {
    const losing = await openBoxes(whereRunningIsNeverWon);
    const proposed = await losing.propose('alice', '/box kick web-1');
    const error = await losing.refused('alice', proposed, 'confirm');
    expect(error).not.toBeInstanceOf(LostRaceError);
    expect(error.message).toBe(
      'The request for web-1 is proposed, not confirmed yet. This click did nothing.',
    );
    await losing.close();
  });
});
