import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import { dueKind, type Lasting } from '../../../src/model/records/due.ts';
import type { Step } from '../../../src/model/records/requests.ts';
import { several, type Target, targetKey } from '../../../src/model/rulebook/target.ts';
import type { Store } from '../../../src/store/store.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { claim, claimed, entryCount, idsOf, type Opened, pass, proposed } from './opened.ts';

const kind = dueKind('ban');
const keysOf = (all: readonly Lasting[]): readonly string[] => all.map(({ key }) => key);

const begin = (store: Store, key: string) =>
  store.changeLasting(kind, Date.now(), (all) => ({
    drafts: [{ kind, key, at: Date.now() + 60_000, about: { by: key, after: all.length } }],
    audit: [aDraft({ note: key })],
  }));

const starting = (request: Parameters<typeof aStep>[0], keys: readonly string[]): Step => ({
  ...aStep(request, 'running', { changes: { startedAt: 100 } }),
  check: { lasting: [{ kind, keys }], of: [], admits: () => true },
});

const isOn =
  (name: string) =>
  (target: Target): boolean =>
    target.name === name;

const target = (name: string): Target => ({
  kind: 'instance',
  name,
  project: 1,
  region: 76,
  id: name,
  labels: {},
});

export function lastingContract(stores: () => Opened): void {
  describe('a lasting record', () => {
    it('begins with its entry, one after another on all replicas, and is known to all', async () => {
      const { one, other } = stores();
      const before = await entryCount(one);
      await Promise.all(['a', 'b', 'c', 'd'].map((key, index) => begin(index % 2 ? one : other, key)));
      const all = await other.lasting(kind);
      expect(keysOf(all)).toEqual(['a', 'b', 'c', 'd']);
      const turns = all.map(({ about }) => z.object({ after: z.number() }).parse(about).after);
      expect(turns.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
      expect(await entryCount(one)).toBe(before + 4);
      expect(await one.lasting(dueKind('another'))).toEqual([]);
    });

    it('is not changed at all if the decision is against it', async () => {
      const { one } = stores();
      await begin(one, 'a');
      const before = await entryCount(one);
      const refusal = new Error('too many');
      const refused = one.changeLasting(kind, Date.now(), (all) => {
        if (all.length > 0) throw refusal;
        return { drafts: [], audit: [] };
      });
      await expect(refused).rejects.toThrow('too many');
      expect(keysOf(await one.lasting(kind))).toEqual(['a']);
      expect(await entryCount(one)).toBe(before);
    });

    it('falls due, and stays until someone ends it', async () => {
      const { one, other, ...opened } = stores();
      await begin(one, 'a');
      expect(await claimed(other, 'ban')).toEqual([]);
      await pass(opened, 61_000);
      const [due] = await claim(other, 'ban');
      expect(due).toMatchObject({ key: 'a', about: { by: 'a' } });
      expect(keysOf(await one.lasting(kind))).toEqual(['a']);
      await one.changeLasting(kind, Date.now(), () => ({
        drafts: [{ kind, key: 'a', at: undefined, ends: true }],
        audit: [],
      }));
      expect(await other.lasting(kind)).toEqual([]);
    });

    it('keeps a change from starting that was decided without knowing of it', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await begin(other, 'a');
      await begin(other, 'b');
      expect(await one.advance(starting(request, []))).toBeUndefined();
      expect(await one.advance(starting(request, ['a']))).toBeUndefined();
      expect(await one.find(request.id)).toMatchObject({ state: 'proposed', version: 1 });
      expect(await one.advance(starting(request, ['a', 'b']))).toMatchObject({ state: 'running' });
    });

    it('has waiting requests decided again and their cards shown, and finds running ones', async () => {
      const { one, other, ...opened } = stores();
      const on = (name: string) =>
        proposed(one, { target: target(name), targetKey: targetKey(target(name)) });
      const [waits, elsewhere, runs] = [await on('db-1'), await on('web-1'), await on('db-2')];
      await one.advance(starting(runs, []));
      await pass(opened, 12_000);
      await claim(one, 'card');
      expect(await other.reconsider(isOn('db-1'), Date.now())).toEqual([]);
      expect(idsOf(await other.reconsider(isOn('db-2'), Date.now()))).toEqual([runs.id]);
      expect(await one.find(waits.id)).toMatchObject({ state: 'proposed', version: 2 });
      expect(await one.find(elsewhere.id)).toMatchObject({ version: 1 });
      await other.reconsider(isOn('web-1'), Date.now(), 'r-whole');
      expect(await one.find(elsewhere.id)).toMatchObject({ version: 2, recentChange: 'r-whole' });
      expect((await one.find(waits.id))?.recentChange).toBeUndefined();
      expect((await claimed(one, 'card')).toSorted()).toEqual([waits.id, elsewhere.id].toSorted());
      expect(await one.advance(starting(waits, []))).toBeUndefined();
      expect(await one.advance(starting({ ...waits, version: 2 }, []))).toMatchObject({ state: 'running' });
    });

    it('names the rollout around a request only on requests of one target', async () => {
      const { one, other } = stores();
      const targets = several([target('db-1'), target('web-1')], 'both');
      const whole = aRequest({ target: targets, targetKey: targetKey(targets), recentChange: 'r-before' });
      await one.propose(aProposal(whole));
      const part = await proposed(one, {
        target: target('db-1'),
        targetKey: targetKey(target('db-1')),
        partOf: whole.id,
      });
      await other.reconsider(() => true, Date.now(), 'r-whole');
      expect(await one.find(whole.id)).toMatchObject({ version: 2, recentChange: 'r-before' });
      expect((await one.find(part.id))?.recentChange).toBeUndefined();
    });
  });
}
