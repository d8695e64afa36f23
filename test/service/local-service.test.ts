import { request } from 'undici';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createServiceClient, type ServiceClient } from '../areas/service-client.ts';
import { endpoints } from '../areas/service-client.ts';
import type { ServiceReply } from '../../src/service/errors/reply.ts';
import { seededUuid } from '../../playground/service/seed/seeded.ts';
import { defaultInventory } from '../../playground/service/state/inventory.ts';
import { startLocalService, type LocalService } from '../../playground/service/start-local-service.ts';
import { failure } from './test-transport.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const call = { correlationId: 'c-integration' };
const web1 = { project: 1186668, region: 76, id: '6c6aa80f-7836-4dc2-a2ae-125e248be476' };
const event = { name: 'reaching_files_quantity', storage_name: 's', bucket_name: 'b', count: 7 } as const;
/** One of the initial instances. */
const stored = {
  name: 'reaching_used_space',
  storage_name: 'media',
  bucket_name: 'videos',
  uuid: seededUuid('event reaching_used_space media videos'),
  bytes: 9_000,
} as const;
const logs = {
  enabled: true,
  storage_type: 's3',
  for_all_resources: true,
  all_resources_bucket: 'logs',
  s3_type: 'amazon',
  s3_access_key_id: 'id',
  s3_secret_key: 'a-secret-of-s3',
} as const;
const lastDay = {
  metrics: ['edge_status_2xx', 'edge_status_5xx'],
  from: '2026-11-01T00:00:00+0000',
  to: '2026-11-02T00:00:00+0000',
  granularity: 'PT1H',
};

let service: LocalService;
let client: ServiceClient;
let readOnly: ServiceClient;
let dataDir: string;

beforeAll(async () => {
  dataDir = temporaryFolder();
  service = await startLocalService({
    port: 0,
    dataDir,
    apiKey: 'full-key-of-tests',
    readOnlyKey: 'read-key-of-tests',
    inventory: defaultInventory,
  });
  client = createServiceClient({
    baseUrl: service.url,
    apiKeys: () => ['full-key-of-tests'],
    timings: { deadlineMs: 3_000 },
  });
  readOnly = createServiceClient({ baseUrl: service.url, apiKeys: () => ['read-key-of-tests'] });
});

afterAll(async () => {
  await Promise.all([client.close(), readOnly.close()]);
  await service.close();
});

async function control(method: 'PUT' | 'POST' | 'GET', path: string, body: unknown): Promise<unknown> {
  const response = await request(`${service.url}/_local/${path}`, {
    method,
    headers: { authorization: `apikey ${service.apiKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.body.json();
}

beforeEach(async () => {
  await control('POST', 'reset', {});
});

const calls: Record<keyof typeof endpoints, (of: ServiceClient) => Promise<ServiceReply<unknown>>> = {
  queryMetrics: (of) => of.queryMetrics(lastDay, call),
  listCapacity: (of) => of.listCapacity(call),
  updateRawLogSettings: (of) => of.updateRawLogSettings(logs, call),
  rebootInstance: (of) => of.changeInstance(web1, 'reboot', call),
  stopInstance: (of) => of.changeInstance(web1, 'stop', call),
  getContainer: (of) => of.getContainer({ project: 1186668, region: 76, name: 'api' }, call),
  listFloatingIps: (of) => of.listFloatingIps({ project: 1186668, region: 76 }, call),
  postStorageEvent: (of) => of.postStorageEvent(event, call),
  describeStorageEvents: (of) => of.describeStorageEvents(call),
  listStorageEvents: (of) => of.listStorageEvents(call),
  actOnInstance: (of) => of.changeInstance(web1, 'suspend', call),
  listInstances: (of) => of.listInstances(web1, call),
  readInstance: (of) => of.readInstance(web1, call),
  purgeResource: (of) => of.purgeResource(1001, { urls: ['/css/site.css'] }, call),
  listPurges: (of) => of.listPurges({}, call),
  changeStorageEvent: (of) => of.changeStorageEvent(stored, call),
  deleteStorageEvent: (of) => of.deleteStorageEvent(stored, call),
  listHeldFloatingIps: (of) => of.listHeldFloatingIps({ project: 1186668, region: 76 }, call),
  readTask: async (of) => of.readTask(await someTask(), call),
  listTasks: (of) =>
    of.listTasks({ project: 1186668, region: 76, type: 'soft_reboot_vm', from: 0, to: Date.now() }, call),
};

/** The task that someone else's reboot began. */
async function someTask(): Promise<string> {
  const { project: project_id, region: region_id, id: instance_id } = web1;
  const begun = await control('POST', 'elsewhere', { project_id, region_id, instance_id, action: 'reboot' });
  return z.object({ task_id: z.string() }).parse(begun).task_id;
}
const names = Object.keys(endpoints) as (keyof typeof endpoints)[];

describe('against the local service', () => {
  test.each(names)('%s is answered and read without a problem', async (name) => {
    const { value, problems, status } = await calls[name](client);
    expect(problems).toEqual([]);
    expect(value === undefined).toBe(status === 204);
    expect(await control('GET', 'requests', undefined)).toMatchObject({
      requests: [
        {
          endpoint: name,
          method: endpoints[name].method,
          status,
          request_id: 'c-integration',
        },
      ],
    });
  });

  test.each(names)('%s with a wrong key says to check API_KEY', async (name) => {
    const stranger = createServiceClient({ baseUrl: service.url, apiKeys: () => ['wrong-key-of-tests'] });
    const error = await failure(calls[name](stranger));
    expect([error.outcome, error.status]).toEqual(['rejected', 401]);
    expect(error.message).toContain('Check API_KEY');
    await stranger.close();
  });

  test('a read-only key reads everything and changes nothing', async () => {
    for (const name of names) {
      const outcome = await calls[name](readOnly).then(
        () => 'read',
        (error: unknown) => String(error),
      );
      expect(outcome).toMatch(
        endpoints[name].kind === 'change' ? /This API key may only read\..* 403/ : /^read$/,
      );
    }
  });

  test('an instance reboots, refuses a second change in the meantime, and settles', async () => {
    const { value } = await client.changeInstance(web1, 'reboot', call);
    expect(value.instance).toMatchObject({ id: web1.id, status: 'REBOOT', task_state: 'rebooting' });
    expect(value.tasks).toEqual([value.instance?.task_id]);

    const refused = await failure(client.changeInstance(web1, 'stop', call));
    expect([refused.outcome, refused.status]).toEqual(['rejected', 409]);

    await control('POST', 'clock', { advance_ms: 60_000 });
    const settled = (await client.readInstance(web1, call)).value;
    expect([settled.status, settled.vm_state, settled.task_state]).toEqual(['ACTIVE', 'active', undefined]);
  });

  test('an instance that is not there is refused with the id of the request', async () => {
    const error = await failure(client.changeInstance({ ...web1, id: 'no/such' }, 'reboot', call));
    expect([error.outcome, error.status]).toEqual(['rejected', 404]);
    expect(error.message).toContain('could not be found');
    expect(error.serviceRequestId).toBeTruthy();
  });

  test('metrics by group have one series for each group, with a point for every interval', async () => {
    const { value } = await client.queryMetrics({ ...lastDay, group_by: ['cname'] }, call);
    expect(value.series.length).toBeGreaterThan(1);
    for (const { group, points } of value.series) {
      expect(Object.keys(group)).toEqual(['cname']);
      expect(points).toHaveLength(24);
    }
  });

  test('an event is stored once and listed', async () => {
    await client.postStorageEvent(event, call);
    const again = await failure(client.postStorageEvent(event, call));
    expect([again.outcome, again.status]).toEqual(['rejected', 409]);
    const { value } = await client.listStorageEvents(call);
    const { name: _, ...record } = event;
    expect(value.reaching_files_quantity).toContainEqual(expect.objectContaining(record));
  });

  test('an event is changed and deleted where it is still the one that was seen', async () => {
    const bytesNow = async () => {
      const { value } = await client.listStorageEvents(call);
      return value.reaching_used_space?.find(({ uuid }) => uuid === stored.uuid)?.bytes;
    };
    await client.changeStorageEvent(stored, call);
    expect(await bytesNow()).toBe(stored.bytes);
    const other = { ...stored, uuid: 'another' };
    for (const altered of [client.changeStorageEvent(other, call), client.deleteStorageEvent(other, call)]) {
      const refused = await failure(altered);
      expect([refused.outcome, refused.status]).toEqual(['rejected', 409]);
    }
    await client.deleteStorageEvent(stored, call);
    expect(await bytesNow()).toBeUndefined();
    const gone = await failure(client.deleteStorageEvent(stored, call));
    expect([gone.outcome, gone.status]).toEqual(['rejected', 400]);
  });

  test.each([
    ['a hang', { hang: true }],
    ['a reset', { reset: true }],
    ['a 500', { status: 500 }],
    ['a page', { html: true }],
  ])(
    'a reboot that takes effect behind %s is of unknown outcome, sent once, and can be read',
    async (_, fault) => {
      await control('PUT', 'faults/rebootInstance', { ...fault, after: true });
      const error = await failure(client.changeInstance(web1, 'reboot', call));
      expect(error.outcome).toBe('unknown-outcome');
      expect(await control('GET', 'requests', undefined)).toMatchObject({
        requests: [{ endpoint: 'rebootInstance' }],
      });
      expect((await client.readInstance(web1, call)).value.status).toBe('REBOOT');
    },
  );
});
