import { describe, expect, it } from 'vitest';

import type { Notice } from '../../../src/model/requests.ts';
import { aStep } from '../sample-request.ts';
import { type Opened, proposed } from './opened.ts';

export function noticesContract(stores: () => Opened): void {
  describe('a notice', () => {
    it('is written by the step that gives it, told by one replica, and gone once it was', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      const expired: Notice = { requestId: request.id, kind: 'expired', at: 10 };
      const later: Notice = { ...expired, kind: 'reminder', at: 50, why: 'still' };
      await one.advance({ ...aStep(request, 'expired'), notices: [later, expired] });
      await one.advance({ ...aStep(request, 'cancelled'), notices: [{ ...expired, kind: 'failed' }] });
      expect(await one.claimNotices(9, 100, 5)).toEqual([]);
      const claims = await Promise.all([one.claimNotices(10, 100, 5), other.claimNotices(10, 100, 5)]);
      expect(claims.flat()).toEqual([expired]);
      await one.settleNotice(expired, 60);
      expect(await other.claimNotices(60, 100, 5)).toEqual([expired, later]);
      await other.settleNotice(expired, undefined);
      await other.settleNotice(later, undefined);
      expect(await one.claimNotices(1_000_000, 100, 5)).toEqual([]);
    });

    it('of a target that is watched comes with the last look, once', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      const watch = { requestId: request.id, at: 10 };
      await one.advance({ ...aStep(request, 'expired'), watch });
      await one.advance({ ...aStep(request, 'cancelled'), watch: { requestId: 'r-other', at: 10 } });
      expect(await one.claimWatches(9, 100, 5)).toEqual([]);
      const claims = await Promise.all([one.claimWatches(10, 100, 5), other.claimWatches(10, 100, 5)]);
      expect(claims.flat()).toEqual([{ requestId: request.id, at: 110 }]);
      await one.moveWatch({ requestId: request.id, at: 20, movedAt: 15 });
      expect(await other.claimWatches(20, 100, 5)).toEqual([{ requestId: request.id, at: 120, movedAt: 15 }]);
      const told: Notice = { requestId: request.id, kind: 'watched', at: 21 };
      for (const store of [one, other]) await store.endWatch(request.id, [told]);
      expect(await one.claimWatches(1_000, 100, 5)).toEqual([]);
      expect(await one.claimNotices(1_000, 100, 5)).toEqual([told]);
    });
  });
}
