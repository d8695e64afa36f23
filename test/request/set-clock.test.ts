import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { sweep } from '../due/sweep.ts';
import type { Store } from '../../src/store/store.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';
import { mortal } from '../run/killable-store.ts';

const day = 24 * 60 * 60_000;

let stage: BoxStage;
beforeEach(async () => {
  stage = await openBoxes();
});
afterEach(() => stage.close());

/** Sets the clock as an operator or NTP does: timers that wait go on waiting as long as before. */
function set({ clock }: BoxStage, by: number): void {
  const now = clock.now.bind(clock);
  clock.now = () => now() + by;
}

describe('a clock that is set forward by a day', () => {
  it('ends waiting requests, and they can be proposed again', async () => {
    const waiting = await stage.propose('alice', '/box kick web-1');
    set(stage, day);
    await sweep(stage.context);
    expect(await stage.find(waiting)).toMatchObject({ state: 'expired' });
    const again = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', again, 'confirm');
    await stage.becomes(again, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('calls a running change unknown until its answer arrives, and sends nothing again', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    stage.service.look = () => Promise.resolve(undefined);
    const proposed = await stage.propose('alice', '/box shove web-1');
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'running');
    set(stage, day);
    await Promise.all([sweep(stage.context), sweep(stage.another().context)]);
    expect(await stage.find(proposed)).toMatchObject({ state: 'unknown' });
    answer.resolve('moved');
    await stage.becomes(proposed, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('before anything was sent, sends nothing', async () => {
    const seen = Promise.withResolvers<undefined>();
    stage.service.look = () => seen.promise;
    const proposed = await stage.propose('alice', '/box kick web-1');
    await stage.click('alice', proposed, 'confirm');
    set(stage, day);
    seen.resolve(undefined);
    const ended = await stage.becomes(proposed, 'failed');
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
    const proposed = await dying.propose('alice', '/box shove web-1');
    await dying.click('alice', proposed, 'confirm');
    await dying.becomes(proposed, 'running');
    process?.die();
    set(dying, -day);
    const other = dying.another(store);
    await sweep(other.context);
    expect(await other.find(proposed)).toMatchObject({ state: 'unknown' });
    expect(dying.service.kicks).toEqual(['web-1']);
    await store?.close();
  });

  it('runs a confirmed request once, and ends it', async () => {
    const proposed = await stage.propose('alice', '/box kick web-1');
    set(stage, -day);
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'succeeded');
    await sweep(stage.context);
    expect(await stage.find(proposed)).toMatchObject({ state: 'succeeded' });
    expect(stage.service.kicks).toEqual(['web-1']);
  });
});

describe('a clock that is known to be wrong, a day ahead', () => {
  let right: boolean;
  beforeEach(async () => {
    right = true;
    await stage.close();
    stage = await openBoxes();
    stage.context.clockIsRight = () => right;
  });
  const turn = (): void => {
    set(stage, day);
    right = false;
  };

  it.each(['/box kick web-1', '/box shove db-1'])('expires nothing: %s', async (typed) => {
    const waiting = await stage.propose('alice', typed);
    turn();
    await sweep(stage.context);
    expect(await stage.find(waiting)).toEqual(waiting);
    right = true;
    await sweep(stage.context);
    expect(await stage.find(waiting)).toMatchObject({ state: 'expired' });
  });

  it('ends nothing that runs elsewhere', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const proposed = await stage.propose('alice', '/box shove web-1');
    await stage.click('alice', proposed, 'confirm');
    await stage.becomes(proposed, 'running');
    turn();
    await sweep(stage.context);
    expect(await stage.find(proposed)).toMatchObject({ state: 'running' });
    answer.resolve('moved');
    await stage.becomes(proposed, 'succeeded');
  });

  it('neither runs nor expires what looks expired when it is clicked', async () => {
    const waiting = await stage.propose('alice', '/box kick web-1');
    turn();
    expect((await stage.refused('alice', waiting, 'confirm')).message).toMatch(
      /^Bellhop's clock is wrong, so it can't tell.*Nothing was run\./u,
    );
    expect(await stage.find(waiting)).toEqual(waiting);
    expect(stage.service.kicks).toEqual([]);
  });

  it('lets a newer request supersede one that looks expired, not end it as expired', async () => {
    const older = await stage.propose('alice', '/box kick web-1');
    turn();
    await stage.propose('alice', '/box kick web-1');
    expect(await stage.find(older)).toMatchObject({ state: 'cancelled' });
  });
});
