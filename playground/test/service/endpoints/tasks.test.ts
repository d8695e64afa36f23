import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openService, readOnlyKey, web1 } from '../open-service.ts';

const instanceId = '6c6aa80f-7836-4dc2-a2ae-125e248be476';
const tasks = '/cloud/v1/tasks';
const elsewhere = { project_id: 1186668, region_id: 76, instance_id: instanceId, action: 'reboot' };

type Opened = Awaited<ReturnType<typeof openService>>;

/** The ids of the tasks that a list holds. */
const listed = async ({ call }: Pick<Opened, 'call'>, query = ''): Promise<unknown[]> => {
  const { status, body } = await call('GET', `${tasks}${query}`);
  expect(status).toBe(200);
  const { count, results } = body as { count: number; results: { id: string }[] };
  expect(count).toBeGreaterThanOrEqual(results.length);
  return results.map(({ id }) => id);
};

const begun = ({ body }: { body: unknown }): string => {
  const { results } = body as { results: { task_id: string }[] };
  return results[0]?.task_id ?? 'none';
};

describe('a task', () => {
  it('is begun by a reboot and goes from NEW over RUNNING to FINISHED on the clock of the service', async () => {
    const { call, pass } = await openService();
    const id = begun(await call('POST', `${web1}/reboot`));
    const states: unknown[] = [];
    for (const milliseconds of [0, 500, 3499, 1]) {
      pass(milliseconds);
      const { body } = await call('GET', `${tasks}/${id}`);
      states.push((body as { state: string }).state);
    }
    expect(states).toEqual(['NEW', 'RUNNING', 'RUNNING', 'FINISHED']);
    expect((await call('GET', `${tasks}/${id}`)).body).toEqual({
      id,
      state: 'FINISHED',
      task_type: 'soft_reboot_vm',
      created_on: '2026-11-20T12:00:00Z',
      finished_on: '2026-11-20T12:00:04Z',
      error: null,
      user_id: 2077,
      project_id: 1186668,
      region_id: 76,
      data: { instance_id: instanceId },
      detailed_state: 'FINISHED',
    });
  });

  it('ends in ERROR where a fault says so, and the instance is as it was', async () => {
    const { call, pass } = await openService();
    await call('PUT', '/_local/faults/stopInstance', { body: { task_error: 'No host has room', times: 1 } });
    const id = begun(await call('POST', `${web1}/stop`));
    pass(3000);
    expect((await call('GET', `${tasks}/${id}`)).body).toMatchObject({
      state: 'ERROR',
      error: 'No host has room',
    });
    expect((await call('GET', web1)).body).toMatchObject({ status: 'ACTIVE', task_id: null });
  });

  it('of someone else has another user', async () => {
    const { call } = await openService();
    await call('POST', '/_local/elsewhere', { body: elsewhere });
    const { body } = await call('GET', tasks, { key: readOnlyKey });
    expect(body).toMatchObject({ count: 1, results: [{ user_id: 9001, state: 'NEW' }] });
  });

  it('survives a restart', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    const id = begun(await first.call('POST', `${web1}/reboot`));
    await first.service.close();
    const { call } = await openService({ dataDir });
    expect(await listed({ call })).toEqual([id]);
  });

  it('that no one began is not found', async () => {
    const { call } = await openService();
    expect((await call('GET', `${tasks}/none`)).status).toBe(404);
  });
});

describe('the list of tasks', () => {
  it('matches its filters, in the requested order, one page at a time', async () => {
    const opened = await openService();
    const { call, pass } = opened;
    const first = begun(await call('POST', `${web1}/reboot`));
    pass(60_000);
    const second = begun(await call('POST', `${web1}/stop`));
    expect(await listed(opened)).toEqual([second, first]);
    expect(await listed(opened, '?order_by=asc')).toEqual([first, second]);
    expect(await listed(opened, '?limit=1&offset=1')).toEqual([first]);
    expect(await listed(opened, '?task_type=stop_vm')).toEqual([second]);
    expect(await listed(opened, '?state=FINISHED')).toEqual([first]);
    expect(await listed(opened, '?from_timestamp=2026-11-20T12:00:01Z')).toEqual([second]);
    expect(await listed(opened, '?to_timestamp=2026-11-20T12:00:59')).toEqual([first]);
    expect(await listed(opened, '?region_id=180')).toEqual([]);
    expect(await listed(opened, '?project_id=1186668&region_id=76')).toEqual([second, first]);
  });

  it('has ten of them if no limit is given', async () => {
    const opened = await openService();
    for (let number = 0; number < 11; number += 1) {
      await opened.call('POST', `${web1}/reboot`);
      opened.pass(60_000);
    }
    expect(await listed(opened)).toHaveLength(10);
    expect(await listed(opened, '?limit=100')).toHaveLength(11);
  });

  it.each([
    'limit=0',
    'limit=1001',
    'state=DONE',
    'from_timestamp=yesterday',
    'order_by=up',
    'region_id=x',
    'type=stop_vm',
  ])('refuses %s', async (query) => {
    const { call } = await openService();
    expect((await call('GET', `${tasks}?${query}`)).status).toBe(400);
  });

  it('tells the time of the service in its Date header', async () => {
    const { call } = await openService();
    expect((await call('GET', tasks)).headers['date']).toBe('Fri, 20 Nov 2026 12:00:00 GMT');
  });
});
