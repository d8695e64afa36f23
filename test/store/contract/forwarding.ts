import { describe, expect, it, onTestFinished } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { startCollector } from '../../audit/publish/collector.ts';
import { openForwarders } from '../../audit/publish/open-forwarder.ts';
import { aDraft } from '../sample-request.ts';
import { claim, claimed, keys, type Opened, pass, sealAll } from './opened.ts';

async function record(store: Store, ...times: readonly number[]): Promise<void> {
  await store.record(times.map((at) => aDraft({ at })));
  await sealAll(store);
}

const minute = 60_000;

export function forwardingContract(stores: () => Opened): void {
  describe('the cursor of what is forwarded', () => {
    it('begins once, where it is told to, and tells how much is left of what is sealed', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.record([aDraft()]);
      expect(await one.findForwarding('siem')).toBeUndefined();
      const begun = await Promise.all(
        [one, other].map((store) => store.beginForwarding('siem', 1, Date.now())),
      );
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await other.findForwarding('siem')).toEqual({
        sent: 1,
        newest: 3,
        oldestAt: 20,
        problem: undefined,
      });
      expect(await one.beginForwarding('new', 'newest', Date.now())).toBe(true);
      expect(await one.findForwarding('new')).toMatchObject({ sent: 3, newest: 3, oldestAt: undefined });
    });

    it('is due where it begins, once entries are sealed, and not sooner than it was put off to', async () => {
      const { one, other, ...opened } = stores();
      await record(one, 10);
      await one.beginForwarding('siem', 0, Date.now());
      const [begun] = await claim(other, 'forward');
      expect(begun).toMatchObject({ key: 'siem', version: 1 });
      await one.record([aDraft()]);
      const now = Date.now();
      await sealAll(one, now, keys, [{ kind: 'forward', key: 'siem', at: now, keepsTime: true }]);
      expect(await claimed(other, 'forward')).toEqual([]);
      if (begun) await other.finishDue(begun, { done: true }, Date.now());
      const [again] = await claim(one, 'forward');
      expect(again).toMatchObject({ key: 'siem', version: 2 });
      if (again) await one.finishDue(again, { retryIn: minute }, Date.now());
      await one.beginForwarding('siem', 0, Date.now());
      expect(await claimed(other, 'forward')).toEqual([]);
      await pass(opened, minute);
      expect(await claimed(other, 'forward')).toEqual(['siem']);
    });

    it('moves only from where it is, and keeps why it does not', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.beginForwarding('siem', 0, Date.now());
      expect(await one.moveForwarding('siem', 0, { sent: 2, problem: undefined })).toBe(true);
      expect(await other.moveForwarding('siem', 0, { sent: 1, problem: undefined })).toBe(false);
      expect(await other.findForwarding('siem')).toMatchObject({ sent: 2, oldestAt: 30 });
      expect(await other.moveForwarding('siem', 2, { sent: 2, problem: 'answered 503' })).toBe(true);
      expect(await one.findForwarding('siem')).toMatchObject({ problem: 'answered 503' });
    });
  });
  describe('forwarding', () => {
    const many = 450;

    it('sends all that is sealed and nothing else, in order, by one of two replicas that try at once', async () => {
      const { one, other } = stores();
      const { collector, replica, ...stage } = await stageWithCollector();
      const rounds = [replica(one), replica(other)].map(({ round }) => round);
      for (const count of [many, 1, 30]) {
        await stage.recordIn(
          one,
          Array.from({ length: count }, () => aDraft()),
        );
        await other.record([aDraft()]);
        await Promise.all(rounds.map((round) => round()));
      }
      const size = (await one.newestCheckpoint())?.size ?? 0;
      expect(size).toBe(many + 1 + 30 + 2);
      expect(collector.taken).toEqual(Array.from({ length: size }, (_, at) => at + 1));
    });

    it('sends a batch again after a crash between its arrival and the cursor, as the same events', async () => {
      const { one, other, ...opened } = stores();
      const { collector, replica, ...stage } = await stageWithCollector();
      await stage.recordIn(
        one,
        Array.from({ length: 5 }, () => aDraft()),
      );
      const away = new BellhopError('store-unavailable', 'The database is away.');
      const crashing = { ...one, moveForwarding: () => Promise.reject(away) };
      for (let crashes = 2; crashes > 0; crashes -= 1) {
        await replica(crashing).round();
        await replica(other).round();
        await pass(opened, minute);
      }
      await replica(other).round();
      await stage.recordIn(one, [aDraft()]);
      await replica(other).round();
      expect(collector.arrivals.map(({ range }) => range)).toEqual(['1-5', '1-5', '1-5', '6-6']);
      const [first, ...again] = collector.arrivals;
      expect(again.slice(0, 2).map(({ events }) => events)).toEqual([first?.events, first?.events]);
    });

    it('goes on by another replica, after the pause that the collector was left with', async () => {
      const { one, other, ...opened } = stores();
      const { collector, replica, ...stage } = await stageWithCollector();
      await stage.recordIn(one, [aDraft(), aDraft()]);
      collector.answer(() => 503);
      await replica(one).round();
      collector.answer(() => 200);
      await replica(other).round();
      expect(collector.taken).toEqual([]);
      await pass(opened, minute);
      await replica(other).round();
      expect(collector.taken).toEqual([1, 2]);
    });
  });
}

async function stageWithCollector() {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  return { collector, ...openForwarders(collector.url) };
}
