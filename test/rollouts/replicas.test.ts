import { expect, it } from 'vitest';

import type { Store } from '../../src/store/store.ts';
import { openStage } from '../operations/stage.ts';
import { sweep } from '../due/sweep.ts';
import { mortal } from '../run/killable-store.ts';
import { proposeSingle } from '../../src/rollouts/single.ts';
import { IgnoredClickError } from '../../src/request/steps/step.ts';
import { follow, loseNextAnswer, rolling } from './rolling.ts';

/** Ids that no other process has given. */
let numbered = 0;
const ids = {
  request: () => `r-x${(numbered += 1)}`,
  correlation: () => `c-x${(numbered += 1)}`,
  unique: () => `u-x${(numbered += 1)}`,
};

it('two replicas that drive it at once start each target once, and no two beside each other', async () => {
  const stage = await openStage();
  const replicas = [stage.another(), stage.another()].map((one) => Object.assign(one, { ids }));
  const rollout = await rolling(stage, undefined, replicas[0]);
  for (let second = 0; second < 60 && !/done/u.test(await rollout.summary()); second += 1) {
    await stage.clock.advance(1000);
    await Promise.all(replicas.flatMap((replica) => [sweep(replica), sweep(replica)]));
    const singles = await rollout.singles();
    expect(singles.filter(({ state }) => state === 'running' || state === 'proposed').length).toBeLessThan(2);
  }
  expect(await rollout.summary()).toBe('done: web-1 succeeded, web-2 succeeded, web-3 succeeded');
  expect(await stage.sent('rebootInstance')).toBe(3);
});

/** A process that dies at its nth call of the store, and does nothing after that. */
function dyingAt(store: Store, nth: number): Store {
  const life = mortal(store);
  let calls = 0;
  return new Proxy(life.store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        calls += 1;
        if (calls === nth) life.die();
        return Reflect.apply(member, target, given);
      };
    },
  });
}

it.each([3, 5, 8, 12, 17, 23, 30, 40])(
  'a process that dies at call %i of its store leaves a rollout that another one ends, with each target sent once at most',
  { timeout: 60_000 },
  async (nth) => {
    const stage = await openStage();
    const { id } = await rolling(stage);
    const dying = { ...stage.another(dyingAt(stage.store, nth)), ids };
    const heir = { ...stage.another(), ids };
    const rollout = follow(stage, id, heir);
    for (let second = 0; second < 30; second += 1) {
      await stage.clock.advance(1000);
      // A dead process never gets an answer.
      void sweep(dying).catch(() => undefined);
    }
    // Its lease and its claims expire. A person continues after each unknown outcome.
    for (let tries = 0; tries < 4; tries += 1) {
      if (!/paused/u.test(await rollout.until(/paused|done/u, 200))) break;
      if (((await rollout.now()).rollout?.paused?.next ?? 3) > 2) break;
      await rollout.press('continue');
    }
    const said = await rollout.summary();
    expect(said).toMatch(
      /^(done|paused): web-1 (succeeded|unknown), web-2 (succeeded|unknown), web-3 (succeeded|unknown)$/u,
    );
    const unknown = said.split('unknown').length - 1;
    const sent = await stage.sent('rebootInstance');
    expect(sent).toBeLessThanOrEqual(3);
    expect(sent).toBeGreaterThanOrEqual(3 - unknown);
  },
);

it('a press closes the record of its payload in its step, so none is reported as interrupted once it counts', async () => {
  const stage = await openStage();
  const closed: string[] = [];
  const open = (key: string) => ({ key, by: key, closed: () => void closed.push(key) });
  const rollout = await rolling(stage);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  await rollout.press('continue', undefined, undefined, open('continue'));
  await expect(rollout.press('continue', undefined, 1, open('late'))).rejects.toThrow(IgnoredClickError);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  await rollout.press('stop', undefined, undefined, open('stop'));
  const other = await rolling(stage);
  await other.press('stop', undefined, undefined, open('stop while it runs'));
  expect(closed).toEqual(['continue', 'stop', 'stop while it runs']);
});

it('a replica that was left behind proposes nothing: its turn is over', async () => {
  const stage = await openStage();
  const request = await (await rolling(stage)).now();
  const { rollout } = request;
  if (!rollout) throw new Error('this is not a rollout');
  const stale = { request, rollout, entry: stage.entry('cloud.reboot') };
  const first = await proposeSingle(stage.context, stale, 0);
  expect(first.conflict).toBeUndefined();
  const second = await proposeSingle(stage.context, stale, 1);
  expect(second.conflict?.id).toBe(request.id);
  expect(await stage.store.find(second.single.id)).toBeUndefined();
});
