import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sweep } from '../../due/sweep.ts';
import type { Request, State } from '../../../src/model/records/request.ts';
import { openBoxes, type BoxStage } from '../../run/sample-boxes.ts';
import { cardKind } from '../../../src/model/records/due.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

/** The row in a store that was rolled back. */
async function putBack({ id }: Request, to: State): Promise<void> {
  const before = await stage.find({ id });
  const changes = to === 'expired' ? { endedAt: stage.clock.now() } : {};
  await stage.store.advance({ before, to, at: stage.clock.now(), changes, audit: [] });
}

/** Removes the request with all its records, as if they were later than the backup. */
async function remove(request: Request): Promise<void> {
  await putBack(request, 'expired');
  const card = { kind: cardKind, key: request.id, version: 9, claimedAt: 0 };
  await stage.store.finishDue(card, { done: true }, stage.clock.now());
  expect(await stage.store.removeSettled(stage.clock.now() + 1, 10)).toBe(1);
}

async function underWay() {
  const answer = Promise.withResolvers<string>();
  stage.service.kick = () => answer.promise;
  const proposed = await stage.propose('alice', '/box kick web-1');
  const running = await stage.click('alice', proposed, 'confirm');
  await expect.poll(() => stage.service.kicks).toEqual(['web-1']);
  return { running, answer };
}

describe('a change that is under way while the store goes back to before its start', () => {
  it.each<[state: string, setBack: (running: Request) => Promise<void>]>([
    ['proposed', (running) => putBack(running, 'proposed')],
    ['awaiting approval', (running) => putBack(running, 'awaiting approval')],
    ['expired, nothing was sent', (running) => putBack(running, 'expired')],
    ['cancelled, nothing was sent', (running) => putBack(running, 'cancelled')],
    ['nothing of it', remove],
  ])('and says %s: its outcome is written, and what else is open is unknown', async (_, setBack) => {
    const { running, answer } = await underWay();
    const waiting = await stage.propose('alice', '/box kick web-2');
    await setBack(running);

    answer.resolve('kicked after all');

    await expect
      .poll(() => stage.store.find(running.id), { timeout: 30_000 })
      .toMatchObject({ state: 'succeeded', outcome: { report: { headline: 'kicked after all' } } });
    expect((await stage.story(running)).at(-1)).toBe('ended → succeeded');
    expect(await stage.find(waiting)).toMatchObject({ state: 'unknown' });
    expect(stage.logged).toContain('a sent change is not recorded as started');
    expect(stage.logged).toContain('store rolled back');
    expect((await stage.store.audit({ limit: 20 })).map(({ event }) => event)).toContain('store set back');
    await stage.refused('alice', running, 'confirm');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('is unknown if no one knows its outcome either, whatever the store says', async () => {
    const { running, answer } = await underWay();
    await putBack(running, 'expired');
    answer.reject(new Error('the line was cut'));
    const unknown = await stage.becomes(running, 'unknown');
    expect(unknown.outcome?.error?.code).toBe('unknown-outcome');
  });
});

describe('“nothing was sent”', () => {
  it.each<[what: string, end: (stage: BoxStage, request: Request) => Promise<unknown>, state: State]>([
    ['expires', (on) => on.clock.advance(15 * 60_000).then(() => sweep(on.context)), 'expired'],
    ['is cancelled', (on, request) => on.click('alice', request, 'cancel'), 'cancelled'],
  ])('is known only to a process that ran at the time, if a request %s', async (_, end, state) => {
    const [seen, unseen] = [stage.another(), stage.another()];
    const request = await stage.propose('alice', '/box kick web-1');
    await end(seen, request);
    const known = await stage.becomes(request, state);
    expect(known.outcome?.unwitnessed).toBeUndefined();

    const later = await stage.propose('alice', '/box kick web-1');
    Object.assign(unseen.context, { startedAt: later.createdAt + 1 });
    await end(unseen, later);
    expect(await stage.becomes(later, state)).toMatchObject({ outcome: { unwitnessed: true } });
  });
});
