import { describe, expect, test } from 'vitest';
import { badInput, failure } from '../../../service/test-transport.ts';
import { call, clientOf } from '../../../service/test-client.ts';

const ref = { project: 1, region: 2, id: 'i-1' };
const instance = { id: 'i-1', name: 'web-1', status: 'REBOOT', task_id: 't-1', flavor: { ram: 1024 } };

describe('reboot, stop and the extension that reads an instance', () => {
  test.each([
    ['the list of the interface', { count: 1, results: [instance] }],
    ['a bare instance', instance],
    ['a list with more', { count: 2, results: [{ id: 'other' }, instance] }],
  ])('read %s', async (_, body) => {
    await using service = await clientOf(body);
    for (const action of ['reboot', 'stop'] as const) {
      const { value, problems, status } = await service.client.changeInstance(ref, action, call);
      expect(value).toMatchObject({ instance, tasks: ['t-1'] });
      expect([problems, status]).toEqual([[], 200]);
    }
    expect((await service.client.readInstance(ref, call)).value).toMatchObject(instance);
    expect(service.seen.map(({ method, url, body: sent }) => [method, url, sent])).toEqual([
      ['POST', '/cloud/v1/instances/1/2/i-1/reboot', ''],
      ['POST', '/cloud/v1/instances/1/2/i-1/stop', ''],
      ['GET', '/cloud/v1/instances/1/2/i-1', ''],
    ]);
  });

  test('read the tasks of the successor', async () => {
    await using service = await clientOf({ tasks: ['t-8', 't-9'] });
    const { value } = await service.client.changeInstance(ref, 'reboot', call);
    expect(value).toEqual({ instance: undefined, tasks: ['t-8', 't-9'] });
  });

  test.each([
    ['{}', 'it contains no instance'],
    ['{"count":0,"results":[]}', 'it contains no instance'],
    ['{"count":1,"results":[{}]}', 'it contains no instance'],
    ['{"count":1,"results":[{"id":"i-2","status":"REBOOT"}]}', 'it is about another instance'],
    ['{"id":"i-2","status":"REBOOT"}', 'it is about another instance'],
    ['{"tasks":[]}', 'it names no task'],
    ['{"tasks":[7]}', 'it names no task'],
    ['[]', 'it is not an object'],
    ['"done"', 'it is not an object'],
    ['null', 'it is not an object'],
    ['<html>', 'it is not JSON'],
    ['', 'it is empty'],
  ])('answered %j, are of unknown outcome', async (body, problem) => {
    await using service = await clientOf(body);
    const error = await failure(service.client.changeInstance(ref, 'stop', call));
    expect(error.outcome).toBe('unknown-outcome');
    expect(error.message).toContain(`with 200, but the body could not be read: ${problem}.`);
    expect(service.seen).toHaveLength(1);
  });

  test('take an id that is only spelt otherwise for the same', async () => {
    const spelt = '6C6AA80F-7836-4dc2-a2ae-125e248be476';
    await using service = await clientOf({ results: [{ id: spelt, status: 'REBOOT' }] });
    const id = '6c6aa80f78364dc2a2ae125e248be476';
    const { value } = await service.client.changeInstance({ ...ref, id }, 'reboot', call);
    expect(value.instance?.status).toBe('REBOOT');
  });

  test('name what does not fit and keep the rest, also what is not known', async () => {
    await using service = await clientOf({
      results: [
        { ...instance, flavor: { ram: 'much', vcpus: 2 }, task_state: null, status: 'DREAMING', new: 1 },
      ],
    });
    const { value, problems } = await service.client.changeInstance(ref, 'reboot', call);
    expect(problems).toEqual(['results[0].flavor.ram: expected integer']);
    expect(value.instance).toMatchObject({ status: 'DREAMING', new: 1, flavor: { vcpus: 2 } });
    expect(value.instance?.task_state).toBeUndefined();
  });
});

describe('containers and floating IPs', () => {
  test('read a container', async () => {
    await using service = await clientOf({ name: 'api', status: 'Ready', envs: { A: 'b' }, scale: null });
    const { value } = await service.client.getContainer({ project: 1, region: 2, name: 'a/b' }, call);
    expect(value).toMatchObject({ name: 'api', status: 'Ready', envs: { A: 'b' } });
    expect(service.seen[0]?.url).toBe('/cloud/v1/caas/1/2/containers/a%2Fb');
  });

  test.each([
    [{ count: 1500, results: [{ id: 'f-1' }] }, 1500, 1],
    [{ results: [{ id: 'f-1' }] }, undefined, 1],
    [{ count: 0, results: null }, 0, 0],
  ])('read the floating IPs of %j', async (body, count, results) => {
    await using service = await clientOf(body);
    const { value } = await service.client.listFloatingIps({ project: 1, region: 2 }, call);
    expect([value.count, value.results.length]).toEqual([count, results]);
  });

  test.each(['{}', '[1]', '"x"'])('say that %s cannot be read', async (body) => {
    await using service = await clientOf(body);
    const calls = [
      service.client.listFloatingIps({ project: 1, region: 2 }, call),
      service.client.getContainer({ project: 1, region: 2, name: 'api' }, call),
      service.client.readInstance(ref, call),
    ];
    for (const error of await Promise.all(calls.map((each) => failure(each)))) {
      expect(error.outcome).toBe('rejected');
      expect(error.message).toContain('could not be read');
    }
  });
});

test('a reference that could lead elsewhere is refused, and nothing is sent', async () => {
  await using service = await clientOf({});
  for (const id of ['..', 'a/../../b', '']) {
    const refused = service.client.changeInstance({ ...ref, id }, 'reboot', call);
    expect(await badInput(refused)).toContain('id');
  }
  expect(service.seen).toEqual([]);
});
