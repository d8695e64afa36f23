import { describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { aProposal, aRequest, aStep } from '../sample-request.ts';
import { idsOf, type Opened, proposed } from './opened.ts';

const shown = { channel: 'C0OPS', ts: '1.2', thread: '1763700000.000001' };

/** For so long a card is left to the process that wrote the step. */
const ownerMs = 12_000;

const claimed = async (store: Store, now: number, limit = 10) =>
  idsOf(await store.claimStaleCards(now, 100, limit));

export function cardsContract(stores: () => Opened): void {
  describe('a card', () => {
    it('is claimed by one replica until the claim ends, oldest first', async () => {
      const { one, other } = stores();
      const ids = [(await proposed(one)).id, (await proposed(one)).id];
      const both = await Promise.all([claimed(one, 0), claimed(other, 0)]);
      expect(both.flat()).toEqual(ids);
      expect(await claimed(one, 99)).toEqual([]);
      expect(await claimed(other, 100, 1)).toEqual([ids[0]]);
    });

    it('is not put off for a day where the clock was set back by one', async () => {
      const { one } = stores();
      const { id } = await proposed(one);
      expect(await claimed(one, 24 * 3_600_000)).toEqual([id]);
      expect(await claimed(one, 1000)).toEqual([id]);
      expect(await claimed(one, 1000)).toEqual([]);
    });

    it('is claimed once each by 20 claims at a time', async () => {
      const { one, other } = stores();
      await Promise.all(Array.from({ length: 30 }, () => proposed(one)));
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, index) => claimed(index % 2 ? one : other, 0, 3)),
      );
      expect(new Set(claims.flat()).size).toBe(claims.flat().length);
    });

    it('belongs to the process that proposed or stepped, for 12 s', async () => {
      const { one, other } = stores();
      const request = aRequest();
      await one.propose(aProposal(request, { at: 500 - ownerMs }));
      expect(await claimed(other, 499)).toEqual([]);
      await one.advance(aStep(request, 'cancelled', { at: 700 - ownerMs }));
      expect(await claimed(other, 699)).toEqual([]);
      expect(await claimed(other, 700)).toEqual([request.id]);
    });

    it('rests while it shows the newest version', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      expect(await one.markCardShown(request.id, 1, shown)).toBe(true);
      expect(await one.findCard(request.id)).toEqual(shown);
      expect(await one.find(request.id)).toEqual(request);
      expect(await claimed(one, 10_000)).toEqual([]);
      await other.advance(aStep(request, 'cancelled'));
      expect(await claimed(one, 0)).toEqual([request.id]);
    });

    it('that shows a newer version is not taken for the older one that came late', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await other.advance(aStep(request, 'cancelled'));
      expect(await other.markCardShown(request.id, 2, shown)).toBe(true);
      expect(await one.markCardShown(request.id, 1, { channel: 'C0OPS', ts: '0' })).toBe(false);
      expect(await one.findCard(request.id)).toEqual(shown);
      expect(await claimed(one, 10_000)).toEqual([]);
    });

    it('that failed waits for its next try, or for the next step where it was given up', async () => {
      const { one } = stores();
      const request = await proposed(one);
      await one.markCardFailed(request.id, 500);
      expect(await claimed(one, 499)).toEqual([]);
      expect(await claimed(one, 500)).toEqual([request.id]);
      await one.markCardFailed(request.id, undefined);
      expect(await claimed(one, 10_000)).toEqual([]);
      await one.advance(aStep(request, 'cancelled'));
      expect(await claimed(one, 0)).toEqual([request.id]);
    });
  });
}
