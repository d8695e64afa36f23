import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import type { Store } from '../../src/store/store.ts';
import type { State } from '../../src/model/records/request.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';
import { mortal } from '../run/killable-store.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());
const away = () => new BellhopError('store-unavailable', 'The database is away.', { retryable: true });

/** Asks and confirms; the change is under way. */
async function confirmed(on: BoxStage = stage, typed = '/box kick web-1') {
  const proposed = await on.propose('alice', typed);
  return on.click('alice', proposed, 'confirm');
}

/** Fails the first `times` steps to a state. */
const failing = (store: Store, to: State, times: number): Store => {
  let left = times;
  return {
    ...store,
    advance: (step) => {
      if (step.to !== to || left === 0) return store.advance(step);
      left -= 1;
      return Promise.reject(away());
    },
  };
};

describe('a store that fails', () => {
  it('at the step to running: nothing is sent, and the card stays usable', async () => {
    const broken = stage.another(failing(stage.store, 'running', 1));
    const proposed = await broken.propose('alice', '/box kick web-1');
    expect(await broken.refused('alice', proposed, 'confirm')).toMatchObject({ code: 'store-unavailable' });
    expect(await stage.find(proposed)).toEqual(proposed);
    await broken.context.backgroundTasks.drained(1);
    expect(stage.service.kicks).toEqual([]);
    await stage.becomes(await broken.click('alice', proposed, 'confirm'), 'succeeded');
  });

  it('that cannot write the entries of a step: nothing is sent', async () => {
    const unwritable = stage.another({
      ...stage.store,
      advance: (step) =>
        stage.store.advance({ ...step, audit: step.audit.map((draft) => ({ ...draft, input: { id: 1n } })) }),
    });
    const proposed = await unwritable.propose('alice', '/box kick web-1');
    await expect(unwritable.click('alice', proposed, 'confirm')).rejects.toThrow('BigInt');
    await unwritable.context.backgroundTasks.drained(1);
    expect(stage.service.kicks).toEqual([]);
    expect(await stage.find(proposed)).toEqual(proposed);
  });

  it('after looking, before sending: nothing is sent, and the request says so', async () => {
    let steps = 0;
    const broken = stage.another({
      ...stage.store,
      advance: (step) => {
        steps += 1;
        return steps === 2 ? Promise.reject(away()) : stage.store.advance(step);
      },
    });
    const ended = await stage.becomes(await confirmed(broken), 'failed');
    expect(ended.outcome?.error?.message).toContain('before it sent anything');
    expect(stage.service.kicks).toEqual([]);
  });

  it('at the end: the outcome is written once the store is back', async () => {
    const broken = stage.another(failing(stage.store, 'succeeded', 3));
    const running = await confirmed(broken, '/box shove web-1');
    await expect.poll(() => broken.logged.length).toBe(1);
    await stage.clock.advance(10_000);
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('at the end, for hours: the outcome is logged at once, and is written once the store is back', async () => {
    let fails = true;
    const broken = stage.another({
      ...stage.store,
      advance: (step) =>
        fails && step.to === 'succeeded' ? Promise.reject(away()) : stage.store.advance(step),
      renewLease: (...renewed) => (fails ? Promise.reject(away()) : stage.store.renewLease(...renewed)),
    });
    const running = await confirmed(broken, '/box shove web-1');
    await expect
      .poll(() => broken.logged)
      .toEqual(['an outcome could not be recorded yet; retrying until this process ends']);
    await stage.clock.advance(3 * 60 * 60_000);
    await sweep(stage.context);
    expect(await stage.find(running)).toMatchObject({ state: 'unknown' });
    fails = false;
    await stage.clock.advance(20_000);
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('at the end, permanently: the outcome is logged', async () => {
    const broken = stage.another({
      ...stage.store,
      advance: (step) =>
        step.to === 'succeeded'
          ? Promise.reject(new BellhopError('store-unavailable', 'This value is refused.'))
          : stage.store.advance(step),
    });
    await confirmed(broken, '/box shove web-1');
    await expect
      .poll(() => broken.logged)
      .toEqual(['an outcome cannot be recorded', 'background work failed']);
  });

  it('at the end and permanently: the outcome is unknown after the lease, never sent again', async () => {
    const first = mortal(stage.store);
    const running = await confirmed(
      stage.another(failing(first.store, 'succeeded', 1000)),
      '/box shove web-1',
    );
    await stage.clock.advance(120_000);
    first.die();
    await stage.clock.advance(61_000);
    await sweep(stage.context);
    expect(await stage.find(running)).toMatchObject({ state: 'unknown' });
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('when a click looks the request up: nothing happens, and the click is answered', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    const blind = stage.another({ ...stage.store, find: () => Promise.reject(away()) });
    expect(await blind.refused('alice', proposed, 'confirm')).toMatchObject({ code: 'store-unavailable' });
    expect(await stage.find(proposed)).toEqual(proposed);
  });
});
