import { expect, it } from 'vitest';

import { alice, carol } from '../../people.ts';
import { click, loseNextAnswer, proposed, rolling, staging, stageWithPolicy, follow } from './rolling.ts';

const login = { issuer: 'https://login.example.com', subject: 'alice', auth_time: 1 };

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
  expect(await click(stage.context, request, 'confirm')).toMatchObject({ kind: 'type-name' });
  await expect(click(stage.context, request, 'confirm', { typedName: 'web-1' })).rejects.toThrow(
    'does not match “tier=web”',
  );
  await click(stage.context, request, 'confirm', { typedName: 'tier=web' });
  const rollout = follow(stage, request.id);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  expect((await rollout.press('continue')).state).toBe('proposed');
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('proposed');
  await expect(click(stage.context, request, 'confirm', { typedName: 'tier=web' })).rejects.toThrow(
    'does not match “web-3”',
  );
  await click(stage.context, request, 'confirm', { typedName: 'web-3' });
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it('a rule that wants a sign-in wants one to start, and one to continue', async () => {
  const { stage, change } = await stageWithPolicy();
  change(staging({ stepUp: true }));
  const request = await proposed(stage);
  expect(await click(stage.context, request, 'confirm')).toMatchObject({ kind: 'sign-in' });
  await click(stage.context, request, 'confirm', { signedIn: { login, version: request.version } });
  const rollout = follow(stage, request.id);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  const again = await rollout.press('continue');
  expect(again.state).toBe('proposed');
  expect(await click(stage.context, again, 'confirm')).toMatchObject({ kind: 'sign-in' });
  await expect(rollout.until(/web-3 \w/u, 30)).rejects.toThrow('proposed');
  await click(stage.context, again, 'confirm', { signedIn: { login, version: again.version } });
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it.each([
  ['confirm', alice, 'It now requires a sign-in.'],
  ['approve', carol, 'It now needs approval.'],
] as const)(
  'a rule that asks for a sign-in since stops one that began without it: %s',
  async (effect, actor, why) => {
    const { stage, change } = await stageWithPolicy();
    change(staging({ effect, approvers: ['leads'] }));
    const request = await proposed(stage);
    await click(stage.context, request, effect, { actor });
    const rollout = follow(stage, request.id);
    await rollout.until(/web-1 succeeded/u);
    change(staging({ stepUp: true }));
    expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
    expect((await rollout.singles()).map(({ note = '' }) => note).join()).toContain(why);
    expect(await stage.sent('rebootInstance')).toBe(1);
  },
);
