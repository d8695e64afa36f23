import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { experienced, looked, lost, web1 } from '../../areas/cloud/lost-change.ts';
import { openStage } from '../../operations/stage.ts';
import { inputOf, serve } from './service-input.ts';

const noon = Date.UTC(2026, 10, 20, 12);
const withoutZone = (at: number): string => new Date(at).toISOString().slice(0, 19);

const rebooted = (id: string, created: string, finished: string) => ({
  id,
  state: 'FINISHED',
  task_type: 'soft_reboot_vm',
  created_on: created,
  finished_on: finished,
  data: web1,
});

describe.each(['America/New_York', 'Asia/Tokyo'])('a time of the service on a machine in %s', (zone) => {
  beforeEach(() => {
    vi.stubEnv('TZ', zone);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each(['instance-time-no-zone', 'instance-time-offset', 'instance-time-blank'])(
    'is in UTC in /cloud show: %s',
    async (file) => {
      const stage = await openStage({ serviceUrl: (await serve(inputOf(file))).url });
      const { facts } = await stage.report('/cloud show web-1');
      expect(facts?.find(({ label }) => label === 'Created')?.parts).toEqual([{ at: noon }]);
    },
  );

  it('is in UTC for the last task, which never ends in the future', async () => {
    const stage = await experienced();
    const at = Math.floor(stage.clock.now() / 1000) * 1000;
    const results = [
      rebooted('t-1', `${withoutZone(at - 120_000)}Z`, `${withoutZone(at - 100_000)}Z`),
      rebooted('t-2', withoutZone(at - 60_000), withoutZone(at)),
    ];
    await stage.control('PUT', 'faults/listTasks', { body: { count: 2, results } });
    const { facts } = await stage.report('/cloud show web-1');
    expect(facts?.find(({ label }) => label === 'Last task')?.parts).toContainEqual({ at });
  });

  it('is in UTC as evidence for a lost change', async () => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    const task = {
      id: 't-1',
      state: 'FINISHED',
      task_type: 'soft_reboot_vm',
      user_id: 2077,
      data: web1,
      created_on: withoutZone(unknown.startedAt ?? 0).replace('T', ' '),
    };
    await stage.control('PUT', 'faults/listTasks', { body: { count: 1, results: [task] } });
    expect((await looked(stage, unknown)).state).toBe('succeeded');
  });

  it('is in UTC in the list of purges, and finds the purge that was just sent', async () => {
    const stage = await openStage({ serviceUrl: (await serve(inputOf('purges-no-zone'))).url });
    expect((await stage.report('/cdn purges')).tables?.[0]?.rows[0]?.[4]).toEqual({ at: noon });
    const other = await openStage();
    const purge = {
      purge_id: 7,
      status: 'Successful',
      created: withoutZone(other.clock.now()),
      resource: { id: 1001 },
      payload: { urls: ['/a'] },
    };
    const old = {
      ...purge,
      purge_id: 8,
      status: 'Failed',
      created: withoutZone(other.clock.now() - 3_600_000),
    };
    await other.serve('listPurges', { results: [old, purge] });
    const { state, outcome } = await other.change('/cdn purge 1001 /a');
    expect([state, outcome?.report?.facts?.[0]?.value]).toEqual(['succeeded', '7, Successful']);
  });
});
