import { describe, expect, it } from 'vitest';

import { aStep } from '../sample-request.ts';
import { type Opened, proposed } from './opened.ts';

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
  });
}
