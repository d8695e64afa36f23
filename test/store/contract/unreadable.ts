import { describe, expect, it } from 'vitest';

import { openStates } from '../../../src/model/records/request.ts';
import { aDraft, aStep } from '../sample-request.ts';
import { claimed, idsOf, type Opened, proposed, sealAll } from './opened.ts';
import { bob } from '../../people.ts';

/** A row of a newer version: a decision that this version does not know. */
const newer = `'{"effect":"ponder"}'`;

export function unreadableContract(stores: () => Opened): void {
  describe('a request that cannot be read', () => {
    it('is omitted from lists, which continue', async () => {
      const { one, run } = stores();
      const broken = await proposed(one);
      const whole = await proposed(one);
      await run(`update requests set decision = ${newer} where id = '${broken.id}'`);
      expect(idsOf(await one.list({ states: openStates, limit: 10 }))).toEqual([whole.id]);
    });

    it('is reported with row, table and reason, each time that a list omits it', async () => {
      const { one, run, unreadable } = stores();
      const { id } = await proposed(one);
      await run(`update requests set decision = ${newer} where id = '${id}'`);
      await one.list({ limit: 10 });
      expect(unreadable()).toEqual([`requests ${id} decision.effect`]);
    });

    it('fails if that request itself is read, and says who wrote it and what to do', async () => {
      const { one, run } = stores();
      const { id } = await proposed(one);
      await run(`update requests set decision = ${newer} where id = '${id}'`);
      await expect(one.find(id)).rejects.toThrow(
        /A newer version of Bellhop wrote it, or it was edited by hand\..*newer version/u,
      );
    });

    it('leaves limits and guards the other changes that were started, and its own where its end alone is unknown', async () => {
      const { one, run } = stores();
      const requests = [await proposed(one), await proposed(one), await proposed(one)];
      for (const request of requests)
        await one.advance(aStep(request, 'running', { changes: { startedAt: 100 } }));
      const [untold, newState, whole] = requests;
      await run(`update requests set target = '{"kind":"moon"}' where id = '${untold?.id}'`);
      await run(`update requests set state = 'paused' where id = '${newState?.id}'`);
      expect((await one.started([{ since: 0, limit: 10 }])).map(({ id, state }) => [id, state])).toEqual([
        [whole?.id, 'running'],
        [newState?.id, 'unknown'],
      ]);
    });
  });

  describe('other rows that cannot be read', () => {
    it('are omitted: entries, reviews and deliveries', async () => {
      const { one, run, disarm } = stores();
      const [broken, whole] = [await proposed(one), await proposed(one)];
      for (const request of [broken, whole]) {
        const review = { rule: 'rule 2', approvers: ['leads'] };
        await one.advance(
          aStep(request, 'running', { changes: { review }, audit: [aDraft({ requestId: request.id })] }),
        );
        const waiting = { actor: bob, channel: 'C0OPS', what: 'your click', at: 1 };
        await one.claimOnce(request.id, 0, 1000, { by: 'x', now: 0, forMs: 0, waiting });
      }
      await sealAll(one);
      await disarm();
      await run(`update audit set draft = '{"event":"pondered"}' where request_id = '${broken.id}'`);
      await run(`update requests set review = '7' where id = '${broken.id}'`);
      await run(`update deliveries set about = '7x' where key = '${broken.id}'`);
      expect((await one.audit({ limit: 10 })).map(({ requestId }) => requestId)).toEqual([whole.id]);
      expect(idsOf(await one.openReviews(10))).toEqual([whole.id]);
      await expect(one.find(broken.id)).rejects.toThrow(/cannot be read/u);
      expect(await claimed(one, 'delivery')).toEqual([whole.id]);
    });

    it('do not hide from anyone who reads the whole record', async () => {
      const { one, run, disarm } = stores();
      await one.record([aDraft()]);
      await sealAll(one);
      await disarm();
      await run(`update audit set draft = '{"event":"pondered"}'`);
      await expect(one.auditFrom(0, 10)).rejects.toThrow(/cannot be read/u);
      expect(idsOf(await one.list({ limit: 1 }))).toEqual([]);
    });
  });
}
