import { describe, expect, it } from 'vitest';

import type { HeldClick } from '../../../src/model/values/pass.ts';
import { bob, carol } from '../../people.ts';
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
const follow = (token: string, browser: string, goodMs: number) =>
  ({ to: 'followed', token, browser, goodMs }) as const;

export function signInsContract(stores: () => Opened): void {
  describe('a sign-in link', () => {
    it('goes through each of its stages once, whichever replica is asked', async () => {
      const { one, other } = stores();
      const now = Date.now();
      await one.addSignIn('token', click, now, 2 * minute);
      expect(await other.findSignIn({ token: 'token' }, now)).toEqual({
        click,
        isOpen: true,
        isSignedIn: false,
      });
      const all = [one, other, one, other];
      const followed = await Promise.all(
        all.map((store, index) => store.moveSignIn(follow('token', `browser ${index}`, minute), now)),
      );
      expect(followed.filter((row) => row !== undefined)).toHaveLength(1);
      expect(await one.findSignIn({ token: 'token' }, now)).toEqual({
        click,
        isOpen: false,
        isSignedIn: false,
      });
      const browser = `browser ${followed.findIndex((row) => row !== undefined)}`;
      expect(await other.moveSignIn({ to: 'spent', browser }, now)).toBe(undefined);

      const returned = await Promise.all(
        all.map((store) => store.moveSignIn({ to: 'returned', browser }, now)),
      );
      const [first, ...more] = returned.filter((row) => row !== undefined);
      expect([first?.click, more]).toEqual([click, []]);
      expect(first?.ageMs).toBeLessThan(minute);
      expect(await other.moveSignIn({ to: 'spent', browser }, now)).toBe(undefined);

      expect(await one.findSignIn({ browser }, now)).toEqual({ click, isOpen: false, isSignedIn: false });
      const signed = all.map((store) => store.moveSignIn({ to: 'signed in', browser, login }, now));
      expect((await Promise.all(signed)).filter((row) => row !== undefined)).toHaveLength(1);
      const spent = await Promise.all(all.map((store) => store.moveSignIn({ to: 'spent', browser }, now)));
      expect(spent.filter((row) => row !== undefined)).toEqual([expect.objectContaining({ click, login })]);
      expect(await one.findSignIn({ browser }, now)).toEqual({ click, isOpen: false, isSignedIn: true });
    });

    it('is over after its time, at each stage', async () => {
      const { one } = stores();
      const now = Date.now();
      await one.addSignIn('late', click, now, -1);
      expect(await one.findSignIn({ token: 'late' }, now)).toEqual({
        click,
        isOpen: false,
        isSignedIn: false,
      });
      expect(await one.moveSignIn(follow('late', 'late', minute), now)).toBe(undefined);
      await one.addSignIn('slow', click, now, minute);
      expect(await one.moveSignIn(follow('slow', 'slow', -1), now)).toMatchObject({ click });
      expect(await one.moveSignIn({ to: 'returned', browser: 'slow' }, now)).toBe(undefined);
    });

    it('is one of the twenty newest of its person, whatever their outcome', async () => {
      const { one, other } = stores();
      const now = Date.now();
      const bobs = { ...click, actor: bob };
      await one.addSignIn('of bob', bobs, now, minute);
      for (let number = 0; number < 22; number += 1) {
        // The server's clock advances at least as fast as these times.
        await one.addSignIn(`link ${number}`, click, now + number, minute);
        if (number === 0) await other.moveSignIn(follow('link 0', 'of link 0', minute), now);
      }
      const links = ['of bob', ...Array.from({ length: 22 }, (_, number) => `link ${number}`)];
      const found = await Promise.all(links.map((token) => other.findSignIn({ token }, now)));
      const known = links.filter((_, index) => found[index]);
      expect(known).toHaveLength(21);
      expect(known).toEqual(expect.arrayContaining(['of bob', 'link 21']));
      expect(known).not.toContain('link 0');
      expect(await one.moveSignIn({ to: 'returned', browser: 'of link 0' }, now)).toBe(undefined);
    });

    it('is not known before, nor an hour after its end', async () => {
      const { one, other } = stores();
      const now = Date.now();
      expect(await one.findSignIn({ token: 'old' }, now)).toBe(undefined);
      await one.addSignIn('old', click, now, -61 * minute);
      await other.addSignIn('new', click, now, minute);
      expect(await one.findSignIn({ token: 'old' }, now)).toBe(undefined);
      expect(await one.findSignIn({ token: 'new' }, now)).toMatchObject({ isOpen: true });
    });
  });
}
