import { describe, expect, it } from 'vitest';

import type { AuditFilter } from '../../../src/model/records/audit.ts';
import type { Store } from '../../../src/store/store.ts';
import { aDraft } from '../sample-request.ts';
import { expectIntact, type Opened, proposed, sealAll } from './opened.ts';
import { alice, bob } from '../../people.ts';

const page = async (store: Store, filter: Partial<AuditFilter>) =>
  (await store.audit({ limit: 10, ...filter })).map(({ seq }) => seq);

export function recordContract(stores: () => Opened): void {
  describe('the record', () => {
    it('has one order from two replicas, without a gap, and that of each step', async () => {
      const { one, other } = stores();
      await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          (index % 2 ? one : other).record([aDraft({ at: index }), aDraft({ at: index, event: 'denied' })]),
        ),
      );
      const entries = await one.auditFrom(0, 1000);
      expect(entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 120 }, (_, index) => index + 1));
      const steps = Map.groupBy(entries, ({ at }) => at);
      expect([...steps.values()].map((step) => step.map(({ event }) => event))).toEqual(
        Array.from({ length: 60 }, () => ['read', 'denied']),
      );
      await expectIntact(one);
    });

    it('gives entries back as they were recorded', async () => {
      const { one, other } = stores();
      const said = aDraft({
        place: { team: 'T0LOCAL', channel: 'C0OPS' },
        input: { b: 1, a: ['x', { y: null }], odd: 'a\0\ud800b', 'key\0': 1 },
        target: { kind: 'instance', name: 'web-\0', key: 'k', labels: { env: 'staging' } },
      });
      await one.record([{ ...said, reason: undefined }]);
      expect(await other.auditFrom(0, 1)).toEqual([{ ...said, seq: 1 }]);
      await sealAll(one);
      expect(await other.auditFrom(0, 1)).toMatchObject([{ ...said, seq: 1 }]);
      expect(await page(other, { targetName: 'web-\0' })).toEqual([1]);
      await expectIntact(one);
    });

    it('omits the reads and invalid commands of others, and nothing else', async () => {
      const { one, other } = stores();
      await one.record([
        aDraft(),
        aDraft({ actor: bob }),
        aDraft({ actor: { ...alice, team: 'T0OTHER' }, event: 'invalid' }),
        aDraft({ actor: bob, event: 'denied' }),
        aDraft({ actor: undefined, event: 'ended' }),
      ]);
      expect(await page(other, { privateTo: alice })).toEqual([5, 4, 1]);
      expect(await page(other, { privateTo: bob })).toEqual([5, 4, 2]);
      expect(await page(other, { privateTo: alice, actor: bob })).toEqual([4]);
    });

    it.each<[which: string, seal: (store: Store) => Promise<void>]>([
      ['sealed', sealAll],
      ['not sealed yet', () => Promise.resolve()],
      ['half of them sealed', sealAll],
    ])('is paged newest first, by actor, target, request and time: %s', async (which, seal) => {
      const { one, other } = stores();
      const target = { kind: 'instance', name: 'web-1', key: 'k', labels: {} };
      await one.record([aDraft({ at: 10 }), aDraft({ at: 30, actor: bob, target })]);
      if (which.startsWith('half')) await seal(one);
      await one.record([aDraft({ at: 20, requestId: 'r-x' }), aDraft({ at: 40, target })]);
      if (!which.startsWith('half')) await seal(one);
      expect(await page(other, {})).toEqual([4, 3, 2, 1]);
      expect(await page(other, { limit: 2 })).toEqual([4, 3]);
      expect(await page(other, { before: 3, limit: 1 })).toEqual([2]);
      expect(await page(other, { actor: alice })).toEqual([4, 3, 1]);
      expect(await page(other, { targetName: 'web-1' })).toEqual([4, 2]);
      expect(await page(other, { targetName: 'web-1', before: 4 })).toEqual([2]);
      expect(await page(other, { requestId: 'r-x' })).toEqual([3]);
      expect(await page(other, { since: 20 })).toEqual([4, 3, 2]);
      expect(await page(other, { since: 25 })).toEqual([4, 2]);
      expect(await page(other, { since: 41 })).toEqual([]);
      expect(await page(other, { since: 20, actor: bob })).toEqual([2]);
    });

    it('of a rollout is that of its single requests too', async () => {
      const { one, other } = stores();
      await proposed(one, { id: 'r-single', partOf: 'r-rollout' });
      await one.record([
        aDraft({ requestId: 'r-rollout' }),
        aDraft({ requestId: 'r-other' }),
        aDraft({ requestId: 'r-single' }),
      ]);
      expect(await page(other, { requestId: 'r-rollout' })).toEqual([3, 1]);
      expect(await page(other, { requestId: 'r-single' })).toEqual([3]);
    });

    it('is found by time though clocks disagree', async () => {
      const { one, other } = stores();
      await one.record([aDraft({ at: 60 })]);
      await other.record([aDraft({ at: 10 })]);
      await one.record([aDraft({ at: 50 })]);
      expect(await page(other, { since: 20 })).toEqual([3, 1]);
      expect(await page(other, { since: 55 })).toEqual([1]);
    });

    it.each([
      "update audit set draft = '{}'",
      "update audit set event = 'read'",
      'delete from audit',
      'update audit_nodes set level = 7',
      'delete from audit_nodes',
      "update audit_checkpoints set note = ''",
      'delete from audit_checkpoints',
    ])('refuses in the database itself: %s', async (statement) => {
      const { one, run } = stores();
      await one.record(Array.from({ length: 256 }, () => aDraft()));
      await sealAll(one);
      await expect(run(statement)).rejects.toThrow(/audit entries are never/);
      await expectIntact(one);
    });
  });
}
