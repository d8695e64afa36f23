import { describe, expect, it } from 'vitest';

import { aStep } from '../sample-request.ts';
import { claim, type Opened, pass, proposed } from './opened.ts';

const shown = { channel: 'C0OPS', ts: '1.2', thread: '1763700000.000001' };

export function cardsContract(stores: () => Opened): void {
  describe('a card', () => {
    it('is found where it was shown', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      expect(await other.findCard(request.id)).toBeUndefined();
      expect(await one.markCardShown(request.id, 1, shown)).toBe(true);
      expect(await other.findCard(request.id)).toEqual(shown);
      expect(await one.find(request.id)).toEqual({ ...request, card: shown });
    });

    it('that shows a newer version is not taken for the older one that came late', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await other.advance(aStep(request, 'cancelled'));
      expect(await other.markCardShown(request.id, 2, shown)).toBe(true);
      expect(await one.markCardShown(request.id, 1, { channel: 'C0OPS', ts: '0' })).toBe(false);
      expect(await one.findCard(request.id)).toEqual(shown);
    });

    it.each([
      ['done', { done: true } as const, []],
      ['done again later', { againIn: 5000 }, [{ version: 1 }]],
    ])('that was shown is %s in the same step', async (_, outcome, left) => {
      const opened = stores();
      const { one, other } = opened;
      const { id } = await proposed(one);
      await pass(opened, 13_000);
      const [due] = await claim(one, 'card');
      if (!due) throw new Error('the card is not due');
      expect(await one.markCardShown(id, 1, shown, { due, outcome, now: Date.now() })).toBe(true);
      expect(await claim(other, 'card')).toEqual([]);
      await pass(opened, 6000);
      expect(await claim(other, 'card')).toMatchObject(left);
    });

    it('of a change that starts is due again when the service should have answered', async () => {
      const opened = stores();
      const { one, other } = opened;
      const request = { ...(await proposed(one)), card: shown };
      await one.markCardShown(request.id, 1, shown);
      await one.advance(aStep(request, 'running', { at: Date.now() }));
      await pass(opened, 4000);
      expect(await claim(other, 'card')).toEqual([]);
      await pass(opened, 1001);
      expect(await claim(other, 'card')).toMatchObject([{ key: request.id, version: 2 }]);
    });

    it('stays due where a newer version was shown, or is due', async () => {
      const opened = stores();
      const { one, other } = opened;
      const request = await proposed(one);
      await pass(opened, 13_000);
      const [due] = await claim(one, 'card');
      if (!due) throw new Error('the card is not due');
      const finished = { due, outcome: { done: true }, now: Date.now() } as const;
      await other.advance(aStep(request, 'cancelled'));
      expect(await other.markCardShown(request.id, 2, shown)).toBe(true);
      expect(await one.markCardShown(request.id, 1, shown, finished)).toBe(false);
      expect(await one.markCardShown(request.id, 2, shown, finished)).toBe(true);
      await pass(opened, 13_000);
      expect(await claim(other, 'card')).toMatchObject([{ version: 2 }]);
    });
  });
}
