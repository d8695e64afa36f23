import { describe, expect, it } from 'vitest';

import { dueKind, type Outcome } from '../../../src/model/records/due.ts';
import type { Notice } from '../../../src/model/records/requests.ts';
import type { Store } from '../../../src/store/store.ts';
import { aProposal, aRequest, aStep } from '../sample-request.ts';
import { claim, claimed, type Opened, pass, proposed } from './opened.ts';
import { watchDue } from '../../../src/request/outcome/watch.ts';

/** In milliseconds. A card is left to the process that wrote the step for this long. */
const ownerMs = 12_000;
const hour = 3_600_000;

/** Cards that any replica may show. */
async function cardsDue(opened: Opened, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let made = 0; made < count; made += 1) ids.push((await proposed(opened.one)).id);
  await pass(opened, ownerMs);
  return ids;
}

const settle = async (store: Store, outcome: Outcome): Promise<void> => {
  const [due] = await claim(store, 'card');
  if (!due) throw new Error('no card was due');
  await store.finishDue(due, outcome, Date.now());
};

export function dueContract(stores: () => Opened): void {
  describe('due work', () => {
    it('is claimed by one replica until the claim ends, the longest overdue first', async () => {
      const { one, other, ...opened } = stores();
      const ids = await cardsDue({ one, other, ...opened }, 2);
      const both = await Promise.all([claimed(one, 'card'), claimed(other, 'card')]);
      expect(both.flat().toSorted()).toEqual(ids.toSorted());
      expect(await claimed(one, 'card')).toEqual([]);
      await pass(opened, 100_000);
      expect(await claimed(other, 'card', 1)).toHaveLength(1);
      expect(await claim(other, 'card', 5)).toMatchObject([{ kind: 'card', version: 1, tries: 2 }]);
    });

    it('is claimed once each by 20 claims at a time', async () => {
      const { one, other } = stores();
      await cardsDue(stores(), 30);
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claimed(index % 2 ? one : other, 'card', 3)),
      );
      expect(new Set(claims.flat()).size).toBe(claims.flat().length);
      expect(claims.flat().length).toBeGreaterThan(2);
    });

    it('belongs to the process that made it due, for 12 s', async () => {
      const { one, other } = stores();
      const request = aRequest();
      await one.propose(aProposal(request, { at: Date.now() }));
      await pass(stores(), ownerMs - 5_000);
      expect(await claimed(other, 'card')).toEqual([]);
      await one.advance(aStep(request, 'cancelled', { at: Date.now() }));
      await pass(stores(), ownerMs - 5_000);
      expect(await claimed(other, 'card')).toEqual([]);
      await pass(stores(), 5_001);
      expect(await claimed(other, 'card')).toEqual([request.id]);
    });

    it('is not put off by an hour if the clock was set back by one, and then only once', async () => {
      const { one } = stores();
      const [id] = await cardsDue(stores(), 1);
      await settle(one, { retryIn: 1000 });
      await pass(stores(), -hour);
      expect(await claimed(one, 'card')).toEqual([id]);
      expect(await claimed(one, 'card')).toEqual([]);
    });

    it('is gone once it is done', async () => {
      const { one, other, count } = stores();
      await cardsDue(stores(), 1);
      await settle(one, { done: true });
      await pass(stores(), hour);
      expect(await claimed(other, 'card')).toEqual([]);
      expect(await count('due')).toBe(1);
    });

    it('comes again on request, as if it had never been due', async () => {
      const { one } = stores();
      await cardsDue(stores(), 1);
      await settle(one, { againIn: 60_000 });
      await pass(stores(), 59_000);
      expect(await claimed(one, 'card')).toEqual([]);
      await pass(stores(), 2_000);
      const [due] = await claim(one, 'card');
      expect(due?.tries).toBe(1);
      expect((due?.claimedAt ?? 0) - (due?.since ?? 0)).toBeLessThan(hour / 2);
    });

    it('that failed is tried again, and has waited since it was due first', async () => {
      const { one } = stores();
      await cardsDue(stores(), 1);
      const [first] = await claim(one, 'card');
      if (first) await one.finishDue(first, { retryIn: 60_000 }, Date.now());
      await pass(stores(), 61_000);
      const [again] = await claim(one, 'card');
      expect(again).toMatchObject({ tries: 2, since: (first?.since ?? 0) - 61_000 });
    });

    it('in a newer version is due again, whatever happens to the older one', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await pass(stores(), ownerMs);
      const [older] = await claim(one, 'card');
      await other.advance(aStep(request, 'cancelled'));
      if (older) await one.finishDue(older, { done: true }, Date.now());
      await pass(stores(), ownerMs);
      expect(await claim(other, 'card')).toMatchObject([{ key: request.id, version: 2, tries: 1 }]);
    });

    it('in a newer version that the older one covered is not due', async () => {
      const { one, other } = stores();
      const draft = { kind: dueKind('seen'), key: 'r-1', at: Date.now() };
      await one.setDue([draft], Date.now());
      const [older] = await claim(one, 'seen');
      await other.setDue([{ ...draft, version: 2 }], Date.now());
      if (older) await one.finishDue(older, { done: true, version: 2 }, Date.now());
      await pass(stores(), ownerMs);
      expect(await claimed(other, 'seen')).toEqual([]);
    });

    it('that is counted is due at its time after the first, and at once after the next, unless it is claimed', async () => {
      const { one, other } = stores();
      const draft = () => ({
        kind: dueKind('presses'),
        key: 'r-1 T/U',
        at: Date.now() + hour,
        about: { first: true },
      });
      const count = (store: Store) => store.countDue(draft(), Date.now());
      expect(await count(one)).toBe(1);
      expect(await claimed(one, 'presses')).toEqual([]);
      const counts = await Promise.all(Array.from({ length: 19 }, (_, at) => count(at % 2 ? one : other)));
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 19 }, (_, at) => at + 2));
      const [due] = await claim(one, 'presses');
      expect(due).toMatchObject({ version: 20, about: { first: true } });
      expect(await count(other)).toBe(21);
      expect(await claimed(other, 'presses')).toEqual([]);
      if (due) await one.finishDue(due, { againIn: hour, about: { first: false } }, Date.now());
      expect(await count(other)).toBe(22);
      expect(await claim(other, 'presses')).toMatchObject([{ version: 22, about: { first: false } }]);
    });

    it('of a kind that a newer version made is left to that, and in no one’s way', async () => {
      const { one, run, count } = stores();
      const [id] = await cardsDue(stores(), 1);
      await run(`update due set kind = 'horoscope' where kind = 'deadline'`);
      await pass(stores(), hour);
      const kinds = ['card', 'deadline', 'notice'].map((kind) => [dueKind(kind), 10] as const);
      const due = await one.claimDue(new Map(kinds), Date.now(), 1000);
      expect(due.map(({ kind, key }) => `${kind} ${key}`)).toEqual([`card ${id}`]);
      expect(await count('due')).toBe(2);
    });

    it('of one kind does not hold up another', async () => {
      const { one } = stores();
      await cardsDue(stores(), 5);
      await pass(stores(), hour);
      const limits = new Map([
        [dueKind('card'), 2],
        [dueKind('deadline'), 1],
      ]);
      const due = await one.claimDue(limits, Date.now(), 1000);
      expect(due.map(({ kind }) => kind).toSorted()).toEqual(['card', 'card', 'deadline']);
    });
  });

  describe('the deadline of a request', () => {
    it('is its expiry, then the end of its lease, and none once it ended', async () => {
      const { one } = stores();
      const at = Date.now();
      const request = aRequest({ expiresAt: at + 60_000 });
      await one.propose(aProposal(request, { at }));
      await pass(stores(), 55_000);
      expect(await claimed(one, 'deadline')).toEqual([]);
      await pass(stores(), 6_000);
      expect(await claim(one, 'deadline')).toMatchObject([{ key: request.id, version: 1 }]);
      await one.advance(aStep(request, 'running', { at: Date.now(), leaseMs: 30_000 }));
      await pass(stores(), 25_000);
      expect(await claimed(one, 'deadline')).toEqual([]);
      await pass(stores(), 6_000);
      expect(await claimed(one, 'deadline')).toEqual([request.id]);
      await one.advance(aStep({ ...request, state: 'running', version: 2 }, 'succeeded'));
      await pass(stores(), hour);
      expect(await claimed(one, 'deadline')).toEqual([]);
    });

    it('is a look for the answer if that is lost and can be looked for', async () => {
      const { one } = stores();
      for (const search of [undefined, { sent: { from: 1, to: 2 } }]) {
        const request = await proposed(one);
        await one.advance(aStep(request, 'running'));
        const changes = { outcome: { search } };
        await one.advance(aStep({ ...request, state: 'running', version: 2 }, 'unknown', { changes }));
        expect(await claimed(one, 'deadline')).toEqual(search ? [request.id] : []);
      }
    });
  });

  describe('a notice', () => {
    it('is made due by the step that gives it, and by none that comes too late', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      const at = Date.now();
      const expired: Notice = { requestId: request.id, kind: 'expired', at };
      const later: Notice = { ...expired, kind: 'reminder', at: at + 60_000, why: 'still' };
      await one.advance({ ...aStep(request, 'expired', { at }), notices: [later, expired] });
      await one.advance({ ...aStep(request, 'cancelled'), notices: [{ ...expired, kind: 'failed' }] });
      const claims = await Promise.all([claim(one, 'notice'), claim(other, 'notice')]);
      expect(claims.flat()).toMatchObject([{ about: expired }]);
      await pass(stores(), 61_000);
      expect(await claim(one, 'notice')).toMatchObject([{ about: later }]);
    });

    it('of a target that is watched comes with the last look, once', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await one.advance({ ...aStep(request, 'cancelled'), due: [watchDue(request, -12_000)] });
      const [watch, ...more] = (await Promise.all([claim(one, 'watch'), claim(other, 'watch')])).flat();
      expect(more).toEqual([]);
      const about = { requestId: request.id, kind: 'watched', at: 21 };
      const next = [{ kind: dueKind('notice'), key: request.id, at: Date.now(), about }];
      for (const store of [one, other])
        if (watch) await store.finishDue(watch, { done: true, next }, Date.now());
      expect(await claim(one, 'notice')).toMatchObject([{ about }]);
      expect(await claimed(one, 'watch')).toEqual([]);
    });
  });
}
