import { describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { aDraft } from '../sample-request.ts';
import { type Opened, sealAll } from './opened.ts';

async function record(store: Store, ...times: readonly number[]): Promise<void> {
  await store.record(times.map((at) => aDraft({ at })));
  await sealAll(store);
}

const minute = 60_000;

/** As a destination is left where nothing went wrong. */
const well = { failures: 0, problem: undefined };

export function forwardingContract(stores: () => Opened): void {
  describe('the cursor of what is forwarded', () => {
    it('begins once, where it is told to, and tells how much is left of what is sealed', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.record([aDraft()]);
      expect(await one.findForwarding('siem')).toBeUndefined();
      const begun = await Promise.all([one, other].map((store) => store.beginForwarding('siem', 1)));
      expect(begun.toSorted()).toEqual([false, true]);
      expect(await other.findForwarding('siem')).toEqual({
        sent: 1,
        newest: 3,
        oldestAt: 20,
        problem: undefined,
        tryAt: 0,
      });
      expect(await one.beginForwarding('new', 'newest')).toBe(true);
      expect(await one.findForwarding('new')).toMatchObject({ sent: 3, newest: 3, oldestAt: undefined });
    });

    it('is claimed by one at a time, for as long as it says', async () => {
      const { one, other } = stores();
      await one.beginForwarding('siem', 0);
      const claims = await Promise.all(
        [one, other].map((store) => store.claimForwarding('siem', 1000, minute)),
      );
      expect(claims.filter((claim) => claim !== undefined)).toEqual([{ sent: 0, ...well }]);
      expect(await other.claimForwarding('siem', 1000 + minute - 1, minute)).toBeUndefined();
      expect(await other.claimForwarding('siem', 1000 + minute, minute)).toEqual({ sent: 0, ...well });
      expect(await other.claimForwarding('nothing', 1000, minute)).toBeUndefined();
    });

    it('is claimed also where the clock was set back by more than any claim lasts', async () => {
      const { one, other } = stores();
      await one.beginForwarding('siem', 0);
      await one.claimForwarding('siem', 1000 * minute, minute);
      expect(await other.claimForwarding('siem', minute, minute)).toBeDefined();
    });

    it('moves only from where it is, and keeps why it does not', async () => {
      const { one, other } = stores();
      await record(one, 10, 20, 30);
      await one.beginForwarding('siem', 0);
      expect(await one.moveForwarding('siem', 0, { sent: 2, ...well, tryAt: 7 })).toBe(true);
      expect(await other.moveForwarding('siem', 0, { sent: 1, ...well, tryAt: 9 })).toBe(false);
      expect(await other.findForwarding('siem')).toMatchObject({ sent: 2, oldestAt: 30, tryAt: 7 });
      const failed = { sent: 2, failures: 3, problem: 'answered 503' };
      expect(await other.moveForwarding('siem', 2, { ...failed, tryAt: 9 })).toBe(true);
      expect(await one.findForwarding('siem')).toMatchObject({ problem: 'answered 503' });
      expect(await one.claimForwarding('siem', 9, minute)).toEqual(failed);
    });
  });
}
