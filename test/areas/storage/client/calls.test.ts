import { describe, expect, test } from 'vitest';
import { badInput, failure } from '../../../service/test-transport.ts';
import { call, clientOf } from '../../../service/test-client.ts';

const event = {
  name: 'reaching_used_space',
  storage_name: 's',
  bucket_name: 'b',
  bytes: 10,
} as const;

describe('posting an event', () => {
  test('sends the event, with the client id only if there is one', async () => {
    for (const [options, url] of [
      [{}, '/storage/notifications/v1/event'],
      [{ clientId: 42 }, '/storage/notifications/v1/event?client_id=42'],
    ] as const) {
      await using service = await clientOf({ ...event, uuid: 'u-1' }, options);
      expect((await service.client.postStorageEvent(event, call)).value).toEqual({ ...event, uuid: 'u-1' });
      expect(service.seen[0]).toMatchObject({ method: 'POST', url, body: JSON.stringify(event) });
    }
  });

  test.each([
    [{ ...event, bytes: undefined }, 'bytes: '],
    [{ ...event, count: 1 }, 'count: '],
    [{ ...event, bytes: -1 }, 'bytes: '],
    [{ ...event, bytes: 2 ** 53 }, 'bytes: '],
    [{ ...event, bucket_name: '' }, 'bucket_name: '],
  ])('is not sent where %j breaks a rule', async ({ bytes, ...rest }, says) => {
    await using service = await clientOf(event);
    const bad = bytes === undefined ? rest : { ...rest, bytes };
    expect(await badInput(service.client.postStorageEvent(bad, call))).toContain(says);
    expect(service.seen).toEqual([]);
  });

  test.each([
    [{}, 'it contains no event'],
    [{ ...event, name: 'reaching_used_traffic' }, 'it is about another event'],
    [{ ...event, bucket_name: 'another' }, 'it is about another event'],
  ])('answered %j is of unknown outcome', async (body, problem) => {
    await using service = await clientOf(body);
    const error = await failure(service.client.postStorageEvent(event, call));
    expect(error.outcome).toBe('unknown-outcome');
    expect(error.message).toContain(`with 200, but the body could not be read: ${problem}.`);
  });

  test('refused twice says why', async () => {
    await using service = await clientOf({ error: 'exists already' }, {}, 409);
    const error = await failure(service.client.postStorageEvent(event, call));
    expect([error.outcome, error.status]).toEqual(['rejected', 409]);
    expect(error.message).toMatch(/^exists already\. .* 409 Conflict\.$/u);
  });

  test('is not offered with a client id that is not a whole number', async () => {
    await expect(clientOf({}, { clientId: 1.5 })).rejects.toMatchObject({ code: 'configuration' });
  });
});

describe.each(['changeStorageEvent', 'deleteStorageEvent'] as const)('%s', (name) => {
  const stored = { ...event, uuid: 'u-1' };

  test.each([
    [204, ''],
    [200, ''],
    [200, stored],
    [200, { uuid: 'u-1' }],
  ])('answered %d %j succeeded', async (status, body) => {
    await using service = await clientOf(body, {}, status);
    expect(await service.client[name](stored, call)).toMatchObject({ value: undefined, status });
  });

  test.each([
    ['<html>Log in</html>', 'it is not JSON'],
    [[], 'it is not an object'],
    [{ error: 'the event is locked' }, 'it contains no event'],
    [{ ...stored, uuid: 'u-2' }, 'it is about another event'],
    [{ ...stored, bucket_name: 'another' }, 'it is about another event'],
  ])('answered 200 %j is of unknown outcome', async (body, problem) => {
    await using service = await clientOf(body);
    const error = await failure(service.client[name](stored, call));
    expect(error.outcome).toBe('unknown-outcome');
    expect(error.message).toContain(`with 200, but the body could not be read: ${problem}.`);
  });
});

describe('event kinds and events', () => {
  test('read how events are formed', async () => {
    const structure = [{ name: 'reaching_used_space', fields: [{ name: 'bytes', type: 'number' }] }];
    await using service = await clientOf({ example: null, structure });
    expect((await service.client.describeStorageEvents(call)).value).toMatchObject({ structure });
  });

  test('read the events by kind', async () => {
    const record = { bucket_name: 'b', storage_name: 's', uuid: 'u', bytes: 5 };
    await using service = await clientOf({ reaching_used_space: [record], reaching_used_traffic: null });
    const { value, problems } = await service.client.listStorageEvents(call);
    expect(value).toEqual({ reaching_used_space: [record], reaching_used_traffic: undefined });
    expect(problems).toEqual([]);
  });
});
