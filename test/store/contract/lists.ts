import { describe, expect, it } from 'vitest';

import type { RequestFilter } from '../../../src/core/request/requests.ts';
import type { Store } from '../../../src/store/store.ts';
import { openStates } from '../../../src/core/request/request.ts';
import { alice, aStep, bob } from '../sample-request.ts';
import { idsOf, type Opened, proposed } from './opened.ts';

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

    it('of what is due hold a lease from before the clock was set back by a day', async () => {
      const { one } = stores();
      const day = 24 * 3_600_000;
      const request = await proposed(one, { expiresAt: day });
      const changes = { leaseUntil: day + 60_000 };
      await one.advance(aStep(request, 'running', { changes }));
      expect(idsOf(await one.due(1000, 10))).toEqual([request.id]);
      expect(await one.due(day, 10)).toEqual([]);
      expect(idsOf(await one.due(day + 60_000, 10))).toEqual([request.id]);
    });

    it('of what is due hold the expired and the crashed, oldest first', async () => {
      const { one, other } = stores();
      const late = await proposed(one, { expiresAt: 30 });
      await proposed(one, { expiresAt: 51 });
      const waiting = await proposed(one, { expiresAt: 20 });
      await one.advance(aStep(waiting, 'awaiting approval'));
      const running = await proposed(one, { expiresAt: 10 });
      await one.advance(aStep(running, 'running', { changes: { leaseUntil: 50 } }));
      const ended = await proposed(one, { expiresAt: 10 });
      await one.advance(aStep(ended, 'cancelled'));
      expect(await other.due(19, 10)).toEqual([]);
      expect(idsOf(await other.due(50, 10))).toEqual([waiting.id, late.id, running.id]);
      expect(idsOf(await other.due(50, 1))).toEqual([waiting.id]);
    });
  });
}
