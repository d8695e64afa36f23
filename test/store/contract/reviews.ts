import { describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { roomEvent } from '../../../src/model/records/audit.ts';
import type { Request } from '../../../src/model/records/request.ts';
import { aDraft, aStep } from '../sample-request.ts';
import { claim, claimed, expectIntact, type Opened, proposed } from './opened.ts';
import { alice, bob } from '../../people.ts';
import { dueKind } from '../../../src/model/records/due.ts';

const closedEvent = roomEvent.parse('review closed');
const skipped = { rule: 'rule 2', approvers: ['leads'], note: 'Guard 1: the last that runs.' };
const shown = { channel: 'C0OPS', ts: '1.2' };

/** A request that runs without its approval, and so has an open review. */
async function opened(store: Store, startedAt = 10): Promise<Request> {
  const request = await proposed(store, { breakGlass: 'fire', words: '/cloud reboot db-1' });
  const running = await store.advance(aStep(request, 'running', { changes: { startedAt, review: skipped } }));
  if (!running) throw new Error('it did not start');
  return running;
}

const closing = ({ id: requestId }: Request, by = bob, word = 'it was right') => ({
  requestId,
  by,
  at: 500,
  word,
  audit: [aDraft({ event: closedEvent, requestId })],
});

export function reviewsContract(stores: () => Opened): void {
  describe('a review', () => {
    it('is opened by the step that skips an approval, and by none that comes too late', async () => {
      const { one, other } = stores();
      const request = await proposed(one, { breakGlass: 'fire' });
      await one.advance(aStep(request, 'cancelled'));
      const late = aStep(request, 'running', { changes: { review: skipped } });
      expect(await one.advance(late)).toBeUndefined();
      expect((await one.find(request.id))?.review).toBeUndefined();
      const kept = await opened(one);
      expect(await other.find(kept.id)).toMatchObject({ breakGlass: 'fire', review: skipped });
    });

    it('is listed while it is open, the oldest first', async () => {
      const { one } = stores();
      const [young, old] = [await opened(one, 30), await opened(one, 20)];
      expect(await one.openReviews(10)).toEqual([old, young]);
      expect(await one.openReviews(1)).toEqual([old]);
      await one.closeReview(closing(old));
      expect(await one.openReviews(10)).toEqual([young]);
    });

    it('is closed once, by anyone who comes first, with an entry in the record', async () => {
      const { one, other } = stores();
      const review = await opened(one);
      const closed = await Promise.all([
        one.closeReview(closing(review, bob, 'by bob')),
        other.closeReview(closing(review, alice, 'by alice')),
      ]);
      expect(closed.filter(Boolean)).toHaveLength(1);
      const kept = await one.find(review.id);
      expect(kept).toEqual(closed.find(Boolean));
      const { word, by } = kept?.reviewClosed ?? {};
      expect(word).toBe(by?.user === bob.user ? 'by bob' : 'by alice');
      const entries = await one.audit({ requestId: review.id, limit: 10 });
      expect(entries.filter(({ event }) => event === 'review closed')).toHaveLength(1);
      await expectIntact(one);
    });

    it('is closed while its request runs, which then ends as it would have', async () => {
      const { one, other } = stores();
      const running = await opened(one);
      await other.closeReview(closing(running));
      expect(await one.advance(aStep(running, 'succeeded'))).toMatchObject({
        state: 'succeeded',
        reviewClosed: { by: bob, word: 'it was right' },
      });
    });

    it('keeps its request from being removed until it is closed and the closing is announced', async () => {
      const { one } = stores();
      const running = await opened(one);
      await one.advance(aStep(running, 'succeeded'));
      await one.finishDue(
        { kind: dueKind('card'), key: running.id, version: 9, claimedAt: 0 },
        { done: true },
        0,
      );
      const [first] = await claim(one, 'review');
      if (first) await one.finishDue(first, { done: true }, 0);
      expect(await one.removeSettled(Date.now(), 10)).toBe(0);
      await one.closeReview(closing(running));
      expect(await one.removeSettled(Date.now(), 10)).toBe(0);
      const [last] = await claim(one, 'review');
      if (last) await one.finishDue(last, { done: true }, 0);
      expect(await one.removeSettled(Date.now(), 10)).toBe(1);
    });

    it('is due once it is opened, and once it is closed, even where the news that it is open was on its way', async () => {
      const { one, other } = stores();
      const review = await opened(one);
      const [due, ...more] = (await Promise.all([claim(one, 'review'), claim(other, 'review')])).flat();
      expect([due?.key, more]).toEqual([review.id, []]);
      await one.keepAnnouncement(review.id, shown);
      await other.closeReview(closing(review));
      if (due) await one.finishDue(due, { againIn: 90_000 }, Date.now());
      expect(await claimed(one, 'review')).toEqual([review.id]);
      expect(await one.find(review.id)).toMatchObject({ reviewMessage: shown, reviewClosed: { at: 500 } });
    });
  });
}
