import { describe, expect, it, onTestFinished } from 'vitest';

import { BellhopError } from '../../../src/model/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { startCollector } from '../../audit/publish/collector.ts';
import { setForwardStage } from '../../audit/publish/forward-stage.ts';
import { aDraft } from '../sample-request.ts';
import { type Opened, sealAll } from './opened.ts';

async function record(store: Store, ...times: readonly number[]): Promise<void> {
  await store.record(times.map((at) => aDraft({ at })));
  await sealAll(store);
}

const minute = 60_000;

/** As a destination is left where nothing went wrong. */
const well = { failures: 0, problem: undefined };

export function forwardingContract(stores: () => Opened): void {
  describe('the cursor of what is forwarded', () => {
    it('begins once, where it is told to, and tells how much is left of what is sealed', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.record([aDraft()]);
      expect(await one.findForwarding('siem')).toBeUndefined();
      const begun = await Promise.all([one, other].map((store) => store.beginForwarding('siem', 1)));
      expect(begun.filter(Boolean)).toHaveLength(1);
      expect(await other.findForwarding('siem')).toEqual({
        sent: 1,
        newest: 3,
        oldestAt: 20,
        problem: undefined,
      });
      expect(await one.beginForwarding('new', 'newest')).toBe(true);
      expect(await one.findForwarding('new')).toMatchObject({ sent: 3, newest: 3, oldestAt: undefined });
    });

    it('is claimed by one at a time, for as long as it says', async () => {
      const { one, other } = stores();
      await one.beginForwarding('siem', 0);
      const claims = await Promise.all(
        [one, other].map((store) => store.claimForwarding('siem', 1000, minute)),
      );
      expect(claims.filter((claim) => claim !== undefined)).toEqual([{ sent: 0, ...well }]);
      expect(await other.claimForwarding('siem', 1000 + minute - 1, minute)).toBeUndefined();
      expect(await other.claimForwarding('siem', 1000 + minute, minute)).toEqual({ sent: 0, ...well });
      expect(await other.claimForwarding('nothing', 1000, minute)).toBeUndefined();
    });

    it('is claimed also where the clock was set back by more than any claim lasts', async () => {
      const { one, other } = stores();
      await one.beginForwarding('siem', 0);
      await one.claimForwarding('siem', 1000 * minute, minute);
      expect(await other.claimForwarding('siem', minute, minute)).toBeDefined();
    });

    it('moves only from where it is, and keeps why it does not', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.beginForwarding('siem', 0);
      expect(await one.moveForwarding('siem', 0, { sent: 2, ...well, tryAt: 7 })).toBe(true);
      expect(await other.moveForwarding('siem', 0, { sent: 1, ...well, tryAt: 9 })).toBe(false);
      expect(await other.findForwarding('siem')).toMatchObject({ sent: 2, oldestAt: 30 });
      expect(await other.claimForwarding('siem', 6, minute)).toBeUndefined();
      const failed = { sent: 2, failures: 3, problem: 'answered 503' };
      expect(await other.moveForwarding('siem', 2, { ...failed, tryAt: 9 })).toBe(true);
      expect(await one.findForwarding('siem')).toMatchObject({ problem: 'answered 503' });
      expect(await one.claimForwarding('siem', 9, minute)).toEqual(failed);
    });
  });
  describe('forwarding', () => {
    const many = 450;

    it('sends all that is sealed and nothing else, in order, by one of two replicas that try at once', async () => {
      const { one, other } = stores();
      const { collector, replica, clock } = await stageWithCollector();
      const rounds = [replica(one), replica(other)].map(({ round }) => round);
      for (const count of [many, 1, 30]) {
        await record(one, ...Array.from({ length: count }, (_, at) => at));
        await other.record([aDraft()]);
        await Promise.all(rounds.map((round) => round()));
        await clock.advance(1000);
      }
      const size = (await one.newestCheckpoint())?.size ?? 0;
      expect(size).toBe(many + 1 + 30 + 2);
      expect(collector.taken).toEqual(Array.from({ length: size }, (_, at) => at + 1));
    });

    it('sends a batch again after a crash between its arrival and the cursor, as the same events', async () => {
      const { one, other } = stores();
      const { collector, replica, clock } = await stageWithCollector();
      await record(one, ...Array.from({ length: 5 }, (_, at) => at));
      const away = new BellhopError('store-unavailable', 'The database is away.');
      const crashing = { ...one, moveForwarding: () => Promise.reject(away) };
      for (let crashes = 2; crashes > 0; crashes -= 1) {
        await expect(replica(crashing).round()).rejects.toThrow(away);
        await replica(other).round();
        await clock.advance(minute);
      }
      await replica(other).round();
      await record(one, 6);
      await replica(other).round();
      expect(collector.arrivals.map(({ range }) => range)).toEqual(['1-5', '1-5', '1-5', '6-6']);
      const [first, ...again] = collector.arrivals;
      expect(again.slice(0, 2).map(({ events }) => events)).toEqual([first?.events, first?.events]);
    });

    it('goes on by another replica, after the pause that the collector was left with', async () => {
      const { one, other } = stores();
      const { collector, replica, clock } = await stageWithCollector();
      await record(one, 1, 2);
      collector.answer(() => 503);
      await replica(one).round();
      collector.answer(() => 200);
      await replica(other).round();
      expect(collector.taken).toEqual([]);
      await clock.advance(minute);
      await replica(other).round();
      expect(collector.taken).toEqual([1, 2]);
    });
  });
}

async function stageWithCollector() {
  const collector = await startCollector();
  onTestFinished(() => collector.close());
  return { collector, ...setForwardStage(collector.url) };
}
