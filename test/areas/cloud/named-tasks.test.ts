import { describe, expect, test } from 'vitest';

import { experienced, looked, lost, noTask, web1 } from './lost-change.ts';

const provesNothing =
  "This service's tasks don't say which target they belong to, so they can't be used as evidence.";

describe('a task that fits but for its data', () => {
  test.each([
    ['instance_id', { instance_id: web1.instance_id }, 'succeeded', undefined],
    ['id, in capitals', { id: web1.instance_id.toUpperCase() }, 'succeeded', undefined],
    ['instance_name', { instance_name: 'web-1' }, 'succeeded', undefined],
    ['name', { name: 'web-1' }, 'succeeded', undefined],
    ['id of another instance with its name', { id: 'another', name: 'web-1' }, 'unknown', noTask.seen],
    ['name that bellhop.yaml does not have', { name: 'kvm-17' }, 'unknown', provesNothing],
    ['nothing', {}, 'unknown', provesNothing],
    ['no data', undefined, 'unknown', provesNothing],
  ])('names the instance by %s', async (_, data, state, seen) => {
    const stage = await experienced();
    const unknown = await lost(stage, { after: true });
    const task = {
      id: 't-1',
      state: 'FINISHED',
      task_type: 'soft_reboot_vm',
      user_id: 2077,
      project_id: web1.project_id,
      region_id: web1.region_id,
      data,
      created_on: new Date(unknown.startedAt ?? 0).toISOString(),
    };
    await stage.control('PUT', 'faults/listTasks', { body: { count: 1, results: [task] } });
    const settled = await looked(stage, unknown);
    expect([settled.state, settled.outcome?.search?.seen]).toEqual([state, seen]);
  });
});
