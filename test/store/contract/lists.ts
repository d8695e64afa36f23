import { describe, expect, it } from 'vitest';

import type { RequestFilter } from '../../../src/model/records/requests.ts';
import type { Store } from '../../../src/store/store.ts';
import { openStates, type Request } from '../../../src/model/records/request.ts';
import { aStep } from '../sample-request.ts';
import { idsOf, type Opened, proposed } from './opened.ts';
import { alice, bob } from '../../people.ts';

const listed = async (store: Store, filter: Partial<RequestFilter>) =>
  idsOf(await store.list({ limit: 10, ...filter }));

export function listsContract(stores: () => Opened): void {
  describe('lists', () => {
    it('come newest first, by state, target and requester', async () => {
      const { one, other } = stores();
      const first = await proposed(one);
      const second = await proposed(one, { requester: bob });
      const third = await proposed(one);
      await one.advance(aStep(first, 'cancelled'));
      expect(await listed(other, {})).toEqual([third.id, second.id, first.id]);
      expect(await listed(other, { limit: 2 })).toEqual([third.id, second.id]);
      expect(await listed(other, { states: openStates })).toEqual([third.id, second.id]);
      expect(await listed(other, { states: ['cancelled', 'cancelled'] })).toEqual([first.id]);
      expect(await listed(other, { states: [] })).toEqual([]);
      expect(await listed(other, { requester: alice })).toEqual([third.id, first.id]);
      expect(await listed(other, { requester: { team: 'T0OTHER', user: alice.user } })).toEqual([]);
      expect(await listed(other, { targetKey: second.targetKey, states: ['proposed'] })).toEqual([second.id]);
    });

    it('find one operation, or one thread, behind any number of others', async () => {
      const { one, other } = stores();
      const thread = '1795230600.000100';
      const wanted = await proposed(one, {
        operation: 'lb.tune',
        place: { team: 'T0LOCAL', channel: 'C0OPS', thread },
        createdAt: 500,
      });
      for (let count = 0; count < 3; count += 1) await proposed(one, { createdAt: 600 + count });
      expect(await listed(other, { operation: 'lb.tune', limit: 1 })).toEqual([wanted.id]);
      expect(await listed(other, { operation: 'lb.tun', limit: 1 })).toEqual([]);
      expect(await listed(other, { thread: { ts: thread, since: 500 }, limit: 1 })).toEqual([wanted.id]);
      expect(await listed(other, { thread: { ts: thread, since: 501 }, limit: 1 })).toEqual([]);
      expect(await listed(other, { thread: { ts: '1795230600.00010', since: 500 }, limit: 1 })).toEqual([]);
    });

    it('come in pages, also those of the same moment', async () => {
      const { one, other } = stores();
      for (let count = 0; count < 7; count += 1) await proposed(one, { createdAt: count < 2 ? 1000 : 2000 });
      const filter = { states: openStates, limit: 3 };
      const found: string[] = [];
      let before: Request | undefined;
      for (
        let page = await other.list(filter);
        page.length > 0;
        page = await other.list({ ...filter, before })
      ) {
        found.push(...idsOf(page));
        before = page.at(-1);
      }
      expect(found).toEqual(await listed(one, {}));
      expect(new Set(found).size).toBe(7);
    });
  });
}
