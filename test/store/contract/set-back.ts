import { describe, expect, it } from 'vitest';

import { aProposal, aRequest, aStep } from '../sample-request.ts';
import { expectIntact, type Opened, proposed, sealAll } from './opened.ts';
import { dueKind } from '../../../src/model/records/due.ts';

const starts = (store: Opened['one'], of: Parameters<typeof aStep>[0]) => store.advance(aStep(of, 'running'));

/** The store as a process finds it if it is a copy, or on a server after a failover. */
async function elsewhere({ one, run }: Opened) {
  const [request, other] = [await proposed(one), await proposed(one)];
  expect(await one.endIfSetBack(1)).toBeUndefined();
  await run(`update store_home set home = 'elsewhere'`);
  return { request, other, sign: 'moved' };
}

/** The store as a process finds it if a step of this process is gone. */
async function withoutStep({ one, run }: Opened) {
  const [request, other] = [await proposed(one), await proposed(one)];
  await starts(one, request);
  await run(`update requests set state = 'proposed', version = 1 where id = '${request.id}'`);
  return { request, other, sign: 'step missing' };
}

/** The store as a process finds it if a tree that this process signed is gone. */
async function withoutEntries({ one, run, disarm }: Opened) {
  const [request, other] = [await proposed(one), await proposed(one)];
  await starts(one, await proposed(one));
  await sealAll(one);
  await disarm();
  await run('delete from audit_checkpoints');
  return { request, other, sign: 'entries missing' };
}

export function setBackContract(stores: () => Opened): void {
  describe('a store that was rolled back', () => {
    it.each([
      ['lacks a step', withoutStep],
      ['lacks entries', withoutEntries],
      ['is a copy', elsewhere],
    ])('and %s starts nothing, and ends what is open as unknown, once', async (_, setBack) => {
      const { request, other, sign } = await setBack(stores());
      const { one } = stores();
      await expect(starts(one, other)).rejects.toMatchObject({ code: 'store-unavailable' });
      expect(await one.find(other.id)).toMatchObject({ state: 'proposed' });

      const found = await one.endIfSetBack(7);

      expect(found?.setBack).toMatchObject({ sign, at: 7 });
      for (const { id } of [request, other]) {
        const unknown = await one.find(id);
        expect(unknown?.state).toBe('unknown');
        expect(unknown?.outcome?.error?.message).toMatch(
          /^The store was restored from .*; the request may have run since\.$/u,
        );
        const [entry] = await one.audit({ requestId: id, limit: 1 });
        expect(entry).toMatchObject({ event: 'ended', outcome: 'unknown' });
      }
      const cards = await one.claimDue(new Map([[dueKind('card'), 100]]), 7, 1000);
      expect(cards.map(({ key }) => key)).toEqual(expect.arrayContaining([request.id, other.id]));
      const entries = await one.audit({ limit: 20 });
      const note = /^The store was restored from .* Open requests that became unknown: [23]\.$/u;
      expect(entries.find(({ event }) => event === 'store set back')?.note).toMatch(note);
      expect(await one.endIfSetBack(8)).toBeUndefined();
      expect(await starts(one, await proposed(one))).toMatchObject({ state: 'running' });
    });

    it.each([
      ['a change that this process runs', 'starts'],
      ['a rollout that this process takes to its next target', 'turns'],
    ] as const)('in one row only, that of %s, does not run it a second time', async (_, kind) => {
      const { one, run } = stores();
      const request = await proposed(one);
      const started = await starts(one, request);
      const turned = (of: typeof request) =>
        one.propose(aProposal(aRequest(), { turn: aStep(of, 'running') }));
      if (kind === 'turns') await turned(started ?? request);
      // Other processes continue in the meantime.
      await starts(one, await proposed(one));
      const before = kind === 'starts' ? request : { ...request, state: 'running' as const, version: 2 };
      await run(
        `update requests set state = '${before.state}', version = ${before.version} where id = '${request.id}'`,
      );

      const again = kind === 'starts' ? starts(one, before) : turned(before);
      await expect(again).rejects.toMatchObject({ code: 'store-unavailable' });
      expect((await one.find(request.id))?.version).toBe(before.version);
      expect((await one.endIfSetBack(7))?.setBack.sign).toBe('step missing');
      expect((await one.find(request.id))?.state).toBe('unknown');
      expect(await one.endIfSetBack(8)).toBeUndefined();
      expect(await starts(one, await proposed(one))).toMatchObject({ state: 'running' });
    });

    it('ends all that is open, however much it is', async () => {
      const { one, run } = stores();
      await Promise.all(Array.from({ length: 501 }, () => proposed(one)));
      expect(await one.endIfSetBack(1)).toBeUndefined();
      await run(`update store_home set home = 'elsewhere'`);
      const found = await one.endIfSetBack(7);
      expect(found?.ended).toHaveLength(501);
      expect(await one.list({ states: ['proposed'], limit: 1 })).toEqual([]);
    });

    it('is detected on each replica, even after an hour without a step', async () => {
      const { one, other } = stores();
      const request = await proposed(one);
      await starts(one, request);
      await sealAll(one);
      for (const store of [one, other]) {
        expect(await store.endIfSetBack(1)).toBeUndefined();
        expect(await store.endIfSetBack(24 * 3_600_000)).toBeUndefined();
      }
      expect(await one.find(request.id)).toMatchObject({ state: 'running' });
      await expectIntact(one);
    });
  });
}
