import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import { BellhopError, ServiceError } from '../../src/model/values/errors.ts';
import type { State } from '../../src/model/records/request.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

const details = { method: 'POST', path: '/kick', serviceRequestId: 'req-9' };
const lost = () => new ServiceError('unknown-outcome', 'POST /kick: no answer in 30 s', details);
const away = () => new BellhopError('store-unavailable', 'The database is away.', { retryable: true });

/** Asks and confirms; the change is under way. */
async function confirmed(on: BoxStage = stage, typed = '/box kick web-1') {
  const proposed = await on.propose('alice', typed);
  return on.click('alice', proposed, 'confirm');
}

describe('a run', () => {
  it('is durable as running before anything is sent', async () => {
    const seen: (State | undefined)[] = [];
    stage.service.kick = async () => {
      const [request] = await stage.store.list({ limit: 1 });
      seen.push(request?.state);
      return 'moved';
    };
    await stage.becomes(await confirmed(), 'succeeded');
    expect(seen).toEqual(['running']);
  });

  it('whose task is over at once ends at once, while time stands still', async () => {
    stage.rulebook = { ...stage.rulebook, extensions: ['tasks'] };
    const ended = await stage.becomes(await confirmed(stage, '/box shove web-1'), 'failed');
    expect(ended.outcome?.error?.code).toBe('task-failed');
  });

  it.each<[what: string, thrown: unknown, state: State, message: string]>([
    [
      'was not sent',
      new ServiceError('not-sent', 'Connection refused: not sent.', details),
      'failed',
      'Connection refused: not sent.',
    ],
    [
      'was rejected with a secret in the reason',
      new ServiceError('rejected', '409: the password hunter2 is taken', details),
      'failed',
      '409: the password •••• is taken',
    ],
    ['got no answer', lost(), 'unknown', 'POST /kick: no answer in 30 s'],
    [
      'names a secret that is nowhere once it may have left',
      new BellhopError('configuration', 'There is no secret:x.'),
      'unknown',
      'There is no secret:x.',
    ],
    [
      'hits a problem of our own, which proves nothing',
      new BellhopError('store-unavailable', 'The database is away.'),
      'unknown',
      'The database is away.',
    ],
    [
      'hits an internal error',
      new TypeError('x is not a function'),
      'unknown',
      'Bellhop hit an internal error while running this. See the log.',
    ],
  ])('that %s ends %s', async (_, thrown, state, message) => {
    stage.service.kick = () => Promise.reject(thrown);
    const ended = await stage.becomes(await confirmed(stage, '/box shove web-1'), state);
    expect(ended.outcome?.error?.message).toBe(message);
    expect(stage.service.kicks).toEqual(['web-1']);
    const [last] = (await stage.story(ended)).toReversed();
    expect(last).toBe(`ended → ${state} (${ended.outcome?.error?.code})`);
  });

  it('that names a secret which is nowhere, before anything may leave, ends failed', async () => {
    stage.service.connect = () => Promise.reject(new BellhopError('configuration', 'There is no secret:x.'));
    const ended = await stage.becomes(await confirmed(stage, '/box shove web-1'), 'failed');
    expect(ended.outcome?.error?.message).toBe('There is no secret:x.');
    expect(stage.service.kicks).toEqual([]);
  });

  it('whose answer cannot be shown succeeded all the same', async () => {
    stage.service.kick = () => Promise.resolve(7 as unknown as string);
    const ended = await stage.becomes(await confirmed(), 'succeeded');
    expect(ended.outcome?.report).toMatchObject({ title: 'box.kick on web-1 is done' });
    expect(stage.logged).toEqual(['an answer could not be shown']);
  });

  it('keeps the request id of the service', async () => {
    stage.service.kick = () => Promise.reject(lost());
    const ended = await stage.becomes(await confirmed(stage, '/box shove web-1'), 'unknown');
    expect(ended.outcome?.serviceRequestId).toBe('req-9');
    const [entry] = await stage.store.audit({ limit: 1 });
    expect(entry).toMatchObject({ serviceRequestId: 'req-9' });
  });

  it('sends the confirmed values', async () => {
    const contexts: unknown[] = [];
    const answer = Promise.withResolvers<string>();
    stage.service.look = () => Promise.resolve(undefined);
    stage.service.kick = (box) => {
      contexts.push(box);
      return answer.promise;
    };
    const running = await confirmed();
    stage.rulebook = { ...stage.rulebook, inventory: { ...stage.rulebook.inventory, instances: {} } };
    answer.resolve('moved');
    await stage.becomes(running, 'succeeded');
    expect(contexts).toEqual(['web-1']);
  });
});

describe('the look at the target before a change', () => {
  it('holds a confirmed change back for two seconds at most', async () => {
    let given: AbortSignal | undefined;
    stage.service.look = (signal) => {
      given = signal;
      return new Promise(() => undefined);
    };
    const running = await confirmed();
    await stage.clock.advance(1_999);
    expect([stage.service.kicks, given?.aborted]).toEqual([[], false]);
    await stage.clock.advance(1);
    const ended = await stage.becomes(running, 'succeeded');
    expect([stage.service.kicks, given?.aborted]).toEqual([['web-1'], true]);
    expect(ended.before).toBeUndefined();
  });
});

describe('an unknown outcome', () => {
  beforeEach(() => {
    stage.service.kick = () => Promise.reject(lost());
  });

  it('stays unknown, and keeps what is seen at the target now next to what was seen before', async () => {
    const running = await confirmed();
    await stage.becomes(running, 'unknown');
    await stage.context.backgroundTasks.drained(1);
    expect(await stage.find(running)).toMatchObject({
      state: 'unknown',
      before: { kicks: '0' },
      outcome: {
        error: { code: 'unknown-outcome' },
        sighting: { title: 'web-1 looks kicked', facts: [{ label: 'Kicks', value: '0, then 1' }] },
      },
    });
    expect(stage.service.kicks).toEqual(['web-1']);
    expect((await stage.story(running)).at(-1)).toBe('ended → unknown (unknown-outcome)');
    expect(stage.shown.map(({ state }) => state)).toEqual(['proposed', 'running', 'unknown', 'unknown']);
  });

  it('is not settled by another request for the same target', async () => {
    // The request is lost before the service does anything.
    stage.service.kick = () => {
      stage.service.kicks.pop();
      return Promise.reject(lost());
    };
    const first = await stage.becomes(await confirmed(), 'unknown');
    stage.service.kick = (box) => Promise.resolve(`${box} moved`);
    await stage.becomes(await confirmed(), 'succeeded');
    await stage.clock.advance(60 * 60_000);
    expect(stage.service.kicks).toEqual(['web-1']);
    expect(await stage.find(first)).toMatchObject({ state: 'unknown' });
  });

  it('is looked at for some seconds, in which the first change that is seen is kept', async () => {
    let looks = 0;
    stage.service.look = () => Promise.resolve({ kicks: (looks += 1) < 3 ? 'as before' : `look ${looks}` });
    const running = await confirmed();
    await stage.becomes(running, 'unknown');
    const titles = async () => (await stage.find(running)).outcome?.sighting?.title;
    await expect.poll(titles).toBe('web-1 looks as before');
    await stage.clock.advance(60 * 60_000);
    expect((await stage.find(running)).outcome?.sighting?.facts).toMatchObject([
      { value: 'as before, then look 3' },
    ]);
    expect(looks).toBe(3);
    expect(stage.clock.waiting()).toBe(0);
  });

  it('gives way to the answer, whatever is seen in the meantime', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const deaf = stage.another({ ...stage.store, renewLease: () => Promise.reject(away()) });
    const running = await confirmed(deaf);
    await expect.poll(() => stage.service.kicks).toEqual(['web-1']);
    await stage.clock.advance(61_000);
    let stolen = false;
    deaf.store.find = async (id) => {
      const found = await stage.store.find(id);
      if (!stolen && found) {
        stolen = true;
        await stage.store.advance({ before: found, to: found.state, changes: {}, at: 0, audit: [] });
      }
      return found;
    };
    await sweep(stage.context);
    answer.resolve('moved after all');
    await stage.becomes(running, 'succeeded');
  });

  it('stays unknown if the service cannot be read', async () => {
    stage.rulebook = { ...stage.rulebook, extensions: [] };
    const running = await confirmed();
    const unknown = await stage.becomes(running, 'unknown');
    await stage.clock.advance(60_000);
    expect(unknown.before).toBeUndefined();
    expect((await stage.find(running)).outcome?.sighting).toBeUndefined();
  });

  it('is not run again by any click, sweep or command', async () => {
    const unknown = await stage.becomes(await confirmed(stage, '/box shove web-1'), 'unknown');
    for (const action of ['confirm', 'approve', 'cancel', 'deny'] as const) {
      expect((await stage.refused('alice', unknown, action)).message).toContain('its outcome is unknown');
    }
    await stage.clock.advance(60 * 60_000);
    await sweep(stage.context);
    expect(stage.service.kicks).toEqual(['web-1']);
    expect(await stage.find(unknown)).toEqual(unknown);
  });
});
