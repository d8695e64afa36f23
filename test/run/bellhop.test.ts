import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type SampleStage, openSampleStage, type Who } from './sample-instances.ts';
import { callerOf } from './core-setup.ts';
import { people } from './people.ts';

let stage: SampleStage;
beforeEach(async () => {
  stage = await openSampleStage();
});
afterEach(() => stage.close());

describe('the one path', () => {
  it('says that it is busy to somebody with twenty commands in progress, and to nobody else', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const look = (who: Who) => stage.executor.runTypedCommand(callerOf(people[who]), 'box', 'look web-1');
    const looks = Array.from({ length: 20 }, () => look('bob'));
    await expect(look('bob')).rejects.toMatchObject({ code: 'busy', retryable: true });
    const other = look('alice');
    answer.resolve('there');
    await Promise.all([...looks, other]);
    expect(await look('bob')).toMatchObject({ kind: 'report' });
  });

  it('is drained once what runs has ended, and says so where it has not', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const running = await stage.propose('alice', '/box kick quick');
    const late = stage.executor.drained(10_000);
    await stage.clock.advance(10_000);
    expect(await late).toBe(false);
    const soon = stage.executor.drained(10_000);
    answer.resolve('moved');
    expect(await soon).toBe(true);
    expect(await stage.find(running)).toMatchObject({ state: 'succeeded' });
    expect(await stage.executor.drained(0)).toBe(true);
  });

  it('logs background work that breaks off, and goes on', async () => {
    stage.context.backgroundTasks.add(Promise.reject(new Error('odd')), 'a test');
    expect(await stage.executor.drained(1000)).toBe(true);
    expect(stage.logged).toEqual(['background work broke off']);
  });
});
