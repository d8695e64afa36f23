import { describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { openedReview, type Review } from '../../../src/model/requests.ts';
import { aDraft, aStep, alice, bob } from '../sample-request.ts';
import { expectIntact, type Opened, proposed } from './opened.ts';

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

    it('is told of at once, by one replica at a time, and again when that was asked for', async () => {
      const { one, other } = stores();
      const review = await opened(one, 10);
      expect(await one.claimReviews(9, 100, 5)).toEqual([]);
      const claims = await Promise.all([one.claimReviews(10, 100, 5), other.claimReviews(10, 100, 5)]);
      expect(claims.flat()).toEqual([review]);
      expect(await other.claimReviews(109, 100, 5)).toEqual([]);
      await one.markReviewAnnounced(review, shown, 1000);
      expect(await one.claimReviews(999, 100, 5)).toEqual([]);
      expect(await one.claimReviews(1000, 100, 5)).toEqual([{ ...review, message: shown }]);
    });

    it('has its closing told too, even where the news that it is open was still on its way', async () => {
      const { one } = stores();
      const review = await opened(one, 10);
      await one.claimReviews(10, 100, 5);
      await one.closeReview(closing(review));
      await one.markReviewAnnounced(review, shown, 90_000);
      const [closed] = await one.claimReviews(500, 100, 5);
      expect(closed).toMatchObject({ message: shown, closedAt: 500 });
      if (closed) await one.markReviewAnnounced(closed, shown, undefined);
      expect(await one.claimReviews(1_000_000, 100, 5)).toEqual([]);
    });
  });
}
