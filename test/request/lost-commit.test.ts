import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import type { Step } from '../../src/model/records/requests.ts';
import type { Store } from '../../src/store/store.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const away = () => new BellhopError('store-unavailable', 'The database is away.', { retryable: true });

/** Writes the first such step and then fails, like a server that is lost during the commit. */
function losing(store: Store, isLost: (step: Step) => boolean): Store {
  let lost = false;
  return {
    ...store,
    async advance(step) {
      const row = await store.advance(step);
      if (lost || !isLost(step)) return row;
      lost = true;
      throw away();
    },
  };
}

const isStart = ({ before, to }: Step): boolean => before.state === 'proposed' && to === 'running';

describe('a commit whose answer was lost', () => {
  it('at the start: nothing is sent, and the request says so', async () => {
    const broken = stage.another(losing(stage.store, isStart));
    const proposed = await broken.propose('alice', '/box kick web-1');
    expect(await broken.refused('alice', proposed, 'confirm')).toMatchObject({ code: 'store-unavailable' });
    expect(await stage.becomes(proposed, 'failed')).toMatchObject({
      outcome: { error: { code: 'not-sent' } },
    });
    expect(await stage.story(proposed)).toEqual([
      'proposed → proposed by U0ALICE',
      'confirmed → running by U0ALICE',
      'started → running',
      'ignored click → proposed by U0ALICE (confirm: The database is away.)',
      'ended → failed (not-sent)',
    ]);
    expect(stage.service.kicks).toEqual([]);
  });

  it('at the start, by a store that stays away until another replica called it unknown', async () => {
    let isAway = true;
    const broken = stage.another({
      ...losing(stage.store, isStart),
      findCommitted: (id) => (isAway ? Promise.reject(away()) : stage.store.findCommitted(id)),
    });
    const proposed = await broken.propose('alice', '/box kick web-1');
    await broken.refused('alice', proposed, 'confirm');
    await stage.clock.advance(61_000);
    await sweep(stage.context);
    expect(await stage.find(proposed)).toMatchObject({ state: 'unknown' });
    isAway = false;
    await stage.clock.advance(20_000);
    await stage.becomes(proposed, 'failed');
    expect(stage.service.kicks).toEqual([]);
  });

  it('at a start that another replica won leaves that one alone', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const broken = stage.another({ ...stage.store, advance: () => Promise.reject(away()) });
    const proposed = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', proposed, 'confirm');
    const late = stage.another({
      ...broken.store,
      find: async (id) => {
        const found = await stage.store.find(id);
        return found && { ...found, ...proposed };
      },
    });
    await late.refused('alice', proposed, 'confirm');
    await late.context.backgroundTasks.drained(1);
    expect(await stage.find(proposed)).toMatchObject({ state: 'running' });
    answer.resolve('moved');
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('of an answer with tasks: they are followed all the same', async () => {
    stage.rulebook = { ...stage.rulebook, extensions: ['tasks'] };
    const broken = stage.another(losing(stage.store, ({ changes }) => changes.outcome?.tasks !== undefined));
    broken.rulebook = stage.rulebook;
    const proposed = await broken.propose('alice', '/box shove web-1');
    await broken.click('alice', proposed, 'confirm');
    await expect.poll(() => broken.logged.length).toBe(1);
    await stage.clock.advance(500);
    expect((await stage.becomes(proposed, 'failed')).outcome?.error?.code).toBe('task-failed');
    expect(broken.shown.map(({ outcome }) => outcome?.tasks)).toContainEqual({ ids: ['task-1'] });
  });

  it('of an unknown end: the target is looked at all the same', async () => {
    const broken = stage.another(losing(stage.store, ({ to }) => to === 'unknown'));
    stage.service.kick = () =>
      Promise.reject(new ServiceError('unknown-outcome', 'No answer.', { method: 'KICK', path: '/' }));
    const proposed = await broken.propose('alice', '/box kick web-1');
    await broken.click('alice', proposed, 'confirm');
    await expect.poll(() => broken.logged.length).toBe(1);
    await stage.clock.advance(500);
    await expect
      .poll(async () => (await stage.find(proposed)).outcome?.sighting)
      .toMatchObject({ title: 'web-1 looks kicked' });
  });
});
