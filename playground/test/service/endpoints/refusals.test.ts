import { describe, expect, it } from 'vitest';
import { apiKey, readOnlyKey, sharedService, web1 } from '../open-service.ts';

const { call } = sharedService({ extensions: ['instance-read'] });

const rows = [
  [1, 'POST', '/cdn/advanced/v1/metrics'],
  [2, 'GET', '/cdn/advanced/v1/capacity'],
  [3, 'PUT', '/cdn/raw_log_settings'],
  [4, 'POST', `${web1}/reboot`],
  [5, 'POST', `${web1}/stop`],
  [6, 'GET', '/cloud/v1/caas/1186668/76/containers/api'],
  [7, 'GET', '/cloud/v1/availablefloatingips/1186668/76'],
  [8, 'POST', '/storage/notifications/v1/event'],
  [9, 'GET', '/storage/notifications/v1/events/configurator'],
  [10, 'GET', '/storage/notifications/v1/events'],
  ['read', 'GET', web1],
] as const;

/** The keys of the error body of each area, in order. */
const shapes = (path: string): string[] => {
  if (path.startsWith('/cloud/')) return ['exception_class', 'message', 'request_id'];
  if (path.startsWith('/cdn/advanced/')) return ['status', 'message'];
  return path.startsWith('/storage/') ? ['error'] : ['message'];
};

const keysOf = (body: unknown): string[] => Object.keys(Object(body) as object);

describe('authentication', () => {
  it.each([
    ['none', {}],
    ['another word', { authorization: `Bearer ${apiKey}` }],
    ['no key', { authorization: 'apikey' }],
    ['a wrong key', { authorization: 'apikey wrong' }],
    ['a key of the same length', { authorization: `apikey ${'x'.repeat(apiKey.length)}` }],
    ['the key alone', { authorization: apiKey }],
    ['two keys', { authorization: `apikey ${apiKey} ${apiKey}` }],
  ])('with %s: 401 on every row, in the shape of its area', async (_what, headers) => {
    for (const [, method, path] of rows) {
      const { status, body } = await call(method, path, { key: '', headers });
      expect(status).toBe(401);
      expect(keysOf(body)).toEqual(shapes(path));
    }
  });

  it.each(['apikey', 'APIKey', 'ApiKey', 'APIKEY'])('takes the word %s', async (word) => {
    const { status } = await call('GET', web1, { key: '', headers: { authorization: `${word} ${apiKey}` } });
    expect(status).toBe(200);
  });

  it('with a read-only key: 403 on the rows that change something, and on no other', async () => {
    const refused = [];
    for (const [row, method, path] of rows) {
      const { status, body } = await call(method, path, { key: readOnlyKey });
      if (status !== 403) continue;
      refused.push(row);
      expect(keysOf(body)).toEqual(shapes(path));
    }
    expect(refused).toEqual([3, 4, 5, 8]);
  });

  it('comes before everything else: an unknown path without a key is 401, with one 404', async () => {
    for (const path of [
      '/',
      '/nothing',
      '/cloud/v1/nothing',
      '/cdn/advanced/v1/nothing',
      '/storage/nothing',
    ]) {
      const without = await call('GET', path, { key: '' });
      const known = await call('GET', path);
      expect([without.status, known.status]).toEqual([401, 404]);
      expect(keysOf(known.body)).toEqual(shapes(path));
    }
  });
});

describe('a request that no row accepts', () => {
  it.each(rows)('row %s with another method: 405 with Allow', async (_row, method, path) => {
    for (const other of ['DELETE', 'PATCH', method === 'PUT' ? 'POST' : 'PUT']) {
      const { status, body, headers } = await call(other, path);
      expect(status).toBe(405);
      expect(headers['allow']).toBe(method);
      expect(keysOf(body)).toEqual(shapes(path));
    }
  });

  it.each(rows)('row %s with a body over 1 MiB: 413', async (_row, method, path) => {
    if (method === 'GET') return;
    const { status, body } = await call(method, path, { raw: Buffer.alloc(1024 * 1024 + 1, ' ') });
    expect(status).toBe(413);
    expect(keysOf(body)).toEqual(shapes(path));
  });

  it.each([
    [1, 'POST', '/cdn/advanced/v1/metrics'],
    [3, 'PUT', '/cdn/raw_log_settings'],
    [8, 'POST', '/storage/notifications/v1/event'],
  ] as const)('row %s with a body that is not a JSON object: 400', async (_row, method, path) => {
    for (const raw of ['', ' ', '{', '{"a":1,}', 'name=x', 'null', '[]', '"text"', '7']) {
      expect((await call(method, path, { raw })).status).toBe(400);
    }
  });

  it('takes a body of exactly 1 MiB', async () => {
    const { status } = await call('POST', '/cdn/advanced/v1/metrics', {
      raw: Buffer.alloc(1024 * 1024, ' '),
    });
    expect(status).toBe(400);
  });
});

describe('a failure in the cloud area', () => {
  it('carries an id of its own each time', async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => JSON.stringify((await call('GET', '/cloud/x')).body)),
    );
    expect(ids[0]).not.toBe(ids[1]);
  });
});
