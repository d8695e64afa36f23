import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { recoverAtStart } from '../../src/request/deadline.ts';
import { sweep } from '../due/sweep.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';
import { mortal } from '../run/killable-store.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const minutes = 60_000;

/** A change that is under way, and whose process is killed. */
const died = async () => {
  const first = mortal(stage.store);
  stage.service.kick = () => new Promise(() => undefined);
  const dying = stage.another(first.store);
  const proposed = await dying.propose('alice', '/box shove web-1');
  const running = await dying.click('alice', proposed, 'confirm');
  await expect.poll(() => stage.service.kicks).toEqual(['web-1']);
  first.die();
  return running;
};

describe('a start', () => {
  it('of the only process on the store ends a dead process’s request as unknown at once', async () => {
    const running = await died();
    await recoverAtStart(stage.context);
    const unknown = await stage.find(running);
    expect(unknown).toMatchObject({ state: 'unknown', endedAt: stage.clock.now() });
    expect(stage.shown).toEqual([unknown]);
    expect((await stage.story(running)).at(-1)).toBe('ended → unknown (Bellhop stopped while it ran)');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('beside other processes leaves the request to its lease', async () => {
    const running = await died();
    await recoverAtStart(stage.another({ ...stage.store, soleProcess: false }).context);
    expect(await stage.find(running)).toMatchObject({ state: 'running' });
  });

  it('is not prevented by a store that cannot be read', async () => {
    const blind = stage.another({ ...stage.store, list: () => Promise.reject(new Error('away')) });
    await recoverAtStart(blind.context);
    expect(blind.logged).toEqual(['open requests could not be checked at start']);
  });
});

describe('a deadline', () => {
  it.each([
    ['that waits to be confirmed', '/box kick web-1', 'proposed'],
    ['that waits for approval', '/box kick db-1', 'awaiting approval'],
  ])('expires a request %s, at its time and not before, once', async (_, typed, state) => {
    const request = await stage.propose('alice', typed);
    await stage.clock.advance(15 * minutes - 1);
    await sweep(stage.context);
    expect(await stage.find(request)).toMatchObject({ state });
    await stage.clock.advance(1);
    await Promise.all([sweep(stage.context), sweep(stage.another().context), sweep(stage.context)]);
    expect(await stage.find(request)).toMatchObject({ state: 'expired', endedAt: stage.clock.now() });
    expect(await stage.story(request)).toEqual([`proposed → ${state} by U0ALICE`, 'expired → expired']);
    expect(stage.shown.at(-1)).toMatchObject({ id: request.id, state: 'expired' });
  });

  it('either expires a request or lets it run where it is confirmed at that moment', async () => {
    const request = await stage.propose('alice', '/box kick web-1');
    await stage.clock.advance(15 * minutes - 1);
    const click = stage.click('alice', request, 'confirm').catch((error: unknown) => error);
    const swept = stage.clock.advance(1).then(() => sweep(stage.context));
    await Promise.all([click, swept]);
    const { state } = await stage.find(request);
    await stage.becomes(request, state === 'expired' ? 'expired' : 'succeeded');
    expect(stage.service.kicks).toHaveLength(state === 'expired' ? 0 : 1);
  });

  it('leaves ended and running requests alone', async () => {
    const cancelled = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', cancelled, 'cancel');
    await stage.clock.advance(60 * minutes);
    await sweep(stage.context);
    expect(await stage.find(cancelled)).toMatchObject({ state: 'cancelled', version: 2 });
  });

  it('ends the other requests even if one cannot be ended', async () => {
    const stuck = await stage.propose('alice', '/box kick web-1');
    const other = await stage.propose('alice', '/box kick web-2');
    const broken = stage.another({
      ...stage.store,
      advance: (step) =>
        step.before.id === stuck.id
          ? Promise.reject(new Error('a row that breaks'))
          : stage.store.advance(step),
    });
    await stage.clock.advance(15 * minutes);
    await sweep(broken.context);
    expect(await stage.find(other)).toMatchObject({ state: 'expired' });
    expect(await stage.find(stuck)).toMatchObject({ state: 'proposed' });
    expect(broken.logged).toEqual(['a request could not be ended or checked']);
  });
});
