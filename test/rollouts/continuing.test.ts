import { expect, it } from 'vitest';

import { ranMs } from '../../src/model/records/request.ts';
import { alice, carol } from '../people.ts';
import { click, loseNextAnswer, proposed, rolling, staging, stageWithPolicy, follow } from './rolling.ts';
import { token, touched } from '../token-gate.ts';

it('an approval covers the list, and continuing needs a new one', async () => {
  const { stage, change } = await stageWithPolicy();
  change(staging({ effect: 'approve', approvers: ['leads'] }));
  const request = await proposed(stage);
  expect(request.state).toBe('awaiting approval');
  const approve = () => click(stage.context, request, 'approve', { actor: carol });
  await approve();
  const rollout = follow(stage, request.id);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  expect((await rollout.press('continue')).state).toBe('awaiting approval');
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('awaiting approval');
  await approve();
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it.each(['confirm', 'approve'] as const)(
  'the time that a rollout took has no pause in it: %s',
  async (effect) => {
    const { stage, change } = await stageWithPolicy();
    const rollout = await rolling(stage);
    await rollout.until(/web-1 succeeded/u);
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    change(staging({ effect, approvers: ['leads'] }));
    await stage.clock.advance(20 * 60_000);
    const again = await rollout.press('continue');
    if (effect === 'approve') {
      await stage.clock.advance(10 * 60_000);
      await click(stage.context, again, 'approve', { actor: carol });
    }
    expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
    const ended = await rollout.now();
    expect(ended.rollout?.pausedMs).toBeGreaterThanOrEqual((effect === 'approve' ? 30 : 20) * 60_000);
    expect(ranMs(ended)).toBeLessThan(5 * 60_000);
  },
);

it('the time that a rollout took has neither an earlier pause in it, nor the one in which it was stopped', async () => {
  const { stage } = await stageWithPolicy();
  const rollout = await rolling(stage);
  for (let pause = 1; pause <= 2; pause += 1) {
    await loseNextAnswer(stage);
    await rollout.until(/paused/u);
    await stage.clock.advance(20 * 60_000);
    await rollout.press(pause === 1 ? 'continue' : 'stop');
  }
  await rollout.until(/stopped/u);
  const ended = await rollout.now();
  expect((ended.endedAt ?? 0) - (ended.rollout?.startedAt ?? 0)).toBeGreaterThanOrEqual(40 * 60_000);
  expect(ranMs(ended)).toBeLessThan(5 * 60_000);
});

it('continuing says first that someone else has changed the next target during the pause, or has a request open for it', async () => {
  const { stage } = await stageWithPolicy();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  const other = await stage.propose('carol', '/cloud reboot web-3');
  const pauses = async () => (await rollout.press('continue')).rollout?.paused;
  expect(await pauses()).toMatchObject({
    why: 'web-3 has an open request: /cloud reboot web-3 by U0CAROL, proposed.',
    inTheWay: other.id,
  });
  expect(await rollout.summary()).toBe('paused: web-1 succeeded, web-2 unknown, web-3');
  await click(stage.context, other, 'cancel', { actor: carol });
  await rollout.until((now) => now?.paused?.inTheWay === undefined);
  await stage.clock.advance(1000);
  const again = await stage.propose('carol', '/cloud reboot web-3');
  await click(stage.context, again, 'confirm', { actor: carol });
  await stage.context.backgroundTasks.drained(1000);
  expect((await pauses())?.why).toBe(
    'web-3 was changed during the pause: /cloud reboot web-3 by U0CAROL, succeeded. Continue changes web-3 again.',
  );
  await stage.clock.advance(60_000);
  await rollout.press('continue');
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it('continuing says first that someone else has changed a target after the next one during the pause', async () => {
  const { stage } = await stageWithPolicy();
  await loseNextAnswer(stage);
  const rollout = await rolling(stage);
  await rollout.until(/paused: web-1 unknown/u);
  await stage.clock.advance(1000);
  await click(stage.context, await stage.propose('carol', '/cloud reboot web-3'), 'confirm', {
    actor: carol,
  });
  await stage.context.backgroundTasks.drained(1000);
  const { paused } = (await rollout.press('continue')).rollout ?? {};
  expect(paused?.next).toBe(1);
  expect(paused?.why).toMatch(/^web-3 was changed during the pause: /u);
  await rollout.press('continue');
  expect(await rollout.until(/done/u)).toBe('done: web-1 unknown, web-2 succeeded, web-3 succeeded');
});

it('a rollout whose approval expires ends, and sends nothing further', async () => {
  const { stage, change } = await stageWithPolicy();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  change(staging({ effect: 'approve', approvers: ['leads'] }));
  await rollout.press('continue');
  await stage.clock.advance(60 * 60_000);
  expect(await rollout.until(/stopped/u)).toBe('stopped: web-1 succeeded, web-2 unknown, web-3');
  expect(await stage.sent('rebootInstance')).toBe(2);
});

it('a rule that wants the name typed gets the labels first, and the next target to continue', async () => {
  const { stage, change } = await stageWithPolicy();
  change(staging({ typeName: true }));
  const request = await proposed(stage);
  expect(await click(stage.context, request, 'confirm')).toMatchObject({ kind: 'form', gate: 'type-name' });
  await expect(
    click(stage.context, request, 'confirm', { passes: { 'type-name': { text: 'web-1' } } }),
  ).rejects.toThrow('does not match “tier=web”');
  await click(stage.context, request, 'confirm', { passes: { 'type-name': { text: 'tier=web' } } });
  const rollout = follow(stage, request.id);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  expect((await rollout.press('continue')).state).toBe('proposed');
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('proposed');
  await expect(
    click(stage.context, request, 'confirm', { passes: { 'type-name': { text: 'tier=web' } } }),
  ).rejects.toThrow('does not match “web-3”');
  await click(stage.context, request, 'confirm', { passes: { 'type-name': { text: 'web-3' } } });
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it('a rule that wants a touch of the token wants one to start, and one to continue', async () => {
  const { stage, change } = await stageWithPolicy();
  change(staging({ demands: [token] }));
  const request = await proposed(stage);
  expect(await click(stage.context, request, 'confirm')).toMatchObject({
    kind: 'link',
    gate: { name: 'token' },
  });
  await click(stage.context, request, 'confirm', { passes: touched, version: request.version });
  const rollout = follow(stage, request.id);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  const again = await rollout.press('continue');
  expect(again.state).toBe('proposed');
  expect(await click(stage.context, again, 'confirm')).toMatchObject({
    kind: 'link',
    gate: { name: 'token' },
  });
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('proposed');
  await click(stage.context, again, 'confirm', { passes: touched, version: again.version });
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it.each([
  ['confirm', alice, 'The request now requires a touch.'],
  ['approve', carol, 'The change now needs approval.'],
] as const)(
  'a rule that asks for a touch since stops one that began without it: %s',
  async (effect, actor, why) => {
    const { stage, change } = await stageWithPolicy();
    change(staging({ effect, approvers: ['leads'] }));
    const request = await proposed(stage);
    await click(stage.context, request, effect, { actor });
    const rollout = follow(stage, request.id);
    await rollout.until(/web-1 succeeded/u);
    change(staging({ demands: [token] }));
    expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
    expect((await rollout.singles()).map(({ note = '' }) => note).join()).toContain(why);
    expect(await stage.sent('rebootInstance')).toBe(1);
  },
);
