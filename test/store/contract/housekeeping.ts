import { describe, expect, it } from 'vitest';

import type { DeliveryHold } from '../../../src/model/ports.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import type { Store } from '../../../src/store/store.ts';
import {
  claim,
  claimed,
  entryCount,
  expectIntact,
  idsOf,
  type Opened,
  pass,
  proposed,
  sealAll,
} from './opened.ts';
import { alice } from '../../people.ts';
import { dueKind } from '../../../src/model/records/due.ts';

const held = (by: string): DeliveryHold => ({
  by,
  now: Date.now(),
  forMs: 10_000,
  waiting: { actor: alice, channel: 'C0OPS', what: '/cloud', at: 1000 },
});

/** A delivery held by a holder with the same name as the key. */
const heldAs = (key: string) => ({ key, by: key });

const cardDone = (store: Store, key: string): Promise<void> =>
  store.finishDue({ kind: dueKind('card'), key, version: 9, claimedAt: 0 }, { done: true }, 0);

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

    it('is first again for its own holder, whose answer got lost, and for no one else', async () => {
      const { one, other } = stores();
      expect(await one.claimOnce('Ev1', 1000, 900, held('me'))).toBe(true);
      expect(await one.claimOnce('Ev1', 1001, 900, held('me'))).toBe(true);
      expect(await other.claimOnce('Ev1', 1001, 900, held('another'))).toBe(false);
    });

    it('is held and closed together with any number of others', async () => {
      const { one } = stores();
      await one.claimOnce('last', 1000, 900, held('last'));
      const keys = [...Array.from({ length: 70_000 }, (_, index) => `k${index}`), 'last'];
      await one.holdDeliveries(keys, 20_000, Date.now());
      await pass(stores(), 15_000);
      expect(await claimed(one, 'delivery')).toEqual([]);
      await one.closeDeliveries(keys.map(heldAs));
      await pass(stores(), 10_000);
      expect(await claimed(one, 'delivery')).toEqual([]);
    });

    it('is due once no one holds it while someone waits, on one replica', async () => {
      const { one, other } = stores();
      for (const key of ['left', 'held', 'closed']) await one.claimOnce(key, 1000, 900, held(key));
      await one.claimOnce('no one waits', 1000, 900);
      await one.holdDeliveries(['held', 'closed'], 20_000, Date.now());
      await one.closeDeliveries([heldAs('closed')]);
      expect(await claimed(other, 'delivery')).toEqual([]);
      await pass(stores(), 11_000);
      const claims = await Promise.all([one, other].map((store) => claim(store, 'delivery', 10, 5_000)));
      expect(claims.flat()).toMatchObject([{ key: 'left', about: held('left').waiting }]);
      await pass(stores(), 10_000);
      expect((await claimed(one, 'delivery')).toSorted()).toEqual(['held', 'left']);
    });

    it('keeps no person once it is closed, or due', async () => {
      const { one, count } = stores();
      for (const key of ['left', 'closed']) await one.claimOnce(key, 1000, 900, held(key));
      await one.closeDeliveries([heldAs('closed')]);
      expect(await count('deliveries where about is not null')).toBe(1);
      await pass(stores(), 11_000);
      const [due] = await claim(one, 'delivery');
      expect(due).toMatchObject({ key: 'left', about: held('left').waiting });
      expect(await count('deliveries where about is not null')).toBe(0);
      if (due) await one.finishDue(due, { done: true }, Date.now());
      expect(await count("due where kind = 'delivery'")).toBe(0);
    });

    it('is closed by no one but its holder, held or due', async () => {
      const { one, other } = stores();
      for (const key of ['held', 'silent']) await one.claimOnce(key, 1000, 900, held('its holder'));
      const closes = { key: 'held', by: 'another', closed: () => undefined };
      await other.propose(aProposal(aRequest(), { closes }));
      await other.closeDeliveries(['held', 'silent'].map((key) => ({ key, by: 'another' })));
      await one.holdDeliveries(['held'], 20_000, Date.now());
      await pass(stores(), 11_000);
      expect(await claimed(one, 'delivery', 10, 1_000)).toEqual(['silent']);
      await other.closeDeliveries([{ key: 'silent', by: 'another' }]);
      await pass(stores(), 10_000);
      expect((await claimed(one, 'delivery', 10, 1_000)).toSorted()).toEqual(['held', 'silent']);
    });

    it('is closed by the step or the proposal that it leads to', async () => {
      const { one, other } = stores();
      const closed: string[] = [];
      const closes = async (key: string) => {
        await one.claimOnce(key, 1000, 900, held(key));
        return { ...heldAs(key), closed: () => void closed.push(key) };
      };
      const request = aRequest();
      await one.propose(aProposal(request, { closes: await closes('a command') }));
      await one.advance({ ...aStep(request, 'running'), closes: await closes('a click') });
      await one.advance({ ...aStep(request, 'cancelled'), closes: await closes('a late click') });
      expect(closed).toEqual(['a command', 'a click']);
      await one.holdDeliveries(closed, 10_000, Date.now());
      await pass(stores(), 11_000);
      expect(await claimed(other, 'delivery')).toEqual(['a late click']);
      expect(await other.claimOnce('a click', 1899, 900)).toBe(false);
    });

    it('of a replica of the previous version is a duplicate here, and due once that replica is silent', async () => {
      const { one, run } = stores();
      const about = JSON.stringify(held('them').waiting);
      const [at, until] = [Date.now(), Date.now() + 10_000];
      await run("insert into deliveries (key, expires_at, held_by) values ('theirs', 1900, 'them')");
      await run(`insert into due (kind, key, version, about, at, since, set_at, tries)
        values ('delivery', 'theirs', 1, '${about}', ${until}, ${until}, ${at}, 0)`);
      expect(await one.claimOnce('theirs', 1000, 900)).toBe(false);
      expect(await claimed(one, 'delivery')).toEqual([]);
      await pass(stores(), 11_000);
      expect(await claim(one, 'delivery')).toMatchObject([{ key: 'theirs', about: held('them').waiting }]);
    });

    it('is not forgotten by a replica of the previous version while someone waits', async () => {
      const { one, run, count } = stores();
      const forget = () =>
        run(`delete from deliveries where key in (
          select key from deliveries where expires_at <= 1901 order by expires_at limit 128)`);
      await one.claimOnce('silent', 1000, 900, held('silent'));
      await one.claimOnce('closed', 1000, 900, held('closed'));
      await forget();
      expect(await count('deliveries')).toBe(2);
      await one.closeDeliveries([heldAs('closed')]);
      await forget();
      expect(await count('deliveries')).toBe(1);
      await pass(stores(), 11_000);
      expect(await claim(one, 'delivery')).toMatchObject([{ key: 'silent', about: held('silent').waiting }]);
      await forget();
      expect(await count('deliveries')).toBe(0);
    });

    it('that was held before the clock was set back has its time anew', async () => {
      const { one } = stores();
      await one.claimOnce('held', 1000, 900, held('held'));
      await pass(stores(), -3_600_000);
      expect(await claimed(one, 'delivery')).toEqual([]);
      await pass(stores(), 9_000);
      expect(await claimed(one, 'delivery')).toEqual([]);
      await pass(stores(), 2_000);
      expect(await claimed(one, 'delivery')).toEqual(['held']);
    });

    it('that is due and whose process is heard again is put off, and ends with its close', async () => {
      const { one, other } = stores();
      for (const key of ['slow', 'gone']) await one.claimOnce(key, 1000, 900, held(key));
      await pass(stores(), 11_000);
      expect((await claimed(other, 'delivery', 10, 1_000)).toSorted()).toEqual(['gone', 'slow']);
      await one.holdDeliveries(['slow'], 10_000, Date.now());
      await pass(stores(), 2_000);
      expect(await claimed(other, 'delivery', 10, 1_000)).toEqual(['gone']);
      await one.closeDeliveries([heldAs('gone')]);
      await pass(stores(), 9_000);
      expect(await claimed(other, 'delivery')).toEqual(['slow']);
    });

    it('is forgotten in time, so that keys do not pile up', async () => {
      const { one, count } = stores();
      for (let now = 0; now < 200; now += 1) await one.claimOnce(`Ev${now}`, now, 1);
      expect(await count('deliveries')).toBeLessThan(70);
    });
  });

  describe('retention', () => {
    it('removes ended requests that are old and shown, in small steps, and keeps the audit log', async () => {
      const { one } = stores();
      for (let made = 0; made < 5; made += 1) {
        const request = await proposed(one, { createdAt: 10 });
        await one.advance(aStep(request, 'cancelled'));
        await cardDone(one, request.id);
      }
      const unshown = await proposed(one, { createdAt: 10 });
      await one.advance(aStep(unshown, 'cancelled'));
      const unknown = await proposed(one, { createdAt: 10 });
      await one.advance(aStep(unknown, 'running'));
      await one.advance(aStep({ ...unknown, state: 'running', version: 2 }, 'unknown'));
      await cardDone(one, unknown.id);
      const waiting = await proposed(one, { createdAt: 10 });
      expect(await one.removeSettled(10, 10)).toBe(0);
      expect(await one.removeSettled(11, 3)).toBe(3);
      expect(await one.removeSettled(11, 3)).toBe(2);
      const left = idsOf(await one.list({ limit: 10 }));
      expect(left.toSorted()).toEqual([unshown.id, unknown.id, waiting.id].toSorted());
      await cardDone(one, unshown.id);
      expect(await one.removeSettled(11, 3)).toBe(1);
      expect(await entryCount(one)).toBe(8);
      await expectIntact(one);
    });
  });

  it('counts what waits', async () => {
    const { one } = stores();
    expect(await one.tally(Date.now())).toEqual({
      requests: { proposed: 0, 'awaiting approval': 0, running: 0, rolling: 0, paused: 0, unknown: 0 },
      oldest: new Map(),
      due: [],
      audit: { entries: 0, unsealed: 0, oldestUnsealedAt: undefined },
    });
    const late = { expiresAt: 2 * Date.now() };
    const old = await proposed(one, late);
    await proposed(one, late);
    const running = await proposed(one, late);
    const changes = { startedAt: 70 };
    await one.advance(aStep(running, 'running', { leaseMs: late.expiresAt, changes }));
    const ended = await proposed(one, late);
    await one.advance(aStep(ended, 'cancelled'));
    const waiting = { proposed: 2, 'awaiting approval': 0, running: 1, rolling: 0, paused: 0, unknown: 0 };
    const audit = { entries: 2, unsealed: 2, oldestUnsealedAt: 1 };
    await pass(stores(), 1000);
    const { due, ...rest } = await one.tally(Date.now());
    const oldest = new Map(Object.entries({ proposed: old.createdAt, running: 70 }));
    expect(rest).toEqual({ requests: waiting, oldest, audit });
    expect(due).toMatchObject([{ kind: 'card', count: 4 }]);
    expect(due[0]?.oldestMs).toBeGreaterThanOrEqual(1000);
    await sealAll(one);
    for (const { id } of [old, ended]) await cardDone(one, id);
    const later = await one.tally(Date.now());
    expect(later.due).toMatchObject([{ kind: 'card', count: 2 }]);
    expect(later.audit).toEqual({ entries: 2, unsealed: 0, oldestUnsealedAt: undefined });
  });

  it('counts rollouts apart: those that roll, and those that wait for a person', async () => {
    const { one } = stores();
    const paused = { at: 1, why: 'web-1 is unknown.', next: 1 };
    for (const changes of [{}, {}, { paused }]) {
      const request = await proposed(one, {
        rollout: { each: ['"paused":{'], pause: '5s', lines: [], index: 0 },
      });
      const rollout = { each: [], pause: '"paused":{', lines: [], index: 0, startedAt: 1, ...changes };
      await one.advance(aStep(request, 'running', { changes: { rollout } }));
    }
    const { requests, oldest } = await one.tally(Date.now());
    expect(requests).toMatchObject({ running: 0, rolling: 2, paused: 1 });
    expect(oldest.get('paused')).toBe(paused.at);
  });

  it('knows since when the oldest unknown outcome is unknown, however old its request is', async () => {
    const { one } = stores();
    for (const endedAt of [900, 800]) {
      const running = await one.advance(aStep(await proposed(one), 'running', { changes: { startedAt: 5 } }));
      if (running) await one.advance(aStep(running, 'unknown', { changes: { endedAt } }));
    }
    expect([...(await one.tally(Date.now())).oldest]).toEqual([['unknown', 800]]);
  });

  it('answers a ping, and says so clearly once it is closed', async () => {
    const { one } = stores();
    await one.ping();
    await one.close();
    await expect(one.ping()).rejects.toMatchObject({ code: 'store-unavailable', retryable: true });
    await expect(one.record([aDraft()])).rejects.toThrow(
      /Changes can't be recorded right now, so nothing was run/,
    );
    await one.close();
  });
}
