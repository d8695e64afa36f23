import { describe, expect, it } from 'vitest';

import { recoverAtStart } from '../../src/request/deadline.ts';
import { change, decide, ended, openExample, settled } from './example-stage.ts';
import type { Case } from './endings.ts';
import type { Fault } from './stand-in.ts';

/** Tests that each change ends as it should, whatever happens on the way to its service and back. */
export function testEndings(cases: readonly Case[]): void {
  describe.each(cases)('$name', ({ open, marked }) => {
    const afterEffect = marked ? 'succeeded' : 'unknown';

    it('succeeds, and is made once, after a double click', async () => {
      const { stage, line, effects, service } = await open();
      const request = await stage.propose('alice', line);
      const clicks = await Promise.allSettled([decide(stage, request), decide(stage, request)]);
      expect(clicks.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect((await ended(stage, request, service)).state).toBe('succeeded');
      expect([await effects(), service.changes.length]).toEqual([1, 1]);
    });

    it.each<[fault: Fault, state: string, evidence: string]>([
      [{ end: 409, effect: false }, 'failed', 'failed'],
      // The service says that it refused. Only the id of the request, if the service keeps it, proves otherwise.
      [{ end: 409, effect: true }, marked ? 'unknown' : 'failed', marked ? 'succeeded' : 'failed'],
      [{ end: 500, effect: false }, 'unknown', 'unknown'],
      [{ end: 500, effect: true }, 'unknown', afterEffect],
      [{ end: 'resets', effect: false }, 'unknown', 'unknown'],
      [{ end: 'resets', effect: true }, 'unknown', afterEffect],
      [{ end: 'hangs', effect: true }, 'unknown', afterEffect],
    ])('that ends with %o is %s, and then %s', async (fault, state, evidence) => {
      const { stage, line, effects, service } = await open();
      stage.rulebook = { ...stage.rulebook, timeoutMs: 2000 };
      service.fault = fault;
      const request = await change(stage, line, service);
      expect([request.state, request.outcome?.error?.message]).toEqual([state, expect.any(String)]);
      const after = state === 'unknown' ? await settled(stage, request, { marked }) : request;
      expect(after.state).toBe(evidence);
      expect([await effects(), service.changes.length]).toEqual([Number(fault.effect), 1]);
    });

    it('is refused if someone else has done the same since it was proposed', async () => {
      const { stage, line, effects, elsewhere, service } = await open();
      const request = await stage.propose('alice', line);
      await elsewhere();
      await decide(stage, request);
      const { state, outcome } = await ended(stage, request, service);
      expect([state, outcome?.error?.message]).toEqual([
        'failed',
        expect.stringMatching(/since this was proposed/u),
      ]);
      expect([await effects(), service.changes]).toEqual([0, []]);
    });

    it(`is ${afterEffect} after the process that ran it dies`, async () => {
      const { stage, options, line, effects, service } = await open();
      const request = await stage.propose('alice', line);
      service.fault = { end: 'hangs', effect: true };
      await decide(stage, request);
      await expect.poll(() => service.changes.length).toBe(1);
      const next = await openExample({ ...options, store: stage.store });
      await recoverAtStart(next.context);
      expect((await next.find(request)).state).toBe('unknown');
      expect((await settled(next, request, { marked })).state).toBe(afterEffect);
      expect([await effects(), service.changes.length]).toEqual([1, 1]);
    });
  });
}
