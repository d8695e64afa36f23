import { describe, expect, it } from 'vitest';

import type { StartFilter, Step } from '../../../src/model/records/requests.ts';
import { bob } from '../../people.ts';
import { aProposal, aRequest, aStep } from '../sample-request.ts';
import { entryCount, expectIntact, idsOf, type Opened, proposed } from './opened.ts';

const labelled = (name: string, env: string) =>
  aRequest({ target: { kind: 'instance', name, project: 1, region: 76, id: name, labels: { env } } });

export function startsContract(stores: () => Opened): void {
  describe('a started change', () => {
    it('is listed from a given time on, newest first, whatever its outcome', async () => {
      const { one, other } = stores();
      const early = await proposed(one);
      const late = await proposed(one);
      await proposed(one);
      await one.advance(aStep(early, 'running', { changes: { startedAt: 100 } }));
      await one.advance(aStep(late, 'running', { changes: { startedAt: 200 } }));
      await one.advance(aStep({ ...late, state: 'running', version: 2 }, 'failed'));
      const listed = (since: number) =>
        other.started([{ since, limit: 10 }]).then((starts) => starts.map(({ id, state }) => [id, state]));
      expect(await listed(100)).toEqual([
        [late.id, 'failed'],
        [early.id, 'running'],
      ]);
      expect(await listed(101)).toEqual([[late.id, 'failed']]);
      expect(await listed(201)).toEqual([]);
      const [start] = await one.started([{ since: 200, limit: 10 }]);
      const { operation, target, requester } = late;
      expect(start).toEqual({ id: late.id, state: 'failed', operation, target, requester, startedAt: 200 });
    });

    it('is found by target, person, operation and labels, up to the requested number, each once', async () => {
      const { one, other } = stores();
      const requests = [
        labelled('db-1', 'prod%'),
        labelled('db-2', 'prod%'),
        labelled('web-9', 'Prod%'),
        aRequest({ requester: bob }),
        aRequest({ operation: 'cdn.purge' }),
      ];
      for (const [index, request] of requests.entries()) {
        await one.propose(aProposal(request));
        await one.advance(aStep(request, 'running', { changes: { startedAt: 100 + index } }));
      }
      const [first, second, third, bobs, purge] = requests.map(({ id }) => id);
      const found = async (...of: readonly StartFilter[]) => idsOf(await other.started(of));
      const all = { since: 0, limit: 10 };
      expect(await found({ ...all, targetKey: requests[1]?.targetKey })).toEqual([second]);
      expect(await found({ ...all, requester: bob })).toEqual([bobs]);
      expect(await found({ ...all, operations: ['cdn.*', 'cloud.rebo'] })).toEqual([purge]);
      expect(await found({ ...all, operations: ['cloud.reboot'], limit: 2 })).toEqual([bobs, third]);
      expect(await found({ ...all, labels: { env: 'prod%' } })).toEqual([second, first]);
      expect(
        await found({ ...all, labels: { env: 'prod%' } }, { ...all, limit: 2 }, { ...all, limit: 1 }),
      ).toEqual([purge, bobs, second, first]);
      expect(await found()).toEqual([]);
    });

    it('lets a step be taken back that its check does not admit, with its entries', async () => {
      const { one } = stores();
      const request = await proposed(one);
      const before = await entryCount(one);
      const check: Step['check'] = { of: [{ since: 0, limit: 1 }], admits: () => false };
      expect(await one.advance({ ...aStep(request, 'running'), check })).toBeUndefined();
      expect(await one.find(request.id)).toMatchObject({ state: 'proposed', version: 1 });
      expect(await entryCount(one)).toBe(before);
      await expectIntact(one);
    });

    it('is seen by each check in turn, without the step itself: of many at once one is admitted', async () => {
      const { one, other } = stores();
      const requests = await Promise.all(Array.from({ length: 8 }, () => proposed(one)));
      const check: Step['check'] = {
        of: [{ since: 0, limit: 1 }],
        admits: (started) => started.length === 0,
      };
      const steps = await Promise.all(
        requests.map((request, index) =>
          (index % 2 ? one : other).advance({
            ...aStep(request, 'running', { changes: { startedAt: 100 } }),
            check,
          }),
        ),
      );
      expect(steps.filter(Boolean)).toHaveLength(1);
      expect(await one.started([{ since: 0, limit: 10 }])).toHaveLength(1);
      await expectIntact(one);
    });
  });
}
