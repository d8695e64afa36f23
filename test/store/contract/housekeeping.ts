import { describe, expect, it } from 'vitest';

import type { DeliveryHold } from '../../../src/model/outbox.ts';
import { aDraft, aStep } from '../sample-request.ts';
import { expectIntact, idsOf, type Opened, proposed, entryCount, sealAll } from './opened.ts';

const held = (by: string): DeliveryHold => ({
  by,
  until: 1200,
  waiting: { actor: { team: 'T0LOCAL', user: 'U0ALICE' }, channel: 'C0OPS', what: '/cloud', at: 1000 },
});

export function housekeepingContract(stores: () => Opened): void {
  describe('a delivery', () => {
    it('is first once, on one replica, until its life is over', async () => {
      const { one, other } = stores();
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => (index % 2 ? one : other).claimOnce('Ev1', 1000, 900)),
      );
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await one.claimOnce('Ev2', 1000, 900)).toBe(true);
      expect(await other.claimOnce('Ev1', 1899, 900)).toBe(false);
      expect(await other.claimOnce('Ev1', 1900, 900)).toBe(true);
      expect(await one.claimOnce('Ev1', 1901, 900)).toBe(false);
    });

    it('is first again for its own holder, whose answer got lost, and for nobody else', async () => {
      const { one, other } = stores();
      expect(await one.claimOnce('Ev1', 1000, 900, held('me'))).toBe(true);
      expect(await one.claimOnce('Ev1', 1001, 900, held('me'))).toBe(true);
      expect(await other.claimOnce('Ev1', 1001, 900, held('another'))).toBe(false);
    });

    it('is held and closed together with any number of others', async () => {
      const { one } = stores();
      await one.claimOnce('last', 1000, 900, held('last'));
      const keys = [...Array.from({ length: 70_000 }, (_, index) => `k${index}`), 'last'];
      await one.holdDeliveries(keys, 1300);
      expect(await one.claimOrphanedDeliveries(1299, 50, 10)).toEqual([]);
      await one.closeDeliveries(keys);
      expect(await one.claimOrphanedDeliveries(1300, 50, 10)).toEqual([]);
    });

    it('is left once nobody holds it while somebody waits, and claimed by one replica', async () => {
      const { one, other } = stores();
      for (const key of ['left', 'held', 'closed']) await one.claimOnce(key, 1000, 900, held(key));
      await one.claimOnce('nobody waits', 1000, 900);
      await one.holdDeliveries(['held', 'closed'], 1300);
      await one.closeDeliveries(['closed']);
      expect(await other.claimOrphanedDeliveries(1199, 50, 10)).toEqual([]);
      const claims = await Promise.all(
        [one, other].map((store) => store.claimOrphanedDeliveries(1200, 50, 10)),
      );
      expect(claims.flat()).toEqual([{ key: 'left', waiting: held('left').waiting }]);
      expect(await one.claimOrphanedDeliveries(1249, 50, 10)).toEqual([]);
      expect((await one.claimOrphanedDeliveries(1300, 50, 10)).map(({ key }) => key).toSorted()).toEqual([
        'held',
        'left',
      ]);
    });

    it('is forgotten in time, so that keys do not pile up', async () => {
      const { one, count } = stores();
      for (let now = 0; now < 200; now += 1) await one.claimOnce(`Ev${now}`, now, 1);
      expect(await count('deliveries')).toBeLessThan(70);
    });
  });

  describe('retention', () => {
    it('removes what is settled, old and shown, in small steps, and keeps the record', async () => {
      const { one } = stores();
      for (let made = 0; made < 5; made += 1) {
        const request = await proposed(one, { createdAt: 10 });
        await one.advance(aStep(request, 'cancelled'));
        await one.markCardShown(request.id, 2, { channel: 'C0OPS', ts: '1' });
      }
      const unshown = await proposed(one, { createdAt: 10 });
      await one.advance(aStep(unshown, 'cancelled'));
      const unknown = await proposed(one, { createdAt: 10 });
      await one.advance(aStep(unknown, 'running'));
      await one.advance(aStep({ ...unknown, state: 'running', version: 2 }, 'unknown'));
      await one.markCardFailed(unknown.id, undefined);
      const waiting = await proposed(one, { createdAt: 10 });
      expect(await one.removeSettled(10, 10)).toBe(0);
      expect(await one.removeSettled(11, 3)).toBe(3);
      expect(await one.removeSettled(11, 3)).toBe(2);
      const left = idsOf(await one.list({ limit: 10 }));
      expect(left.toSorted()).toEqual([unshown.id, unknown.id, waiting.id].toSorted());
      await one.markCardFailed(unshown.id, undefined);
      expect(await one.removeSettled(11, 3)).toBe(1);
      expect(await entryCount(one)).toBe(8);
      await expectIntact(one);
    });
  });

  it('counts what waits', async () => {
    const { one } = stores();
    expect(await one.tally()).toEqual({
      requests: { proposed: 0, 'awaiting approval': 0, running: 0, unknown: 0 },
      cardsWaiting: 0,
      oldestCardAt: undefined,
      audit: { entries: 0, unsealed: 0, oldestUnsealedAt: undefined },
    });
    const old = await proposed(one, { createdAt: 5 });
    await proposed(one, { createdAt: 7 });
    const running = await proposed(one, { createdAt: 9 });
    await one.advance(aStep(running, 'running'));
    const ended = await proposed(one, { createdAt: 9 });
    await one.advance(aStep(ended, 'cancelled'));
    const waiting = { proposed: 2, 'awaiting approval': 0, running: 1, unknown: 0 };
    const audit = { entries: 2, unsealed: 2, oldestUnsealedAt: 1 };
    expect(await one.tally()).toEqual({ requests: waiting, cardsWaiting: 4, oldestCardAt: 5, audit });
    await sealAll(one);
    await one.markCardShown(old.id, 1, { channel: 'C0OPS', ts: '1' });
    await one.markCardFailed(ended.id, undefined);
    expect(await one.tally()).toEqual({
      requests: waiting,
      cardsWaiting: 2,
      oldestCardAt: 7,
      audit: { entries: 2, unsealed: 0, oldestUnsealedAt: undefined },
    });
  });

  it('answers a ping, and says so clearly once it is closed', async () => {
    const { one } = stores();
    await one.ping();
    await one.close();
    await expect(one.ping()).rejects.toMatchObject({ code: 'store-unavailable', retryable: true });
    await expect(one.record([aDraft()])).rejects.toThrow(
      /Changes cannot be recorded now, so nothing was run/,
    );
    await one.close();
  });
}
