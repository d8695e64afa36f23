import { expect, it } from 'vitest';

import type { Store } from '../../../src/store/store.ts';
import { mortal } from '../../run/killable-store.ts';
import { openHolds } from './hold-stage.ts';

/** The store of a process that is killed after so many calls. */
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
  let over = false;
  const watched = work.finally(() => {
    over = true;
  });
  for (let turns = 0; !over && (!isDead() || turns < 50); turns += isDead() ? 1 : 0)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  return over ? watched : undefined;
}

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
    expect(await second.log()).toHaveLength(hold ? 1 : 0);
    if (answer) expect(hold).toBeDefined();
    if (hold) {
      expect((await second.boxes.refused('alice', waits, 'confirm')).message).toContain('is held by');
      expect(first.posted.length + second.posted.length).toBeGreaterThan(0);
    } else expect(await second.boxes.click('alice', waits, 'confirm')).toMatchObject({ state: 'running' });
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
    if (answer) expect(hold).toBeUndefined();
    expect((await second.log()).length).toBe(hold ? 1 : 2);
    if (hold) await second.boxes.refused('alice', waits, 'confirm');
    else expect(await second.boxes.click('alice', waits, 'confirm')).toMatchObject({ state: 'running' });
    await stage.close();
  }
});
