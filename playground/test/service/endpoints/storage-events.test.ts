import { describe, expect, it } from 'vitest';
import {
  eventKindNames,
  eventKinds,
  storageEvent,
} from '../../../../src/areas/storage/client/storage-event.ts';
import { storageConfigurator, storageEvents } from '../../../service/schemas/storage-events.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { type OpenService, openService, readOnlyKey, sharedService } from '../open-service.ts';

const path = '/storage/notifications/v1/event';
const place = { storage_name: 'archive', bucket_name: 'films' };
const space = { name: 'reaching_used_space', ...place, bytes: 1000 };

describe('storage events: posting an event', () => {
  it.each(eventKindNames)('%s: answers the event and lists it', async (name) => {
    const { call } = await openService();
    const { amountField } = eventKinds[name];
    const event = { name, ...place, uuid: 'my-own', [amountField]: 42 };
    const posted = await call('POST', path, { body: event });
    expect([posted.status, posted.body]).toEqual([200, event]);
    const listed = storageEvents.parse((await call('GET', `${path}s`)).body);
    expect(listed[name].at(-1)).toEqual({ ...place, uuid: 'my-own', [amountField]: 42 });
  });

  it.each([0, 1, Number.MAX_SAFE_INTEGER])('keeps %d exactly', async (bytes) => {
    const { call } = await openService();
    expect((await call('POST', path, { body: { ...space, bytes } })).body).toMatchObject({ bytes });
    const listed = storageEvents.parse((await call('GET', `${path}s`)).body);
    expect(listed.reaching_used_space.at(-1)?.bytes).toBe(bytes);
  });

  it.each([
    ['none', space],
    ['an empty one', { ...space, uuid: '' }],
  ])('makes a uuid if the request has %s', async (_what, body) => {
    const { call } = await openService();
    const created = storageEvent.parse((await call('POST', path, { body })).body);
    expect(created.uuid).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  it('of the same name, storage and bucket twice: 409, and once it stays', async () => {
    const { call } = await openService();
    await call('POST', path, { body: space });
    const again = await call('POST', path, { body: { ...space, bytes: 5, uuid: 'other' } });
    expect(again.status).toBe(409);
    expect(again.body).toEqual({ error: 'reaching_used_space already exists for films in archive' });
    const listed = storageEvents.parse((await call('GET', `${path}s`)).body);
    expect(listed.reaching_used_space.filter((each) => each.bucket_name === 'films')).toHaveLength(1);
    const other = { ...space, name: 'reaching_used_traffic' };
    expect((await call('POST', path, { body: other })).status).toBe(200);
  });

  it('takes an integer client_id, which filters nothing', async () => {
    const { call } = await openService();
    expect((await call('POST', `${path}?client_id=17`, { body: space })).status).toBe(200);
    const listed = storageEvents.parse((await call('GET', `${path}s`)).body);
    expect(listed.reaching_used_space).toHaveLength(4);
  });
});

describe('storage events: refused requests', () => {
  const { call } = sharedService();
  const less = (field: string) =>
    Object.fromEntries(Object.entries(space).filter(([name]) => name !== field));
  const count = { name: 'reaching_files_quantity', ...place, count: 1 };

  it.each([
    ['name', less('name')],
    ['name', { ...space, name: 'reaching_the_moon' }],
    ['storage_name', less('storage_name')],
    ['storage_name', { ...space, storage_name: '' }],
    ['bucket_name', less('bucket_name')],
    ['bucket_name', { ...space, bucket_name: 7 }],
    ['bytes', less('bytes')],
    ['bytes', { ...count, bytes: 1 }],
    ['count', { ...space, count: 1 }],
    ['count', { ...count, name: 'reaching_used_space', bytes: 1 }],
    ['count', { ...count, count: undefined }],
    ['bytes', { ...space, bytes: -1 }],
    ['bytes', { ...space, bytes: 1.5 }],
    ['bytes', { ...space, bytes: '1000' }],
    ['bytes', { ...space, bytes: null }],
    ['count', { ...count, count: 2 ** 53 }],
    ['colour', { ...space, colour: 'red' }],
  ])('%s: 400 that names the field', async (field, body) => {
    const answer = await call('POST', path, { body });
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ error: expect.stringMatching(new RegExp(`(^|; )${field}: `)) as string });
  });

  it.each(['9007199254740993', '1e400', '-0.5'])('bytes of %s as a JSON number: 400', async (number) => {
    const raw = JSON.stringify(space).replace('1000', number);
    expect((await call('POST', path, { raw })).status).toBe(400);
  });

  it.each(['x', '', '1.5', '99999999999999999999'])('client_id %s: 400', async (id) => {
    const { status, body } = await call('POST', `${path}?client_id=${id}`, { body: space });
    expect([status, body]).toEqual([400, { error: 'client_id: expected an integer' }]);
  });
});

const listed = async (call: OpenService['call']) =>
  storageEvents.parse((await call('GET', `${path}s`)).body).reaching_used_space;

const posted = async (call: OpenService['call']) =>
  storageEvent.parse((await call('POST', path, { body: space })).body);

describe('storage events: changing and deleting one', () => {
  it('keeps its place, and answers 204 without a body', async () => {
    const { call } = await openService();
    const event = await posted(call);
    const later = await call('POST', path, { body: { ...space, bucket_name: 'series' } });
    const changed = await call('PUT', `${path}?client_id=17`, { body: { ...event, bytes: 7 } });
    expect([changed.status, changed.body]).toEqual([204, '']);
    expect((await listed(call)).map(({ bytes }) => bytes).slice(-2)).toEqual([7, 1000]);
    expect((await call('DELETE', path, { body: storageEvent.parse(later.body) })).status).toBe(204);
    expect((await listed(call)).at(-1)).toMatchObject({ uuid: event.uuid, bytes: 7 });
  });

  it.each(['PUT', 'DELETE'])('%s: 400 if there is none, 409 if it has another uuid', async (method) => {
    const { call } = await openService();
    const event = await posted(call);
    const before = await listed(call);
    const none = { ...event, bucket_name: 'nowhere' };
    expect(await call(method, path, { body: none })).toMatchObject({
      status: 400,
      body: { error: 'There is no event reaching_used_space for nowhere in archive' },
    });
    expect((await call(method, path, { body: { ...event, uuid: 'other' } })).status).toBe(409);
    const faults = [{ ...event, uuid: '' }, { ...event, bytes: -1 }, { ...event, count: 1 }, space];
    for (const body of faults) expect((await call(method, path, { body })).status).toBe(400);
    expect((await call(method, `${path}?client_id=x`, { body: event })).status).toBe(400);
    expect((await call(method, path, { body: event, key: readOnlyKey })).status).toBe(403);
    expect((await call(method, path, { body: event, key: 'wrong' })).status).toBe(401);
    expect(await listed(call)).toEqual(before);
  });

  it('is 405 if the service lacks the extension', async () => {
    const { call } = await openService({ extensions: [] });
    for (const method of ['PUT', 'DELETE'])
      expect(await call(method, path, { body: space })).toMatchObject({
        status: 405,
        headers: { allow: 'POST' },
      });
  });

  it('stays after a restart', async () => {
    const dataDir = temporaryFolder();
    const first = await openService({ dataDir });
    const event = await posted(first.call);
    await first.call('PUT', path, { body: { ...event, bytes: 7 } });
    await first.service.close();
    const { call } = await openService({ dataDir });
    expect((await listed(call)).at(-1)).toMatchObject({ bytes: 7 });
  });
});

describe('storage events: the list', () => {
  const { call } = sharedService();

  it('has four arrays, none of them empty at first', async () => {
    const events = storageEvents.parse((await call('GET', `${path}s`)).body);
    expect(Object.keys(events).toSorted()).toEqual([...eventKindNames].toSorted());
    expect(Object.values(events).every((records) => records.length > 0)).toBe(true);
  });
});

describe('storage events: the configurator', () => {
  it('lists for each kind the fields of a request, and an example of it that can be posted', async () => {
    const { call } = await openService();
    await call('POST', '/_local/reset');
    const { example, structure } = storageConfigurator.parse(
      (await call('GET', `${path}s/configurator`)).body,
    );
    expect(structure.map(({ name }) => name).toSorted()).toEqual([...eventKindNames].toSorted());
    for (const { name, fields } of structure) {
      const kind = eventKindNames.find((each) => each === name) ?? 'reaching_used_space';
      const [record] = example[kind];
      expect(fields.map((field) => field.name).toSorted()).toEqual(Object.keys(record ?? {}).toSorted());
      expect(fields.find((field) => field.name === eventKinds[kind].amountField)?.type).toBe('number');
      const body = { name, ...record, bucket_name: 'of-the-test' };
      expect((await call('POST', path, { body })).status).toBe(200);
    }
  });
});
