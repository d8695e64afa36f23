import { expect, it } from 'vitest';

import type { Request } from '../../../src/model/records/request.ts';
import type { Store } from '../../../src/store/store.ts';
import { mortal } from '../../run/killable-store.ts';
import { type HoldStage, openHolds } from './hold-stage.ts';

/** The store of a process that is killed after this many calls. */
function dyingAfter(store: Store, calls: number): { readonly store: Store; readonly isDead: () => boolean } {
  const life = mortal(store);
  let made = 0;
  const dying = new Proxy(life.store, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver);
      if (typeof method !== 'function') return method;
      return (...given: unknown[]): unknown => {
        if ((made += 1) > calls) life.die();
        return Reflect.apply(method, target, given);
      };
    },
  });
  return { store: dying, isDead: () => made > calls };
}

/** Resolves to undefined if the work hangs, because its process is dead. */
async function whileAlive<T>(work: Promise<T>, isDead: () => boolean): Promise<T | undefined> {
  const death = async (): Promise<undefined> => {
    for (let turns = 0; turns < 50; turns += isDead() ? 1 : 0) {
      if (await Promise.race([done, turn()])) return undefined;
    }
    return undefined;
  };
  const done = work.then(() => true);
  return Promise.race([work, death()]);
}

const turn = (): Promise<false> =>
  new Promise((resolve) => {
    setImmediate(() => resolve(false));
  });

/** The result of a confirming click. */
const confirm = (stage: HoldStage, waits: Request): Promise<string> =>
  stage.boxes.click('alice', waits, 'confirm').then(
    ({ state }) => state,
    (error: unknown) => (String(error).includes('is held by') ? 'is held' : String(error)),
  );

it('a kill between any two statements leaves no hold, or one that is in force, in the log and shown', async () => {
  const seen = { none: 0, held: 0, answered: 0 };
  for (let calls = 0, isOver = false; !isOver; calls += 1) {
    const stage = await openHolds();
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    const dying = dyingAfter(stage.store, calls);
    const first = stage.another(dying.store);
    const answer = await whileAlive(first.ask('/bellhop hold web-1 --reason drill', 'carol'), dying.isDead);
    if (answer) await whileAlive(first.work(), dying.isDead);
    isOver = !dying.isDead();

    await stage.boxes.clock.advance(60_000);
    const second = stage.another();
    await second.work();
    const [hold] = await second.holds();
    const isShown = first.posted.length + second.posted.length > 0;
    const entries = (await second.log()).length;
    const outcome = { isHeld: hold !== undefined, isShown, entries, click: await confirm(second, waits) };
    const held = { isHeld: true, isShown: true, entries: 1, click: 'is held' };
    const none = { isHeld: false, isShown: false, entries: 0, click: 'running' };
    expect(answer ? [held] : [held, none]).toContainEqual(outcome);
    seen[answer ? 'answered' : hold ? 'held' : 'none'] += 1;
    await stage.close();
  }
  expect(seen.none).toBeGreaterThan(0);
  expect(seen.held).toBeGreaterThan(0);
  expect(seen.answered).toBeGreaterThan(2);
});

it('a kill between any two statements of a release leaves the hold in force, or ended and said so', async () => {
  for (let calls = 0, isOver = false; !isOver; calls += 1) {
    const stage = await openHolds();
    const waits = await stage.boxes.propose('alice', '/box kick web-1');
    await stage.ask('/bellhop hold web-1 --reason drill', 'carol');
    await stage.work();
    const dying = dyingAfter(stage.store, calls);
    const first = stage.another(dying.store);
    const answer = await whileAlive(first.ask('/bellhop release web-1', 'carol'), dying.isDead);
    isOver = !dying.isDead();

    await stage.boxes.clock.advance(60_000);
    const second = stage.another();
    await second.work();
    const [hold] = await second.holds();
    const entries = (await second.log()).length;
    const outcome = { isHeld: hold !== undefined, entries, click: await confirm(second, waits) };
    const ended = { isHeld: false, entries: 2, click: 'running' };
    const held = { isHeld: true, entries: 1, click: 'is held' };
    expect(answer ? [ended] : [held, ended]).toContainEqual(outcome);
    await stage.close();
  }
});
