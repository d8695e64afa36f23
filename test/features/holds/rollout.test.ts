import { expect, it } from 'vitest';

import { beginHold, changeEach, ended } from '../../../src/features/holds/change.ts';
import { type Hold, meets } from '../../../src/features/holds/hold.ts';
import { byHolds } from '../../../src/features/holds/restriction.ts';
import { carol } from '../../people.ts';
import { proposed, reboots, rolling, stageWithPolicy } from '../../rollouts/rolling.ts';

it('a rollout pauses at a held target, with the sentence, and Continue checks again', async () => {
  const { stage } = await stageWithPolicy();
  Object.assign(stage.context, { restrictions: [byHolds] });
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  const now = stage.clock.now();
  const one: Hold = {
    id: 'h-1',
    by: carol,
    name: 'Carol',
    place: { team: 'T0LOCAL', channel: 'C0OPS' },
    selector: { name: 'web-2', kinds: ['instance'] },
    names: ['web-2'],
    count: 1,
    reason: 'failover drill',
    since: now,
    until: now + 3_600_000,
    version: 0,
  };
  await beginHold(stage.context, one);
  expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  expect((await rollout.now()).rollout?.paused?.why).toMatch(
    /^The request for web-2 was refused: web-2 is held by Carol until \d\d:\d\d UTC: failover drill\.$/u,
  );
  await expect(rollout.press('continue')).rejects.toThrow(/^Not continued. web-2 is held by/u);
  expect(await reboots(stage)).toEqual(['web-1']);
  await changeEach(stage.context, [one], (hold, at) => ended(hold, { how: 'released', by: carol, at }));
  await rollout.press('continue');
  await rollout.until(/done/u);
  expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
});

it('a waiting rollout is decided anew if one of its targets is held', async () => {
  const { stage } = await stageWithPolicy();
  const { id, version } = await proposed(stage);
  const hold = (name: string) =>
    stage.store.reconsider((target) => meets({ name, kinds: ['instance'] }, target), stage.clock.now());
  await hold('web-2');
  expect((await stage.find({ id })).version).toBe(version + 1);
  await hold('db-1');
  expect((await stage.find({ id })).version).toBe(version + 1);
});
