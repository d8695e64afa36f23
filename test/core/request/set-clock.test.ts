import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { type Boxes, openBoxes } from '../sample-instances.ts';
import { mortal } from '../killable-store.ts';

const day = 24 * 60 * 60_000;

let stage: Boxes;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

/** Sets the clock as an operator or NTP does: timers that wait go on waiting as long as before. */
function set({ clock }: Boxes, by: number): void {
  const now = clock.now.bind(clock);
  clock.now = () => now() + by;
}

describe('a clock that is set forward by a day', () => {
  it('ends what waits, and it can be asked anew', async () => {
    const waiting = await stage.ask('alice', '/box kick web-1');
    set(stage, day);
    await stage.executor.sweep();
    expect(await stage.find(waiting)).toMatchObject({ state: 'expired' });
    const again = await stage.ask('alice', '/box kick web-1');
    await stage.press('alice', again, 'confirm');
    await stage.becomes(again, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('calls what runs unknown until its answer is there, and sends nothing again', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    stage.service.look = () => Promise.resolve(undefined);
    const asked = await stage.ask('alice', '/box shove web-1');
    await stage.press('alice', asked, 'confirm');
    await stage.becomes(asked, 'running');
    set(stage, day);
    await Promise.all([stage.executor.sweep(), stage.another().executor.sweep()]);
    expect(await stage.find(asked)).toMatchObject({ state: 'unknown' });
    answer.resolve('moved');
    await stage.becomes(asked, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('before anything was sent, sends nothing', async () => {
    const seen = Promise.withResolvers<undefined>();
    stage.service.look = () => seen.promise;
    const asked = await stage.ask('alice', '/box kick web-1');
    await stage.press('alice', asked, 'confirm');
    set(stage, day);
    seen.resolve(undefined);
    const ended = await stage.becomes(asked, 'failed');
    expect(ended.outcome?.error?.message).toContain('not sent');
    expect(stage.service.kicks).toEqual([]);
  });
});

describe('a clock that is set back by a day', () => {
  it('does not leave a request running for a day after its process died', async () => {
    let store: Store | undefined;
    let process: ReturnType<typeof mortal> | undefined;
    const dying = await openBoxes((real) => {
      store = real;
      process = mortal(real);
      return process.store;
    });
    dying.service.kick = () => new Promise(() => undefined);
    const asked = await dying.ask('alice', '/box shove web-1');
    await dying.press('alice', asked, 'confirm');
    await dying.becomes(asked, 'running');
    process?.die();
    set(dying, -day);
    const other = dying.another(store);
    await other.executor.sweep();
    expect(await other.find(asked)).toMatchObject({ state: 'unknown' });
    expect(dying.service.kicks).toEqual(['web-1']);
    await store?.close();
  });

  it('runs once what is confirmed, and ends it', async () => {
    const asked = await stage.ask('alice', '/box kick web-1');
    set(stage, -day);
    await stage.press('alice', asked, 'confirm');
    await stage.becomes(asked, 'succeeded');
    await stage.executor.sweep();
    expect(await stage.find(asked)).toMatchObject({ state: 'succeeded' });
    expect(stage.service.kicks).toEqual(['web-1']);
  });
});
