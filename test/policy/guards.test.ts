import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { findInstance } from '../../src/command/inventory.ts';
import { settleByHand } from '../../src/request/outcome/settle-by-hand.ts';
import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import type { Guard } from '../../src/model/rulebook/rulebook.ts';
import { callerOf } from '../core.ts';
import { openBoxes, type BoxStage } from '../run/sample-boxes.ts';
import { people, type Who } from '../people.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
  guardWith({});
});
afterEach(() => stage.close());

function guardWith(more: Partial<Guard>): void {
  const guard = { labels: { env: 'staging' }, keep: 1, approvers: ['leads'], ...more };
  stage.rulebook = { ...stage.rulebook, guards: [guard] };
}

/** Makes these boxes run. All others are known not to run. */
const running = (...boxes: readonly string[]): void => {
  stage.service.runs = (box) => Promise.resolve(boxes.includes(box));
};

/** A process that finds this many changes of the group, all of which failed a moment ago. */
function withStarts(count: number): BoxStage {
  const start = {
    id: 'r-1',
    state: 'failed' as const,
    operation: 'box.kick',
    target: findInstance(stage.rulebook.inventory, 'web-2'),
    requester: people.lee,
    startedAt: stage.clock.now(),
  };
  const starts = Array.from({ length: count }, () => start);
  const other = stage.another({ ...stage.store, started: () => Promise.resolve(starts) });
  other.rulebook = stage.rulebook;
  return other;
}

describe('a guard', () => {
  it('lets a member go while enough others run', async () => {
    expect(await stage.propose('alice', '/box kick web-1')).toMatchObject({ state: 'proposed' });
  });

  it('requires an approval if it is the last that runs', async () => {
    running('web-1');
    const request = await stage.propose('alice', '/box kick web-1');
    expect(request).toMatchObject({
      state: 'awaiting approval',
      note: 'web-1 is the last env=staging instance known to be running, and 1 must stay up.',
      decision: { effect: 'approve', rule: 'guard 1', approvers: ['leads'], approvals: 1 },
    });
    expect(await stage.click('carol', request, 'approve')).toMatchObject({ state: 'running' });
    await stage.becomes(request, 'succeeded');
  });

  it('requires an approval where more are to be left than there are', async () => {
    guardWith({ keep: 2 });
    expect(await stage.propose('alice', '/box kick web-1')).toMatchObject({ decision: { rule: 'guard 1' } });
  });

  it('requires an approval where more changes were started than it looks through', async () => {
    expect(await withStarts(999).propose('alice', '/box kick web-1')).toMatchObject({ state: 'proposed' });
    expect(await withStarts(1000).propose('alice', '/box kick web-1')).toMatchObject({
      note: "Bellhop can't tell how many other env=staging instances are running, and 1 must stay up.",
      decision: { rule: 'guard 1' },
    });
  });

  it('requires an approval where a member cannot be read', async () => {
    stage.service.runs = () => Promise.resolve(undefined);
    expect(await stage.propose('alice', '/box kick web-1')).toMatchObject({ decision: { rule: 'guard 1' } });
  });

  it('does not take a mistake of ours for a member that does not run', async () => {
    const { rulebook } = stage;
    const broken = new TypeError('labels is not what it was');
    const member = {
      id: 'id-9',
      get labels(): never {
        throw broken;
      },
    };
    const instances = { ...rulebook.inventory.instances, 'web-3': member };
    stage.rulebook = { ...rulebook, inventory: { ...rulebook.inventory, instances } };
    running();
    await expect(stage.propose('alice', '/box kick web-1')).rejects.toBe(broken);
  });

  it('requires an approval if the service offers no reading, and does not try', async () => {
    stage.rulebook = { ...stage.rulebook, extensions: [] };
    stage.service.runs = () => Promise.reject(new Error('was read'));
    expect(await stage.propose('alice', '/box kick web-1')).toMatchObject({ decision: { rule: 'guard 1' } });
  });

  it('affects neither other targets nor changes that take no member away', async () => {
    running();
    expect(await stage.propose('alice', '/box shove web-1')).toMatchObject({ state: 'proposed' });
    guardWith({ labels: { env: 'elsewhere' } });
    expect(await stage.propose('alice', '/box kick web-2')).toMatchObject({ state: 'proposed' });
  });

  it('counts a change that a person settled as failed, and lets another person than its requester do that', async () => {
    stage.service.kick = () =>
      Promise.reject(new ServiceError('unknown-outcome', 'lost', { method: 'KICK', path: '/' }));
    const first = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', first, 'confirm');
    await stage.becomes(first, 'unknown');
    const settle = (who: Who) =>
      settleByHand(stage.context, callerOf(people[who]), first.id, { state: 'failed', reason: 'it is up' });
    await expect(settle('alice')).rejects.toThrow(
      'A guard depends on web-1, so someone else has to settle your change as failed. Nothing was done.',
    );
    expect(await settle('carol')).toMatchObject({ state: 'failed' });
    const last = await stage.propose('alice', '/box kick web-2');
    expect(last).toMatchObject({ decision: { rule: 'guard 1' } });
    await stage.click('alice', last, 'cancel');
    await stage.clock.advance(5 * 60_000);
    expect(await stage.propose('alice', '/box kick web-2')).toMatchObject({ state: 'proposed' });
  });

  it('keeps the approvers of a rule that asks for approval anyway, and yields to broken glass', async () => {
    guardWith({ labels: { env: 'production' }, approvers: ['responders'] });
    expect(await stage.propose('alice', '/box kick db-1')).toMatchObject({
      decision: { rule: 'rule 2', approvers: ['leads'], approvals: 2 },
    });
    const other = await openBoxes();
    other.rulebook = stage.rulebook;
    const broken = await other.propose('lee', '/box kick db-1 --break-glass fire');
    expect(broken).toMatchObject({ state: 'proposed', decision: { effect: 'confirm', rule: 'rule 2' } });
    await other.close();
  });

  it('is shown on the card and in the review, if an approval is required or skipped anyway', async () => {
    guardWith({ labels: { env: 'production' } });
    const note = 'db-1 is the last env=production instance known to be running, and 1 must stay up.';
    const broken = await stage.propose('lee', '/box kick db-1 --break-glass fire');
    expect(broken).toMatchObject({ state: 'proposed', note });
    expect(await stage.click('lee', broken, 'confirm')).toMatchObject({ state: 'running', note });
    expect(await stage.find(broken)).toMatchObject({ review: { rule: 'rule 2', note } });
    await stage.becomes(broken, 'succeeded');
    expect(await stage.propose('alice', '/box kick db-1')).toMatchObject({
      state: 'awaiting approval',
      note,
    });
  });

  it('does not count a member that was taken away minutes ago, though it still looks well', async () => {
    const first = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', first, 'confirm');
    await stage.becomes(first, 'succeeded');
    const second = await stage.propose('alice', '/box kick web-2');
    expect(second).toMatchObject({ decision: { rule: 'guard 1' } });
    await stage.click('alice', second, 'cancel');
    await stage.clock.advance(5 * 60_000);
    expect(await stage.propose('alice', '/box kick web-2')).toMatchObject({ decision: { rule: 'rule 4' } });
  });

  it('counts a member whose change takes nothing away', async () => {
    const first = await stage.propose('alice', '/box shove web-1');
    await stage.click('alice', first, 'confirm');
    await stage.becomes(first, 'succeeded');
    expect(await stage.propose('alice', '/box kick web-2')).toMatchObject({ decision: { rule: 'rule 4' } });
  });

  it('reads all members at once, and waits 2 seconds for them, no longer', async () => {
    const instances = {
      ...stage.rulebook.inventory.instances,
      'web-3': { id: 'id-5', labels: { env: 'staging' } },
    };
    stage.rulebook = { ...stage.rulebook, inventory: { ...stage.rulebook.inventory, instances } };
    const read: string[] = [];
    stage.service.runs = (box) => {
      read.push(box);
      return new Promise(() => undefined);
    };
    const waited = stage.clock.waiting();
    const proposed = stage.propose('alice', '/box kick web-1');
    while (stage.clock.waiting() === waited) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
    expect(read).toEqual(['web-2', 'web-3']);
    await stage.clock.advance(2000);
    expect(await proposed).toMatchObject({ decision: { rule: 'guard 1' } });
  });

  it('is judged again on the press: who was one of two may be the last by now', async () => {
    const request = await stage.propose('alice', '/box kick web-1');
    running('web-1');
    const waiting = await stage.click('alice', request, 'confirm');
    expect(waiting).toMatchObject({
      state: 'awaiting approval',
      note: 'web-1 is the last env=staging instance known to be running, and 1 must stay up. The change now needs approval.',
    });
    expect(stage.service.kicks).toEqual([]);
  });

  it('does not count a member whose change runs or got lost, though it still looks well', async () => {
    const kicked = Promise.withResolvers<string>();
    stage.service.kick = () => kicked.promise;
    const first = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', first, 'confirm');
    expect(await stage.propose('lee', '/box kick web-2')).toMatchObject({ decision: { rule: 'guard 1' } });
    stage.service.look = () => Promise.resolve(undefined);
    kicked.reject(new BellhopError('unknown-outcome', 'No answer.'));
    await stage.becomes(first, 'unknown');
    expect(await stage.propose('lee', '/box kick web-2')).toMatchObject({ decision: { rule: 'guard 1' } });
  });

  it('is kept if the last two are confirmed at the same moment, by two processes', async () => {
    const another = stage.another();
    another.rulebook = stage.rulebook;
    stage.service.kick = () => new Promise(() => undefined);
    const requests = await Promise.all([
      stage.propose('alice', '/box kick web-1'),
      another.propose('lee', '/box kick web-2'),
    ]);
    const came = await Promise.all([
      stage.click('alice', requests[0], 'confirm'),
      another.click('lee', requests[1], 'confirm'),
    ]);
    expect(came.map(({ state }) => state).toSorted()).toEqual(['awaiting approval', 'running']);
  });
});
