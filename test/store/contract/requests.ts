import { describe, expect, it } from 'vitest';

import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { entryCount, expectIntact, type Opened, proposed } from './opened.ts';
import { bob } from '../../people.ts';

export function requestsContract(stores: () => Opened): void {
  describe('a request', () => {
    it('is read back as it was proposed, by any replica', async () => {
      const { one, other } = stores();
      const request = await proposed(one, { reason: 'it hangs', breakGlass: 'fire', note: 'émoji 🔥' });
      expect(await other.find(request.id)).toEqual(request);
      expect(await other.find('r-none')).toBeUndefined();
    });

    it('keeps text that a database would refuse readable', async () => {
      const { one } = stores();
      const { id } = await proposed(one, { words: 'a\0b\ud800', input: { text: 'a\0b' } });
      expect(await one.find(id)).toMatchObject({ words: 'a\u{FFFD}b\u{FFFD}', input: { text: 'a\0b' } });
      expect(await one.find('\0')).toBeUndefined();
    });

    it('moves by one step, with its changes and its entries', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      const changes = {
        decidedBy: bob,
        decidedAt: 5,
        startedAt: 6,
        runner: 'claim-1',
        before: { status: 'ACTIVE' },
      };
      const running = await one.advance(aStep(request, 'running', { changes }));
      expect(running).toEqual({ ...request, ...changes, state: 'running', version: 2 });
      expect(await other.find(request.id)).toEqual(running);
      expect(await other.audit({ requestId: request.id, limit: 5 })).toMatchObject([{ outcome: 'running' }]);
    });

    it('has one winner among 100 steps from two replicas, and one entry', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      const steps = Array.from({ length: 100 }, (_, index) =>
        (index % 2 ? one : other).advance(aStep(request, index % 3 ? 'running' : 'cancelled')),
      );
      const winners = (await Promise.all(steps)).filter((row) => row !== undefined);
      expect(winners).toHaveLength(1);
      expect(await one.audit({ requestId: request.id, limit: 200 })).toHaveLength(1);
      await expectIntact(one);
    });

    it('has one winner among 20 steps that keep its state, because each was decided on one version', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await one.advance(aStep(request, 'awaiting approval'));
      const waiting = { ...request, state: 'awaiting approval', version: 2 } as const;
      const steps = Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? one : other).advance(aStep(waiting, 'awaiting approval')),
      );
      expect((await Promise.all(steps)).filter((row) => row !== undefined)).toHaveLength(1);
    });

    it('takes no step whose entry cannot be written', async () => {
      const { one } = stores();
      const request = await proposed(one);
      const audit = [aDraft({ input: { id: 10n } })];
      await expect(one.advance(aStep(request, 'running', { audit }))).rejects.toThrow(TypeError);
      expect(await one.find(request.id)).toEqual(request);
      expect(await entryCount(one)).toBe(0);
    });

    it('is renewed by its claim as long as its lease lasts, and ended by others only after that', async () => {
      const { one, other } = stores();
      const minute = 60_000;
      const now = Date.now();
      const request = await proposed(one);
      const renewed = (claim: string, at = now) => other.renewLease(request.id, claim, minute, at);
      expect(await renewed('claim-1')).toBe(false);
      const start = aStep(request, 'running', { at: now, leaseMs: minute, changes: { runner: 'claim-1' } });
      const running = await one.advance(start);
      const ending = aStep({ ...request, state: 'running', version: 2 }, 'unknown', { at: now });
      expect(await renewed('claim-2')).toBe(false);
      expect(await renewed('claim-1')).toBe(true);
      expect(await other.advance({ ...ending, leaseOver: true })).toBeUndefined();
      expect(await one.find(request.id)).toMatchObject({ state: 'running', version: 2 });
      expect((await one.find(request.id))?.leaseUntil).toBeGreaterThanOrEqual(running?.leaseUntil ?? 0);
    });

    it.each([
      ['ran out', '- 120000'],
      ['ends a day from now, as the clock was set back', '+ 86400000'],
    ])('whose lease %s is not renewed any more, and any replica ends it', async (_, moved) => {
      const { one, other, run } = stores();
      const now = Date.now();
      const request = await proposed(one);
      await one.advance(
        aStep(request, 'running', { at: now, leaseMs: 60_000, changes: { runner: 'claim-1' } }),
      );
      await run(`update requests set lease_until = lease_until ${moved}`);
      expect(await one.renewLease(request.id, 'claim-1', 60_000, now)).toBe(false);
      const ending = aStep({ ...request, state: 'running', version: 2 }, 'unknown', { at: now });
      expect(await other.advance({ ...ending, leaseOver: true })).toMatchObject({ state: 'unknown' });
    });

    it.each([
      [`{"error":3}`, /row r-broken of the table “requests” cannot be read: outcome\.error: /],
      [`nonsense`, /row r-broken of the table “requests” cannot be read: outcome: is not JSON/],
    ])('names table, row and field where someone edited its outcome into %s', async (text, message) => {
      const { one, run } = stores();
      await one.propose(aProposal(aRequest({ id: 'r-broken' })));
      await run(`update requests set outcome = '${text}' where id = 'r-broken'`);
      await expect(one.find('r-broken')).rejects.toThrow(message);
      await expect(one.find('r-broken')).rejects.toMatchObject({
        code: 'store-unavailable',
        retryable: false,
      });
    });
  });
}
