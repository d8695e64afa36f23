import { describe, expect, it } from 'vitest';

import { openStates, type Request } from '../../../src/model/records/request.ts';
import { several, type Target, targetKey } from '../../../src/model/rulebook/target.ts';
import type { Store } from '../../../src/store/store.ts';
import { aDraft, aProposal, aRequest, aStep } from '../sample-request.ts';
import { expectIntact, type Opened, proposed, entryCount } from './opened.ts';

export function proposalsContract(stores: () => Opened): void {
  describe('a proposal', () => {
    it('meets the open request of its target, and then nothing is written', async () => {
      const { one, other } = stores();
      const first = await proposed(one);
      const second = aRequest({ target: first.target });
      const answer = await other.propose(aProposal(second, { audit: [aDraft()] }));
      expect(answer).toEqual({ conflict: first });
      expect(await one.find(second.id)).toBeUndefined();
      expect(await entryCount(one)).toBe(0);
    });

    it('mentions the last attempt at the same change if its outcome is unknown', async () => {
      const { one, other } = stores();
      const first = await proposed(one);
      const { target } = first;
      await one.advance(aStep(first, 'running', { changes: { startedAt: 70 } }));
      await one.advance(aStep({ ...first, state: 'running', version: 2 }, 'unknown'));
      const second = aRequest({ target, operation: 'cloud.stop' });
      expect(await one.propose(aProposal(second))).toEqual({});
      await one.advance(aStep(second, 'cancelled'));
      const third = aRequest({ target });
      expect(await other.propose(aProposal(third))).toEqual({ lastUnknownAt: 70 });
      expect(await one.find(third.id)).toEqual({ ...third, lastUnknownAt: 70 });
    });

    it('names the last change of the target if someone else made it within ten minutes, or it has to be approved', async () => {
      const { one, other } = stores();
      const first = await proposed(one);
      const { target } = first;
      await one.advance(aStep(first, 'running', { changes: { startedAt: 70 } }));
      await one.advance(
        aStep({ ...first, state: 'running', version: 2 }, 'succeeded', { changes: { endedAt: 80 } }),
      );
      const by = (user: string, createdAt: number) =>
        aRequest({ target, operation: 'cloud.stop', createdAt, requester: { ...first.requester, user } });
      for (const request of [by(first.requester.user, 90), by('U0CAROL', 80 + 600_001)]) {
        expect(await one.propose(aProposal(request))).toEqual({});
        await one.advance(aStep(request, 'cancelled'));
      }
      const own = by(first.requester.user, 90);
      const approved = { ...own, decision: { ...own.decision, effect: 'approve' as const } };
      expect(await one.propose(aProposal(approved))).toEqual({ recentChange: first.id });
      await one.advance(aStep(approved, 'cancelled'));
      const broken = { ...by(first.requester.user, 90), breakGlass: 'the shop is down' };
      expect(await one.propose(aProposal(broken))).toEqual({ recentChange: first.id });
      await one.advance(aStep(broken, 'cancelled'));
      const third = by('U0CAROL', 80 + 600_000);
      expect(await other.propose(aProposal(third))).toEqual({ recentChange: first.id });
      expect(await one.find(third.id)).toEqual({ ...third, recentChange: first.id });
    });

    it('names the running rollout that includes its target before any other change', async () => {
      const { one, other } = stores();
      const [first, alone] = [await proposed(one), await proposed(one)];
      for (const [request, user] of [
        [first, 'U0CAROL'],
        [alone, 'U0BOB'],
      ] as const) {
        await one.advance(aStep(request, 'running', { changes: { startedAt: 70 } }));
        const running = { ...request, state: 'running', version: 2 } as const;
        await one.advance(aStep(running, 'succeeded', { changes: { endedAt: request.createdAt } }));
        expect(user).not.toBe(request.requester.user);
      }
      const second = aRequest();
      const rollout = { each: ['tier=web'], pause: '2m', lines: [], index: 0 };
      const targets = several([first.target, second.target], 'both');
      const whole = await proposed(one, { target: targets, targetKey: targetKey(targets), rollout });
      const requester = { ...first.requester, user: 'U0CAROL' };
      const recentOf = async (target: Target, more: Partial<Request> = {}) => {
        const request = aRequest({ target, requester, ...more });
        const { recentChange } = await other.propose(aProposal(request));
        expect(await one.find(request.id)).toEqual({ ...request, ...(recentChange && { recentChange }) });
        await one.advance(aStep(request, 'cancelled'));
        return recentChange;
      };
      expect(await recentOf(first.target)).toBe(first.id);
      await one.advance(aStep(whole, 'running'));
      expect(await recentOf(first.target)).toBe(whole.id);
      expect(await recentOf(second.target)).toBe(whole.id);
      expect(await recentOf(alone.target)).toBe(alone.id);
      expect(await recentOf(first.target, { partOf: whole.id })).toBe(first.id);
      await one.advance(aStep({ ...whole, state: 'running', version: 2 }, 'cancelled'));
      expect(await recentOf(first.target)).toBe(first.id);
      expect(await recentOf(second.target)).toBeUndefined();
    });

    it('is free once the first has ended', async () => {
      const { one } = stores();
      const first = await proposed(one);
      await one.advance(aStep(first, 'cancelled'));
      expect(await one.propose(aProposal(aRequest({ target: first.target })))).toEqual({});
    });

    it('supersedes in the same transaction', async () => {
      const { one } = stores();
      const first = await proposed(one);
      const supersedes = aStep(first, 'cancelled', {
        changes: { note: 'superseded' },
        audit: [aDraft({ event: 'superseded' })],
      });
      const audit = [aDraft({ event: 'proposed' })];
      const request = aRequest({ target: first.target });
      const { superseded } = await one.propose(aProposal(request, { supersedes, audit }));
      expect(superseded).toMatchObject({ state: 'cancelled', note: 'superseded' });
      expect(await one.find(first.id)).toEqual(superseded);
      const entries = await one.audit({ limit: 5 });
      expect(entries.map(({ event }) => event)).toEqual(['proposed', 'superseded']);
      await expectIntact(one);
    });

    it('changes nothing if the request that it would supersede already runs', async () => {
      const { one } = stores();
      const first = await proposed(one);
      const running = await one.advance(aStep(first, 'running'));
      const supersedes = aStep(first, 'cancelled');
      const request = aRequest({ target: first.target });
      const answer = await one.propose(aProposal(request, { supersedes, audit: [aDraft()] }));
      expect(answer).toEqual({ conflict: running });
      expect(await entryCount(one)).toBe(1);
    });

    it('undoes the superseding where a third request is in the way', async () => {
      const { one } = stores();
      const first = await proposed(one);
      const third = await proposed(one);
      const request = aRequest({ target: third.target });
      const supersedes = aStep(first, 'cancelled');
      expect(await one.propose(aProposal(request, { supersedes }))).toEqual({ conflict: third });
      expect(await one.find(first.id)).toEqual(first);
      expect(await entryCount(one)).toBe(0);
    });

    it('changes nothing if the request that it would supersede has ended, so that no note names it', async () => {
      const { one } = stores();
      const first = await proposed(one);
      await one.advance(aStep(first, 'expired'));
      const supersedes = aStep(first, 'cancelled', { audit: [aDraft({ event: 'superseded' })] });
      const request = aRequest({ target: first.target });
      const answer = await one.propose(aProposal(request, { supersedes, audit: [aDraft()] }));
      expect(answer.conflict).toBe(first);
      expect(await one.find(request.id)).toBeUndefined();
      expect(await entryCount(one)).toBe(1);
      expect(await one.propose(aProposal(request))).toEqual({});
    });

    it('meets the one of the same press, whatever its target, until that is over or came to nothing', async () => {
      const { one, other } = stores();
      const press = { key: 'a button and a person', freeBefore: 500 };
      const pressed = (store: Store, freeBefore = press.freeBefore) =>
        store.propose(aProposal(aRequest(), { press: { ...press, freeBefore }, audit: [aDraft()] }));
      const first = aRequest();
      expect(await one.propose(aProposal(first, { press }))).toEqual({});
      expect(await pressed(other)).toEqual({ conflict: first });
      const running = await one.advance(aStep(first, 'running'));
      expect(await pressed(other)).toEqual({ conflict: running });
      const ended = running && (await one.advance(aStep(running, 'unknown', { changes: { endedAt: 600 } })));
      expect(await pressed(other)).toEqual({ conflict: ended });
      expect(await entryCount(one)).toBe(2);

      expect(await pressed(other, 600)).toEqual({});
      const [second] = await one.list({ states: ['proposed'], limit: 1 });
      if (second) await one.advance(aStep(second, 'cancelled', { changes: { endedAt: 700 } }));
      expect(await pressed(one, 600)).toEqual({});
    });

    it('wins alone among 40 of one press from two replicas', async () => {
      const { one, other } = stores();
      const press = { key: 'another button and person', freeBefore: 0 };
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? one : other).propose(aProposal(aRequest(), { press })),
        ),
      );
      expect(answers.filter(({ conflict }) => conflict === undefined)).toHaveLength(1);
    });

    it('wins alone among 40 for one target from two replicas', async () => {
      const { one, other } = stores();
      const { target } = aRequest();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 ? one : other).propose(aProposal(aRequest({ target }), { audit: [aDraft()] })),
        ),
      );
      expect(answers.filter(({ conflict }) => conflict === undefined)).toHaveLength(1);
      expect(await one.list({ states: openStates, limit: 50 })).toHaveLength(1);
      expect(await entryCount(one)).toBe(1);
    });

    it('is refused under an id that is taken', async () => {
      const { one } = stores();
      const { id } = await proposed(one);
      const again = aProposal(aRequest({ id }), { audit: [aDraft()] });
      await expect(one.propose(again)).rejects.toThrow(/id is taken/);
      expect(await entryCount(one)).toBe(0);
    });
  });
}
