import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type BoxStage, openBoxes } from '../../run/sample-boxes.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

describe('background work', () => {
  it('is drained once what runs has ended, and says so if it has not', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const running = await stage.propose('alice', '/box kick quick');
    const late = stage.context.backgroundTasks.drained(10_000);
    await stage.clock.advance(10_000);
    expect(await late).toBe(false);
    const soon = stage.context.backgroundTasks.drained(10_000);
    answer.resolve('moved');
    expect(await soon).toBe(true);
    expect(await stage.find(running)).toMatchObject({ state: 'succeeded' });
    expect(await stage.context.backgroundTasks.drained(0)).toBe(true);
  });

  it('logs background work that breaks off, and continues', async () => {
    stage.context.backgroundTasks.add(Promise.reject(new Error('odd')), 'a test');
    expect(await stage.context.backgroundTasks.drained(1000)).toBe(true);
    expect(stage.logged).toEqual(['background work failed']);
  });
});
