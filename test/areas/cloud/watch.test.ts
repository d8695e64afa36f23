import { describe, expect, test } from 'vitest';

import type { Context } from '../../../src/model/ports.ts';
import { tellNotices } from '../../due/notices.ts';
import { sweep } from '../../due/sweep.ts';
import { openStage, type ServiceStage } from '../../operations/stage.ts';

const minute = 60_000;

/** Advances the time second by second and runs the jobs. */
async function pass(stage: ServiceStage, ms: number, by: Context = stage.context) {
  for (let passed = 0; passed < ms; passed += 1000) {
    await stage.clock.advance(1000);
    await sweep(by);
    expect(await by.backgroundTasks.drained(minute)).toBe(true);
  }
}

async function told({ store, clock }: ServiceStage): Promise<readonly (string | undefined)[]> {
  return (await tellNotices(store, clock.now())).map(({ kind, why }) => `${kind}: ${why}`);
}

describe('what the service accepted is watched until it is done', () => {
  test.each([
    ['/cloud reboot web-1', 'web-1 is up (ACTIVE). It took about 4 s.'],
    ['/cloud stop web-1', 'web-1 is off (SHUTOFF, stopped). It took about 4 s.'],
  ])('%s', async (line, says) => {
    const stage = await openStage();
    const { id, state } = await stage.change(line);
    expect(state).toBe('succeeded');
    await pass(stage, 30_000);
    expect(await told(stage)).toEqual([`watched: ${says}`]);
    await pass(stage, minute);
    expect(await told(stage)).toEqual([]);
    expect(await stage.store.find(id)).toMatchObject({ state: 'succeeded' });
  });

  test('by another process after a restart, and by one of two', async () => {
    const stage = await openStage();
    await stage.change('/cloud reboot web-1');
    const [one, other] = [stage.another(), stage.another()];
    await stage.sent();
    await stage.clock.advance(3000);
    await Promise.all([one, other].map(sweep));
    await Promise.all([one, other].map(({ backgroundTasks }) => backgroundTasks.drained(minute)));
    expect(await stage.sent('readInstance')).toBe(1);
    await pass(stage, 30_000, other);
    expect(await told(stage)).toHaveLength(1);
  });

  test('and after ten minutes a notice says what was observed', async () => {
    const stage = await openStage();
    await stage.change('/cloud reboot web-1');
    const instance = { status: 'REBOOT', vm_state: 'active', task_state: 'rebooting' };
    await stage.control('PUT', 'faults/readInstance', { status: 200, body: instance });
    await pass(stage, 9 * minute);
    expect(await told(stage)).toEqual([]);
    await pass(stage, 2 * minute);
    const [said, ...more] = await told(stage);
    expect(said).toMatch(/^watched: web-1 is still REBOOT, active, rebooting after 10 min/u);
    expect(more).toEqual([]);
  });

  test('where it was never seen to change, the status proves nothing', async () => {
    const stage = await openStage();
    await stage.change('/cloud reboot web-1');
    await stage.control('POST', 'clock', { advance_ms: minute });
    await pass(stage, 50_000);
    expect(await told(stage)).toEqual([]);
    await pass(stage, 30_000);
    const [said] = await told(stage);
    expect(said).toContain('web-1 stayed ACTIVE for');
    expect(said).toContain("so Bellhop can't confirm the change. Check web-1.");
  });

  test('but not where it was so before, where another change came after it, or if unreadable', async () => {
    const stage = await openStage();
    await stage.change('/cloud stop web-1');
    await pass(stage, 30_000);
    await stage.change('/cloud stop web-1');
    await stage.change('/cloud reboot web-2');
    await stage.control('POST', 'clock', { advance_ms: minute });
    await stage.clock.advance(1000);
    await stage.change('/cloud stop web-2');
    const blind = await openStage({ extensions: [] });
    await blind.change('/cloud reboot web-1');
    await Promise.all([pass(stage, 2 * minute), pass(blind, 2 * minute)]);
    expect(await told(blind)).toEqual([]);
    const said = await told(stage);
    expect(said.map((text) => text?.split('.')[0])).toEqual([
      'watched: web-1 is off (SHUTOFF, stopped)',
      'watched: web-2 is off (SHUTOFF, stopped)',
    ]);
  });
});
