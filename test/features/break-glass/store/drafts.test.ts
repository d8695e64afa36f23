import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { isOpen, type Request, waitingFor } from '../../../../src/model/records/request.ts';
import { createDraftHandler } from '../../../../src/features/break-glass/drafts.ts';
import { supersede } from '../../../../src/request/draft.ts';
import { stepFrom } from '../../../../src/request/steps/step.ts';
import type { Store } from '../../../../src/store/store.ts';
import { commonPostgres } from '../../../common-postgres.ts';
import { type BoxStage, openBoxes } from '../../../run/sample-boxes.ts';
import { openStore } from '../../../store/open-store.ts';
import { workDue } from '../../../due/work-due.ts';

const line = '/box kick db-1';
const broken = `${line} --break-glass "the shop is down"`;

const outcome = async (work: Promise<Request>) => work.then(({ state }) => state).catch(String);

describe.each(['PostgreSQL', 'SQLite'])(
  'a change that skips its approval, on two replicas, on %s',
  (kind) => {
    let one: BoxStage;
    let other: BoxStage;
    let opened: Store[];
    beforeEach(async () => {
      opened = [];
      if (kind === 'SQLite') {
        one = await openBoxes();
        other = one.another();
        return;
      }
      const databaseUrl = await commonPostgres.createDatabase();
      opened = [await openStore({ databaseUrl }), await openStore({ databaseUrl })];
      const [first, second] = opened;
      one = await openBoxes((embedded) => first ?? embedded);
      other = one.another(second);
    });
    afterEach(async () => {
      await one.close();
      await Promise.all(opened.map((store) => store.close()));
    });

    const asked = async () => ({
      waiting: await one.propose('carol', line),
      draft: await other.propose('alice', broken),
    });
    const open = async () =>
      (await one.store.list({ limit: 50 })).filter(({ state }) => isOpen(state)).map(({ id }) => id);
    /** Does the due work of a wait that has ended. */
    const closeDrafts = () => workDue(other.store, one.clock.now(), createDraftHandler(other.context));

    it('leaves the request that waits open until it is confirmed, and replaces it with the start', async () => {
      const { waiting, draft } = await asked();
      expect(await one.find(waiting)).toMatchObject({ state: 'awaiting approval', version: waiting.version });
      expect(waitingFor(draft)).toBe(waiting.id);
      await one.click('alice', draft, 'confirm');
      await one.becomes(draft, 'succeeded');
      expect(await one.find(waiting)).toMatchObject({ state: 'cancelled', note: `Replaced by ${draft.id}.` });
      expect((await one.find(draft)).targetKey).toBe(waiting.targetKey);
      expect((await one.story(waiting)).at(-1)).toContain('superseded');
      expect(other.shown.concat(one.shown).map(({ id, state }) => `${id} ${state}`)).toContain(
        `${waiting.id} cancelled`,
      );
      expect(one.service.kicks).toEqual(['db-1']);
      await closeDrafts();
      expect(await open()).toEqual([]);
    });

    it.each(Array.from({ length: 8 }, (_, at) => at))(
      'runs once if the last approval comes at the same moment: %i',
      async (at) => {
        // The requester of the draft may not approve, so others do.
        const waiting = await one.propose('alice', line);
        const draft = await other.propose('alice', broken);
        await one.click('carol', waiting, 'approve');
        const approve = () => outcome(one.click('lee', waiting, 'approve'));
        const confirm = () => outcome(other.click('alice', draft, 'confirm'));
        await Promise.all(at % 2 ? [approve(), confirm(), confirm()] : [confirm(), approve(), confirm()]);
        await closeDrafts();
        const ends = [await one.find(waiting), await one.find(draft)];
        const ran = ends.find(({ startedAt }) => startedAt !== undefined);
        expect(ends.filter(({ state }) => state === 'cancelled')).toHaveLength(1);
        if (ran) await one.becomes(ran, 'succeeded');
        expect(one.service.kicks).toEqual(['db-1']);
        expect(await open()).toEqual([]);
      },
    );

    it('runs once if it is confirmed on both replicas', async () => {
      const { draft } = await asked();
      await Promise.all([one, other, one, other].map((on) => outcome(on.click('alice', draft, 'confirm'))));
      await one.becomes(draft, 'succeeded');
      expect(one.service.kicks).toEqual(['db-1']);
    });

    it('is closed and says so once the request that waited is approved', async () => {
      const waiting = await one.propose('alice', line);
      const draft = await other.propose('alice', broken);
      await one.click('carol', waiting, 'approve');
      await closeDrafts();
      expect((await one.find(draft)).state).toBe('proposed');
      await one.click('lee', waiting, 'approve');
      await closeDrafts();
      expect(await one.find(draft)).toMatchObject({
        state: 'cancelled',
        note: expect.stringContaining('The waiting request was approved in the meantime') as string,
      });
      await one.becomes(waiting, 'succeeded');
      expect(one.service.kicks).toEqual(['db-1']);
    });

    it.each([
      ['denied', 'The waiting request was denied'],
      ['cancelled', 'The waiting request was cancelled'],
    ])('is closed by its own click if the request that waited was %s', async (end, why) => {
      const waiting = await one.propose('alice', line);
      const draft = await other.propose('alice', broken);
      await (end === 'denied' ? one.click('carol', waiting, 'deny') : one.click('alice', waiting, 'cancel'));
      expect((await other.refused('alice', draft, 'confirm')).message).toContain(why);
      expect((await one.find(draft)).state).toBe('cancelled');
      expect(one.service.kicks).toEqual([]);
      expect(await open()).toEqual([]);
    });

    it('is one draft for each request, even if it is requested several times', async () => {
      const { waiting, draft } = await asked();
      await Promise.all([outcome(one.propose('alice', broken)), outcome(other.propose('alice', broken))]);
      expect((await one.find(draft)).state).toBe('cancelled');
      expect(await open()).toHaveLength(2);
      expect(await open()).toContain(waiting.id);
    });

    it('replaces nothing if it was cancelled at the same moment', async () => {
      const { waiting, draft } = await asked();
      await one.click('alice', draft, 'cancel');
      const replaces = supersede(one.context, waiting, draft);
      const start = stepFrom(one.context, draft, 'running', { targetKey: waiting.targetKey }, []);
      expect(await other.store.advance({ ...start, replaces })).toBeUndefined();
      expect(await one.find(waiting)).toMatchObject({ state: 'awaiting approval', version: waiting.version });
    });

    it('ends with the deadline of the request that waits', async () => {
      const waiting = await one.propose('carol', line);
      await one.clock.advance(60_000);
      const draft = await other.propose('alice', broken);
      expect(draft.expiresAt).toBe(waiting.expiresAt);
    });

    it('needs no draft without a request that waits', async () => {
      const request = await one.propose('alice', broken);
      expect(waitingFor(request)).toBeUndefined();
      await one.click('alice', request, 'confirm');
      await one.becomes(request, 'succeeded');
      expect(one.service.kicks).toEqual(['db-1']);
    });
  },
);
