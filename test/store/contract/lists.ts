import { describe, expect, it } from 'vitest';

import type { RequestFilter } from '../../../src/model/requests.ts';
import type { Store } from '../../../src/store/store.ts';
import { openStates } from '../../../src/model/request.ts';
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
      const { one, run } = stores();
      const now = Date.now();
      const request = await proposed(one, { expiresAt: now });
      await one.advance(aStep(request, 'running', { at: now, leaseMs: 60_000 }));
      expect(await one.due(now, 10)).toEqual([]);
      await run('update requests set lease_until = lease_until + 86400000');
      expect(idsOf(await one.due(now, 10))).toEqual([request.id]);
    });

    it('of what is due hold the expired and the crashed, oldest first', async () => {
      const { one, other, run } = stores();
      const minute = 60_000;
      const now = Date.now();
      const late = await proposed(one, { expiresAt: now - 2 * minute });
      await proposed(one, { expiresAt: now + minute });
      const waiting = await proposed(one, { expiresAt: now - 3 * minute });
      await one.advance(aStep(waiting, 'awaiting approval'));
      const running = await proposed(one, { expiresAt: now - 4 * minute });
      await one.advance(aStep(running, 'running', { at: now, leaseMs: minute }));
      const ended = await proposed(one, { expiresAt: now - 4 * minute });
      await one.advance(aStep(ended, 'cancelled'));
      expect(idsOf(await other.due(now, 10))).toEqual([waiting.id, late.id]);
      await run(`update requests set lease_until = lease_until - ${2 * minute}`);
      expect(idsOf(await other.due(now, 10))).toEqual([waiting.id, late.id, running.id]);
      expect(idsOf(await other.due(now, 1))).toEqual([waiting.id]);
    });
  });
}
