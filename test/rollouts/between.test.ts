import { expect, it } from 'vitest';

import { createRolloutHandler } from '../../src/rollouts/drive.ts';
import { settleByHand } from '../../src/request/outcome/settle-by-hand.ts';
import { openStage } from '../operations/stage.ts';
import { alice, carol } from '../people.ts';
import { click, loseNextAnswer, reboots, rolling, stageWithPolicy } from './rolling.ts';
import { dueKind } from '../../src/model/records/due.ts';
import { rotaOf } from '../sample-source.ts';

// Events between two targets.

const idle = { status: 'ACTIVE', vm_state: 'active', task_state: '', task_id: null };

it('a target that was renamed pauses it, by the name that the list has', async () => {
  const { stage, changeInventory } = await stageWithPolicy();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  changeInventory(({ instances: { 'web-2': renamed, ...others }, ...rest }) => ({
    ...rest,
    instances: renamed ? { ...others, 'web-2b': renamed } : others,
  }));
  expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  expect((await rollout.now()).rollout?.paused?.why).toBe(
    'The request for web-2 was refused: The target or the input changed after this was shown. Run the command again to see the current ones.',
  );
  await expect(rollout.press('continue')).rejects.toThrow('The target or the input changed');
  expect(await reboots(stage)).toEqual(['web-1']);
});

it('a target that it has passed may go: Continue is about the others', async () => {
  const { stage, changeInventory } = await stageWithPolicy();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  await rollout.until(/paused/u);
  changeInventory(({ instances: { 'web-1': _gone, ...instances }, ...rest }) => ({ ...rest, instances }));
  await rollout.press('continue');
  expect(await rollout.until(/done/u)).toBe('done: web-1 succeeded, web-2 unknown, web-3 succeeded');
});

it('a name that stands for another instance by now pauses it', async () => {
  const { stage, changeInventory } = await stageWithPolicy();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  changeInventory(({ instances, ...rest }) => ({
    ...rest,
    instances: {
      ...instances,
      ...(instances['db-1'] && {
        'web-2': { ...instances['db-1'], labels: { env: 'staging', tier: 'web' } },
      }),
    },
  }));
  expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  expect(await stage.sent('rebootInstance')).toBe(1);
});

it('another target that gets the same label in the meantime is not part of it', async () => {
  const { stage, changeInventory } = await stageWithPolicy();
  const rollout = await rolling(stage);
  changeInventory(({ instances, ...rest }) => ({
    ...rest,
    instances: {
      ...instances,
      ...(instances['db-1'] && { 'db-1': { ...instances['db-1'], labels: { env: 'staging', tier: 'web' } } }),
    },
  }));
  await rollout.until(/done/u);
  expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
});

const guards = [{ labels: { tier: 'web' }, keep: 2, approvers: ['leads'] }];

it('a guard counts targets that are back', async () => {
  const stage = await openStage({ guards });
  await (await rolling(stage)).until(/done/u);
  expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
});

it('a guard that objects because another target went down asks for an approval to continue', async () => {
  const stage = await openStage({ guards });
  const again = await rolling(stage);
  await again.until(/web-1 succeeded/u);
  const { project, region, instances } = stage.rulebook.inventory;
  const stop = `/cloud/v1/instances/${project}/${region}/${instances['web-3']?.id}/stop`;
  const headers = { authorization: 'apikey key-of-the-operations' };
  expect(await fetch(`${stage.service.url}${stop}`, { method: 'POST', headers })).toMatchObject({ ok: true });
  expect(await again.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  expect((await again.now()).rollout?.paused?.why).toMatch(
    /^The request for web-2 was refused: Without web-2, only 1 of the 2 tier=web instances that must stay up is known to be running.*needs approval/u,
  );
  const request = await again.press('continue');
  expect(request.state).toBe('awaiting approval');
  await click(stage.context, request, 'approve', { actor: carol });
  await again.until(/web-2 succeeded/u);
});

it('a guard does not count a target that was not seen healthy again', async () => {
  const stage = await openStage({ guards, extensions: ['instance-read'] });
  await loseNextAnswer(stage);
  // The reboot of web-1 is queued: its state does not show it yet.
  await stage.control('PUT', 'faults/readInstance', { status: 200, body: idle });
  const rollout = await rolling(stage);
  await rollout.until(/paused/u);
  const [first] = await rollout.singles();
  const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
  const verdict = { state: 'succeeded', reason: 'its log says so' } as const;
  await settleByHand(stage.context, caller, first?.id ?? '', verdict);
  expect(await rollout.until(/web-1 succeeded/u)).toBe('paused: web-1 succeeded, web-2, web-3');
  expect(await rollout.press('continue')).toMatchObject({
    state: 'awaiting approval',
    decision: { rule: 'guard 1' },
  });
});

it('a guard does not count a target that broke after it was back', async () => {
  const stage = await openStage({ guards, extensions: ['instance-read'] });
  const rollout = await rolling(stage);
  await rollout.until((seen) => seen?.backAt !== undefined, 60);
  const reads = (body: object) => stage.control('PUT', 'faults/readInstance', { status: 200, body });
  await reads({ ...idle, status: 'ERROR' });
  await rollout.until(/paused/u);
  await reads(idle);
  expect(await rollout.press('continue')).toMatchObject({ decision: { rule: 'guard 1' } });
});

it('a requester who has left the source of the role pauses it', async () => {
  let people = [alice.user];
  const { stage, change } = await stageWithPolicy({ membersOf: ({ name }) => rotaOf(name, people) });
  change((policy) => ({
    ...policy,
    roles: {
      ...policy.roles,
      responders: { users: [], usergroups: [], sources: [{ key: 'rota', name: 'primary' }] },
    },
  }));
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  people = [carol.user];
  expect(await rollout.until(/paused/u)).toBe('paused: web-1 succeeded, web-2 refused, web-3');
  expect((await rollout.now()).rollout?.paused?.why).toMatch(
    /^The request for web-2 was refused: The rules no longer allow it/u,
  );
  await expect(rollout.press('continue')).rejects.toThrow('Not continued');
});

it('a clock that is set back by a day holds up neither the next target nor the hour of a paused one', async () => {
  const stage = await openStage();
  let back = 0;
  const clock = { ...stage.clock, now: () => stage.clock.now() - back };
  const rollout = await rolling(stage, undefined, { ...stage.context, clock });
  await rollout.until((seen) => seen?.backAt !== undefined, 30);
  back = 24 * 60 * 60_000;
  expect(await rollout.until(/web-2 succeeded/u, 60)).toContain('running');
  await loseNextAnswer(stage);
  await rollout.until(/paused/u, 60);
  back *= 2;
  const { paused } = (await rollout.now()).rollout ?? {};
  await rollout.until((seen) => (seen?.paused?.at ?? 0) < (paused?.at ?? 0), 30);
  await stage.clock.advance(60 * 60_000);
  expect(await rollout.until(/stopped/u, 60)).toContain('web-3 unknown');
});

it('a store that was restored pauses it: targets may have run since, and none is offered twice', async () => {
  const stage = await openStage();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await stage.store.endIfSetBack(stage.clock.now(), { sign: 'restored', source: 'the standby' });
  const { paused } = (await rollout.now()).rollout ?? {};
  expect(paused?.why).toBe('The store was restored from the standby, so changes may have run since.');
  await expect(rollout.until(/web-2 \w/u, 60)).rejects.toThrow('paused');
  await rollout.press('continue');
  await rollout.until(/done/u);
  expect(await reboots(stage)).toEqual(['web-1', 'web-2', 'web-3']);
});

it('an unknown outcome that was settled before the rollout checked it still pauses the rollout', async () => {
  const stage = await openStage();
  const rollout = await rolling(stage);
  await rollout.until(/web-1 succeeded/u);
  await loseNextAnswer(stage);
  const handler = createRolloutHandler(stage.context);
  const look = () =>
    handler.handle({
      kind: dueKind('rollout'),
      key: rollout.id,
      version: 1,
      since: 0,
      claimedAt: 0,
      tries: 1,
    });
  const second = async () => (await rollout.now()).rollout?.lines[1]?.request;
  for (let tries = 0; (await second()) === undefined; tries += 1) {
    expect(tries).toBeLessThan(60);
    await stage.clock.advance(1000);
    await look();
  }
  const id = (await second()) ?? '';
  for (let tries = 0; (await stage.store.find(id))?.state !== 'unknown'; tries += 1) {
    expect(tries).toBeLessThan(60);
    await stage.clock.advance(1000);
  }
  const caller = { actor: alice, place: { team: 'T0LOCAL', channel: 'C0OPS' }, correlationId: 'c' };
  await settleByHand(stage.context, caller, id, { state: 'succeeded', reason: 'its uptime says so' });
  await look();
  expect(await rollout.summary()).toBe('paused: web-1 succeeded, web-2 succeeded, web-3');
  expect((await rollout.now()).rollout?.paused?.why).toBe('The change on web-2 ran (settled by U0ALICE).');
});

it('a reboot that is over before anyone looks is known by the answer, and the next one starts within 25 s', async () => {
  const stage = await openStage({ extensions: ['instance-read'] });
  const rollout = await rolling(stage);
  await stage.control('PUT', 'faults/readInstance', { status: 200, body: idle });
  await rollout.until(/done/u, 90);
  const [first, next] = await rollout.singles();
  const between = (next?.startedAt ?? 0) - (first?.startedAt ?? 0);
  expect(between).toBeGreaterThanOrEqual(15_000);
  expect(between).toBeLessThanOrEqual(25_000);
});

it('a target without a sign that it changed, neither in the answer nor at any look, is not back', async () => {
  const stage = await openStage({ extensions: ['instance-read'] });
  const { id = '' } = stage.rulebook.inventory.instances['web-1'] ?? {};
  await stage.serve('rebootInstance', { count: 1, results: [{ id, ...idle }] });
  await stage.control('PUT', 'faults/readInstance', { status: 200, body: { id, ...idle } });
  const rollout = await rolling(stage);
  await rollout.until(/paused/u, 700);
  expect((await rollout.now()).rollout?.paused?.why).toContain('never changed');
});
