import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { recoverAtStart } from '../../src/request/deadline.ts';
import { sweep } from '../due/sweep.ts';
import { BellhopError } from '../../src/model/values/errors.ts';
import { type BoxStage, openBoxes } from '../run/sample-boxes.ts';
import { mortal } from '../run/killable-store.ts';
import { dueKind } from '../../src/model/records/due.ts';

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

/** A process whose lease is renewed no more. */
const unrenewed = (): BoxStage => stage.another({ ...stage.store, renewLease: () => Promise.reject(away()) });

describe('the lease of a run', () => {
  it('is renewed as long as the process lives', async () => {
    const answer = Promise.withResolvers<string>();
    stage.service.kick = () => answer.promise;
    const running = await confirmed(stage, '/box shove web-1');
    for (let minute = 0; minute < 10; minute += 1) {
      await stage.clock.advance(60_000);
      await sweep(stage.another().context);
    }
    expect(await stage.find(running)).toMatchObject({ state: 'running' });
    answer.resolve('moved');
    await stage.becomes(running, 'succeeded');
    expect(stage.clock.waiting()).toBe(0);
  });

  it('that was renewed while the change waited for a connection still holds', async () => {
    const connected = Promise.withResolvers<undefined>();
    stage.service.connect = () => connected.promise;
    const running = await confirmed();
    await stage.clock.advance(150_000);
    await sweep(stage.another().context);
    expect(await stage.find(running)).toMatchObject({ state: 'running' });
    connected.resolve(undefined);
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('ends with the process: another one calls the outcome unknown, and no one runs it again', async () => {
    const first = mortal(stage.store);
    const dying = stage.another(first.store);
    stage.service.kick = () => new Promise(() => undefined);
    const running = await confirmed(dying, '/box shove web-1');
    first.die();
    await stage.clock.advance(59_999);
    await sweep(stage.context);
    expect(await stage.find(running)).toMatchObject({ state: 'running' });
    await stage.clock.advance(1);
    await sweep(stage.context);
    const unknown = await stage.find(running);
    expect(unknown).toMatchObject({ state: 'unknown' });
    expect(stage.shown).toEqual([unknown]);
    expect(unknown.outcome?.error?.message).toBe(
      'Bellhop stopped or lost its database while the change was running.',
    );
    expect((await stage.story(running)).at(-1)).toBe(
      'ended → unknown (Bellhop stopped or lost its database while it ran)',
    );
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('that ran out leaves what is seen at the target next to what was', async () => {
    const first = mortal(stage.store);
    const dying = stage.another(first.store);
    stage.service.kick = () => new Promise(() => undefined);
    const running = await confirmed(dying);
    await expect.poll(() => stage.service.kicks).toEqual(['web-1']);
    first.die();
    await stage.clock.advance(60_001);
    await sweep(stage.context);
    await stage.context.backgroundTasks.drained(1);
    expect(await stage.find(running)).toMatchObject({
      state: 'unknown',
      outcome: { sighting: { title: 'web-1 looks kicked' } },
    });
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('is recovered once by three replicas', async () => {
    const first = mortal(stage.store);
    stage.service.kick = () => new Promise(() => undefined);
    const running = await confirmed(stage.another(first.store), '/box shove web-1');
    first.die();
    await stage.clock.advance(60_001);
    await Promise.all([stage, stage.another(), stage.another()].map(({ context }) => sweep(context)));
    expect((await stage.story(running)).filter((line) => line.startsWith('ended'))).toHaveLength(1);
  });

  it('that ran out while the answer was on its way gives way to the answer', async () => {
    const answer = Promise.withResolvers<string>();
    const deaf = stage.another({ ...stage.store, renewLease: () => Promise.reject(away()) });
    stage.service.kick = () => answer.promise;
    const running = await confirmed(deaf, '/box shove web-1');
    await stage.clock.advance(61_000);
    await sweep(stage.context);
    expect(await stage.find(running)).toMatchObject({ state: 'unknown' });
    answer.resolve('moved after all');
    const ended = await stage.becomes(running, 'succeeded');
    expect(ended.outcome?.report?.headline).toBe('moved after all');
    expect((await stage.story(running)).slice(-2)).toEqual([
      'ended → unknown (Bellhop stopped or lost its database while it ran)',
      'ended → succeeded',
    ]);
    expect(new Set(deaf.logged)).toEqual(new Set(['a lease could not be renewed']));
  });

  it.each([
    ['and was called unknown by another meanwhile', ['unknown']],
    ['and no one noticed', []],
  ] as const)('lost while the change waited, %s: not sent, and the request says so', async (_, noticed) => {
    const connected = Promise.withResolvers<undefined>();
    stage.service.connect = () => connected.promise;
    const running = await confirmed(unrenewed());
    await stage.clock.advance(61_000);
    for (const state of noticed) {
      await sweep(stage.context);
      await stage.becomes(running, state);
    }
    connected.resolve(undefined);
    const ended = await stage.becomes(running, 'failed');
    expect(ended.outcome?.error).toEqual({ code: 'not-sent', message: 'The lease is lost: not sent.' });
    expect(stage.service.kicks).toEqual([]);
  });

  it('is lost a little before its end, because clocks differ', async () => {
    const connected = Promise.withResolvers<undefined>();
    stage.service.connect = () => connected.promise;
    const running = await confirmed(unrenewed(), '/box shove web-1');
    await stage.clock.advance(58_500);
    connected.resolve(undefined);
    await stage.becomes(running, 'failed');
    expect(stage.service.kicks).toEqual([]);
  });

  it('that ran out is not renewed, also where a replica that saw it has not ended it yet: not sent', async () => {
    const connected = Promise.withResolvers<undefined>();
    stage.service.connect = () => connected.promise;
    let stalled = true;
    const stalling = stage.another({
      ...stage.store,
      renewLease: (...asked) => (stalled ? Promise.reject(away()) : stage.store.renewLease(...asked)),
    });
    const running = await confirmed(stalling, '/box shove web-1');
    await stage.clock.advance(61_000);
    const due = await stage.store.claimDue(new Map([[dueKind('deadline'), 1]]), stage.clock.now(), 1);
    stalled = false;
    await stage.clock.advance(20_000);
    await sweep(stage.another({ ...stage.store, claimDue: () => Promise.resolve(due) }).context);
    expect(await stage.find(running)).toMatchObject({ state: 'unknown' });
    connected.resolve(undefined);
    await stage.becomes(running, 'failed');
    expect(stage.service.kicks).toEqual([]);
  });

  it('that a replica takes for over too early continues', async () => {
    const connected = Promise.withResolvers<undefined>();
    stage.service.connect = () => connected.promise;
    const running = await confirmed(stage, '/box shove web-1');
    const early = Date.now() + 1e9;
    const due = {
      kind: dueKind('deadline'),
      key: running.id,
      version: 2,
      since: 0,
      claimedAt: early,
      tries: 1,
    };
    await sweep(stage.another({ ...stage.store, claimDue: () => Promise.resolve([due]) }).context);
    expect(await stage.find(running)).toMatchObject({ state: 'running', version: 2 });
    connected.resolve(undefined);
    await stage.becomes(running, 'succeeded');
    expect(stage.service.kicks).toEqual(['web-1']);
  });

  it('taken away while the target was looked at: not sent', async () => {
    const seen = Promise.withResolvers<{ kicks: string }>();
    stage.service.look = () => seen.promise;
    const running = await confirmed();
    await recoverAtStart(stage.another().context);
    expect(await stage.find(running)).toMatchObject({ state: 'unknown' });
    seen.resolve({ kicks: '0' });
    expect(await stage.becomes(running, 'failed')).toMatchObject({
      outcome: { error: { code: 'not-sent' } },
    });
    expect(stage.service.kicks).toEqual([]);
  });
});
