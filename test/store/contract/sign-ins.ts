import { describe, expect, it } from 'vitest';

import type { HeldClick } from '../../../src/model/step-up.ts';
import { carol } from '../../people.ts';
import type { Opened } from './opened.ts';

const click: HeldClick = {
  requestId: 'r-1',
  version: 1,
  action: 'approve',
  actor: carol,
  place: { team: 'T0LOCAL', channel: 'C0OPS' },
  correlationId: 'c-1',
};
const login = { issuer: 'https://login.example.com', subject: 's', auth_time: 1_763_700_000, acr: 'phr' };
const minute = 60_000;

export function signInsContract(stores: () => Opened): void {
  describe('a link to sign in by', () => {
    it('goes through each of its stages once, whichever replica is asked', async () => {
      const { one, other } = stores();
      const now = Date.now();
      await one.addSignIn('token', click, now, 2 * minute);
      expect(await other.findSignIn('token', now)).toEqual({ click, isOpen: true });
      const all = [one, other, one, other];
      const followed = await Promise.all(
        all.map((store, index) => store.followSignIn('token', `browser ${index}`, now, minute)),
      );
      expect(followed.filter(Boolean)).toHaveLength(1);
      expect(await one.findSignIn('token', now)).toEqual({ click, isOpen: false });
      const browser = `browser ${followed.indexOf(true)}`;
      expect(await other.spendLogin(browser, now)).toBe(undefined);

      const returned = await Promise.all(all.map((store) => store.returnSignIn(browser, now)));
      const [first, ...more] = returned.filter((row) => row !== undefined);
      expect([first?.click, more]).toEqual([click, []]);
      expect(first?.ageMs).toBeLessThan(minute);
      expect(await other.spendLogin(browser, now)).toBe(undefined);

      await other.keepLogin(browser, login);
      const spent = await Promise.all(all.map((store) => store.spendLogin(browser, now)));
      expect(spent.filter((row) => row !== undefined)).toEqual([{ click, login }]);
    });

    it('is over after its time, at each stage', async () => {
      const { one } = stores();
      const now = Date.now();
      await one.addSignIn('late', click, now, -1);
      expect(await one.findSignIn('late', now)).toEqual({ click, isOpen: false });
      expect(await one.followSignIn('late', 'late', now, minute)).toBe(false);
      await one.addSignIn('slow', click, now, minute);
      expect(await one.followSignIn('slow', 'slow', now, -1)).toBe(true);
      expect(await one.returnSignIn('slow', now)).toBe(undefined);
    });

    it('is not known before, nor an hour after its end', async () => {
      const { one, other } = stores();
      const now = Date.now();
      expect(await one.findSignIn('old', now)).toBe(undefined);
      await one.addSignIn('old', click, now, -61 * minute);
      await other.addSignIn('new', click, now, minute);
      expect(await one.findSignIn('old', now)).toBe(undefined);
      expect(await one.findSignIn('new', now)).toMatchObject({ isOpen: true });
    });
  });
}
