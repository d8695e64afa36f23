import { describe, expect, it, onTestFinished } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import type { Store } from '../../../src/store/store.ts';
import { dueKind } from '../../../src/model/records/due.ts';
import { startCollector } from '../../collector.ts';
import { openForwarders } from './open-forwarder.ts';
import { aDraft } from '../../store/sample-request.ts';
import { claim, claimed, keys, type Opened, pass, sealAll } from '../../store/contract/opened.ts';

async function record(store: Store, ...times: readonly number[]): Promise<void> {
  await store.record(times.map((at) => aDraft({ at })));
  await sealAll(store);
}

/** Records and seals an entry, which makes forwarding due. */
async function recordAndWake(store: Store): Promise<void> {
  await store.record([aDraft()]);
  const now = Date.now();
  await sealAll(store, now, keys, [{ kind: dueKind('forward'), key: 'siem', at: now, keepsTime: true }]);
}

const minute = 60_000;

export function forwardingContract(stores: () => Opened): void {
  describe('the cursor of what is forwarded', () => {
    it('rests without a time once all was sent, and is due when entries are sealed', async () => {
      const { one, other } = stores();
      await record(one, 10);
      await other.setDue([{ kind: dueKind('forward'), key: 'siem', at: Date.now() }], Date.now());
      const [due] = await claim(one, 'forward');
      if (due) await one.finishDue(due, { rests: true, about: { sent: 1 } }, Date.now());
      expect(await other.findDue(dueKind('forward'), 'siem')).toEqual({ about: { sent: 1 }, rests: true });
      expect(await claimed(other, 'forward')).toEqual([]);
      expect((await one.tally(Date.now())).due).toEqual([]);
      await recordAndWake(one);
      expect(await claim(other, 'forward')).toMatchObject([{ key: 'siem', version: 2, about: { sent: 1 } }]);
    });

    it('is due at once if entries were sealed while it was handled', async () => {
      const { one, other } = stores();
      await one.setDue([{ kind: dueKind('forward'), key: 'siem', at: Date.now() }], Date.now());
      const [due] = await claim(one, 'forward');
      await record(one, 10);
      await recordAndWake(one);
      expect(await claimed(other, 'forward')).toEqual([]);
      if (due) await one.finishDue(due, { rests: true, about: { sent: 1 } }, Date.now());
      expect(await claim(other, 'forward')).toMatchObject([{ key: 'siem', version: 2, about: { sent: 1 } }]);
    });

    it('is not due sooner than it was postponed to, whatever is sealed', async () => {
      const { one, other, ...opened } = stores();
      await one.setDue([{ kind: dueKind('forward'), key: 'siem', at: Date.now() }], Date.now());
      const [due] = await claim(one, 'forward');
      const about = { sent: 0, problem: 'answered 503' };
      if (due) await one.finishDue(due, { retryIn: minute, about }, Date.now());
      await recordAndWake(one);
      expect(await claimed(other, 'forward')).toEqual([]);
      expect(await other.findDue(dueKind('forward'), 'siem')).toEqual({ about, rests: false });
      await pass(opened, minute);
      expect(await claim(other, 'forward')).toMatchObject([{ key: 'siem', about }]);
    });

    it('is not changed by a replica whose claim another replica has taken over', async () => {
      const { one, other, ...opened } = stores();
      await one.setDue([{ kind: dueKind('forward'), key: 'siem', at: Date.now() }], Date.now());
      const [late] = await claim(one, 'forward', 1, 1000);
      await pass(opened, 2000);
      const [taken] = await claim(other, 'forward');
      if (taken) await other.finishDue(taken, { againIn: minute, about: { sent: 400 } }, Date.now());
      for (const outcome of [{ againIn: 0 }, { retryIn: 0 }, { rests: true } as const])
        if (late)
          await one.finishDue(
            { ...late, claimedAt: late.claimedAt - 2000 },
            { ...outcome, about: { sent: 200 } },
            Date.now(),
          );
      expect(await one.findDue(dueKind('forward'), 'siem')).toEqual({ about: { sent: 400 }, rests: false });
    });

    it('knows when the first entry was recorded that is still to be sent, if it is sealed', async () => {
      const { one, other } = stores();
      await record(one, 10, 20);
      await one.record([aDraft()]);
      expect(await Promise.all([0, 1, 2].map((sent) => other.timeAfter(sent)))).toEqual([10, 20, undefined]);
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
      const crashing = { ...one, finishDue: () => Promise.reject(away) };
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

    it('continues on another replica, after the pause that the collector requested', async () => {
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
