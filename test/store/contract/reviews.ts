import { describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { openedReview, type Review } from '../../../src/model/requests.ts';
import { aDraft, aStep } from '../sample-request.ts';
import { claim, claimed, expectIntact, type Opened, proposed } from './opened.ts';
import { alice, bob } from '../../people.ts';

const skipped = { rule: 'rule 2', approvers: ['leads'], note: 'Guard 1: the last that runs.' };
const shown = { channel: 'C0OPS', ts: '1.2' };

/** A request that runs past its approval, and the review that this opened. */
async function opened(store: Store, at = 10): Promise<Review> {
  const request = await proposed(store, { breakGlass: 'fire', words: '/cloud reboot db-1' });
  const review = openedReview(request, skipped, at);
  await store.advance({ ...aStep(request, 'running'), review });
  return review;
}

const closing = (review: Review, by = bob, word = 'it was right') => ({
  requestId: review.requestId,
  by,
  at: 500,
  word,
  audit: [aDraft({ event: 'review closed', requestId: review.requestId })],
});

export function reviewsContract(stores: () => Opened): void {
  describe('a review', () => {
    it('is opened by the step that skips an approval, and by none that comes too late', async () => {
      const { one, other } = stores();
      const request = await proposed(one, { breakGlass: 'fire' });
      const review = openedReview(request, skipped, 10);
      await one.advance(aStep(request, 'cancelled'));
      expect(await one.advance({ ...aStep(request, 'running'), review })).toBeUndefined();
      expect(await one.findReview(request.id)).toBeUndefined();
      const kept = await opened(one);
      expect(await other.findReview(kept.requestId)).toEqual({ ...kept, reason: 'fire' });
    });

    it('is listed while it is open, the oldest first', async () => {
      const { one } = stores();
      const [young, old] = [await opened(one, 30), await opened(one, 20)];
      expect(await one.openReviews(10)).toEqual([old, young]);
      expect(await one.openReviews(1)).toEqual([old]);
      await one.closeReview(closing(old));
      expect(await one.openReviews(10)).toEqual([young]);
    });

    it('is closed once, by whoever comes first, with an entry in the record', async () => {
      const { one, other } = stores();
      const review = await opened(one);
      const closed = await Promise.all([
        one.closeReview(closing(review, bob, 'by bob')),
        other.closeReview(closing(review, alice, 'by alice')),
      ]);
      expect(closed.filter(Boolean)).toHaveLength(1);
      const kept = await one.findReview(review.requestId);
      expect(kept).toEqual(closed.find(Boolean));
      expect(kept?.word).toBe(kept?.closedBy?.user === bob.user ? 'by bob' : 'by alice');
      const entries = await one.audit({ requestId: review.requestId, limit: 10 });
      expect(entries.filter(({ event }) => event === 'review closed')).toHaveLength(1);
      await expectIntact(one);
    });

    it('is due once it is opened, and once it is closed, even where the news that it is open was on its way', async () => {
      const { one, other } = stores();
      const review = await opened(one);
      const [due, ...more] = (await Promise.all([claim(one, 'review'), claim(other, 'review')])).flat();
      expect([due?.key, more]).toEqual([review.requestId, []]);
      expect(await one.findAnnouncement(review.requestId)).toEqual(review);
      await one.keepAnnouncement(review.requestId, shown);
      await other.closeReview(closing(review));
      if (due) await one.settleDue(due, { againIn: 90_000 }, Date.now());
      expect(await claimed(one, 'review')).toEqual([review.requestId]);
      expect(await one.findAnnouncement(review.requestId)).toMatchObject({ message: shown, closedAt: 500 });
    });
  });
}
