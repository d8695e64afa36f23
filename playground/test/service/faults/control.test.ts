import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { apiKey, openService, readOnlyKey, web1 } from '../open-service.ts';

const capacity = '/cdn/advanced/v1/capacity';
const reboot = `${web1}/reboot`;

const log = z.object({
  requests: z.array(
    z.object({
      time: z.string(),
      endpoint: z.string().nullable(),
      method: z.string(),
      path: z.string(),
      request_id: z.string().nullable(),
      status: z.union([z.number(), z.string()]).nullable(),
    }),
  ),
  totals: z.record(z.string(), z.number()),
});

describe('faults', () => {
  it('are off by default', async () => {
    const { call } = await openService();
    expect((await call('GET', '/_local/faults')).body).toEqual({});
  });

  it('answer a status in the shape of the area, as often as asked, and nothing takes effect', async () => {
    const { call } = await openService();
    await call('PUT', '/_local/faults/rebootInstance', {
      body: { status: 409, times: 2, headers: { 'retry-after': '3' } },
    });
    for (let time = 0; time < 2; time += 1) {
      const { status, body, headers } = await call('POST', reboot);
      expect([status, headers['retry-after']]).toEqual([409, '3']);
      expect(body).toMatchObject({ exception_class: 'ConflictError' });
    }
    expect((await call('GET', '/_local/faults')).body).toEqual({});
    expect((await call('POST', reboot)).status).toBe(200);
  });

  it('with `after` drop the answer, but not the effect', async () => {
    const { call } = await openService();
    await call('PUT', '/_local/faults/rebootInstance', { body: { reset: true, after: true, times: 1 } });
    await expect(call('POST', reboot)).rejects.toThrow(/ECONNRESET|other side closed/);
    expect((await call('GET', web1)).body).toMatchObject({ status: 'REBOOT' });
  });

  it('without `after` reset the connection before anything happens', async () => {
    const { call } = await openService();
    await call('PUT', '/_local/faults/rebootInstance', { body: { reset: true, times: 1 } });
    await expect(call('POST', reboot)).rejects.toThrow(/ECONNRESET|other side closed/);
    expect((await call('GET', web1)).body).toMatchObject({ status: 'ACTIVE', task_state: '' });
  });

  it('hang until anyone who asked has gone', async () => {
    const { service, call } = await openService();
    await call('PUT', '/_local/faults/listCapacity', { body: { hang: true } });
    const leaving = new AbortController();
    const impatient = fetch(`${service.url}${capacity}`, {
      headers: { authorization: `apikey ${apiKey}` },
      signal: leaving.signal,
    }).catch((error: unknown) => String(error));
    const logged = async () => log.parse((await call('GET', '/_local/requests')).body);
    await expect.poll(async () => Object.keys((await logged()).totals).length).toBe(1);
    leaving.abort();
    expect(await impatient).toMatch(/abort/iu);
    await expect
      .poll(async () => (await logged()).requests)
      .toMatchObject([{ endpoint: 'listCapacity', status: 'hang' }]);
  });

  it('that hang or delay end when the service closes, and what was delayed is answered', async () => {
    const { service, call } = await openService();
    await call('PUT', '/_local/faults/listCapacity', { body: { hang: true } });
    await call('PUT', '/_local/faults/describeStorageEvents', { body: { delay_ms: 60_000 } });
    const hanging = call('GET', capacity).catch((error: unknown) => String(error));
    const waiting = call('GET', '/storage/notifications/v1/events/configurator');
    const arrived = async () =>
      Object.keys(log.parse((await call('GET', '/_local/requests')).body).totals).length;
    await expect.poll(arrived).toBe(2);
    await service.close();
    expect(await hanging).toMatch(/other side closed|ECONNRESET/);
    expect((await waiting).status).toBe(200);
  });

  it.each([
    ['switched off', 'DELETE', '/_local/faults', undefined],
    ['replaced', 'PUT', '/_local/faults/listCapacity', { body: { status: 503 } }],
  ] as const)('that delay let who waits go on once they are %s', async (_, method, path, input) => {
    const { call } = await openService();
    await call('PUT', '/_local/faults/listCapacity', { body: { delay_ms: 600_000, times: 1 } });
    const waiting = call('GET', capacity);
    await expect
      .poll(async () => log.parse((await call('GET', '/_local/requests')).body).totals)
      .toEqual({ listCapacity: 1 });
    await call(method, path, input);
    expect((await waiting).status).toBe(200);
  });

  it('delay an answer', async () => {
    const { call } = await openService();
    await call('PUT', '/_local/faults/listCapacity', { body: { delay_ms: 120 } });
    const before = performance.now();
    expect((await call('GET', capacity)).status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(115);
  });

  it('answer HTML or any JSON', async () => {
    const { service, call } = await openService();
    const ask = async () => {
      const response = await fetch(`${service.url}${capacity}`, {
        headers: { authorization: `apikey ${apiKey}` },
      });
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    await call('PUT', '/_local/faults/listCapacity', { body: { html: true } });
    expect(await ask()).toEqual([502, 'text/html', expect.stringContaining('<h1>') as string]);
    await call('PUT', '/_local/faults/listCapacity', { body: { html: '<p>no</p>', status: 503 } });
    expect(await ask()).toEqual([503, 'text/html', '<p>no</p>']);
    await call('PUT', '/_local/faults/listCapacity', { body: { body: [{ capacity: 'much' }] } });
    expect(await ask()).toEqual([200, 'application/json', '[{"capacity":"much"}]']);
  });

  it('of all rows yield to those of one row, and are removed one by one or all at once', async () => {
    const { service, call } = await openService();
    const statusOf = async (path: string) =>
      (await fetch(`${service.url}${path}`, { headers: { authorization: `apikey ${apiKey}` } })).status;
    await call('PUT', '/_local/faults/all', { body: { status: 500 } });
    await call('PUT', '/_local/faults/listCapacity', { body: { status: 503 } });
    await call('PUT', '/_local/faults/readInstance', { body: { status: 504 } });
    const events = '/storage/notifications/v1/events';
    expect([await statusOf(capacity), await statusOf(web1), await statusOf(events)]).toEqual([503, 504, 500]);
    await call('DELETE', '/_local/faults/listCapacity');
    expect(await statusOf(capacity)).toBe(500);
    await call('DELETE', '/_local/faults');
    expect([await statusOf(capacity), await statusOf(web1)]).toEqual([200, 200]);
  });

  it.each([
    ['/_local/faults/4', { status: 500 }, 404],
    ['/_local/faults/x', { status: 500 }, 404],
    ['/_local/faults/rebootInstance', { stauts: 500 }, 400],
    ['/_local/faults/rebootInstance', { status: 99 }, 400],
    ['/_local/faults/rebootInstance', { times: 0 }, 400],
    ['/_local/nothing', {}, 404],
  ])('at %s, %j is refused', async (path, body, status) => {
    const { call } = await openService();
    expect((await call('PUT', path, { body })).status).toBe(status);
  });
});

describe('the log of requests', () => {
  it('has the calls of the interface with endpoint, status and request id, and the totals', async () => {
    const { call } = await openService();
    await call('POST', reboot, { headers: { 'x-request-id': 'corr-1' } });
    await call('POST', reboot);
    await call('GET', '/nothing', { key: '' });
    const { requests, totals } = log.parse((await call('GET', '/_local/requests')).body);
    expect(requests).toMatchObject([
      {
        endpoint: 'rebootInstance',
        method: 'POST',
        path: reboot,
        status: 200,
        request_id: 'corr-1',
        time: '2026-11-20T12:00:00.000Z',
      },
      { endpoint: 'rebootInstance', status: 409, request_id: null },
      { endpoint: null, method: 'GET', path: '/nothing', status: 401 },
    ]);
    expect(totals).toEqual({ rebootInstance: 2, none: 1 });
    expect((await call('DELETE', '/_local/requests')).body).toEqual({ requests: [], totals: {} });
  });

  it('keeps the last 500 and counts all', async () => {
    const { call } = await openService();
    for (let wave = 0; wave < 6; wave += 1) {
      await Promise.all(Array.from({ length: 100 }, () => call('GET', '/x')));
    }
    const { requests, totals } = log.parse((await call('GET', '/_local/requests')).body);
    expect([requests.length, totals]).toEqual([500, { none: 600 }]);
  });
});

describe('the clock and the reset', () => {
  it('lets time pass at once', async () => {
    const { call } = await openService();
    await call('POST', reboot);
    const { body } = await call('POST', '/_local/clock', { body: { advance_ms: 4000 } });
    expect(body).toEqual({ now: '2026-11-20T12:00:04.000Z' });
    expect((await call('GET', web1)).body).toMatchObject({ status: 'ACTIVE', task_id: null });
  });

  it.each([{}, { advance_ms: -1 }, { advance_ms: 1.5 }, { advance_ms: 1, x: 1 }])(
    'refuses %j',
    async (body) => {
      const { call } = await openService();
      expect((await call('POST', '/_local/clock', { body })).status).toBe(400);
    },
  );

  it('goes back to the seeded data, without faults', async () => {
    const { call } = await openService();
    const events = '/storage/notifications/v1/events';
    const seeded = (await call('GET', events)).body;
    await call('POST', '/storage/notifications/v1/event', {
      body: { name: 'reaching_used_space', storage_name: 's', bucket_name: 'b', bytes: 1 },
    });
    await call('POST', `${web1}/stop`);
    await call('PUT', '/_local/faults/describeStorageEvents', { body: { status: 500 } });
    expect((await call('GET', events)).body).not.toEqual(seeded);
    await call('POST', '/_local/reset');
    expect((await call('GET', events)).body).toEqual(seeded);
    expect((await call('GET', web1)).body).toMatchObject({ status: 'ACTIVE', task_state: '' });
    expect((await call('GET', '/_local/faults')).body).toEqual({});
  });
});

describe('the control endpoints', () => {
  it.each([
    ['GET', '/_local/faults'],
    ['PUT', '/_local/faults/rebootInstance'],
    ['GET', '/_local/requests'],
    ['POST', '/_local/clock'],
    ['POST', '/_local/reset'],
  ])('%s %s needs the API key, and more than the read-only one', async (method, path) => {
    const { call } = await openService();
    expect((await call(method, path, { key: '' })).status).toBe(401);
    expect((await call(method, path, { key: readOnlyKey })).status).toBe(403);
  });
});
