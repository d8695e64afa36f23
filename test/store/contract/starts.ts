import { describe, expect, it } from 'vitest';

import type { Step } from '../../../src/model/requests.ts';
import { aStep } from '../sample-request.ts';
import { entryCount, expectIntact, type Opened, proposed } from './opened.ts';

export function startsContract(stores: () => Opened): void {
  describe('what was started', () => {
    it('is listed from a moment on, newest first, whatever became of it', async () => {
      const { one, other } = stores();
      const early = await proposed(one);
      const late = await proposed(one);
      await proposed(one);
      await one.advance(aStep(early, 'running', { changes: { startedAt: 100 } }));
      await one.advance(aStep(late, 'running', { changes: { startedAt: 200 } }));
      await one.advance(aStep({ ...late, state: 'running', version: 2 }, 'failed'));
      const listed = (since: number) =>
        other.startedSince(since).then((starts) => starts.map(({ id, state }) => [id, state]));
      expect(await listed(100)).toEqual([
        [late.id, 'failed'],
        [early.id, 'running'],
      ]);
      expect(await listed(101)).toEqual([[late.id, 'failed']]);
      expect(await listed(201)).toEqual([]);
      const [start] = await one.startedSince(200);
      const { operation, target, requester } = late;
      expect(start).toEqual({ id: late.id, state: 'failed', operation, target, requester, startedAt: 200 });
    });

    it('lets a step be taken back that its check does not admit, with its entries', async () => {
      const { one } = stores();
      const request = await proposed(one);
      const before = await entryCount(one);
      const check: Step['check'] = { since: 0, admits: () => false };
      expect(await one.advance({ ...aStep(request, 'running'), check })).toBeUndefined();
      expect(await one.find(request.id)).toMatchObject({ state: 'proposed', version: 1 });
      expect(await entryCount(one)).toBe(before);
      await expectIntact(one);
    });

    it('is seen by each check in turn, without the step itself: of many at once one is admitted', async () => {
      const { one, other } = stores();
      const requests = await Promise.all(Array.from({ length: 8 }, () => proposed(one)));
      const check: Step['check'] = { since: 0, admits: (started) => started.length === 0 };
      const steps = await Promise.all(
        requests.map((request, index) =>
          (index % 2 ? one : other).advance({
            ...aStep(request, 'running', { changes: { startedAt: 100 } }),
            check,
          }),
        ),
      );
      expect(steps.filter(Boolean)).toHaveLength(1);
      expect(await one.startedSince(0)).toHaveLength(1);
      await expectIntact(one);
    });
  });
}
