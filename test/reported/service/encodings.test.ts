import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';

import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';

import { createServiceClient } from '../../areas/service-client.ts';
import { readServiceReason } from '../../../src/service/errors/service-failure.ts';
import { type Behaviour, startFaultyServer } from '../../service/faulty-server.ts';
import { anyHttp } from './any-http.ts';

const encoded =
  (body: Buffer, encoding: string): Behaviour =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body);

const clientAnd = async (behaviour: Behaviour, maxBodyBytes = 100_000) => {
  const server = await startFaultyServer(behaviour);
  const client = createServiceClient({
    baseUrl: server.url,
    apiKeys: () => ['key-1'],
    timings: { maxBodyBytes },
  });
  onTestFinished(async () => {
    await client.close();
    await server[Symbol.asyncDispose]();
  });
  return { server, client };
};

describe('an answer with a content encoding', () => {
  const reply = JSON.stringify({
    count: 1,
    results: [{ id: '6c6aa80f-7836-4dc2-a2ae-125e248be476', status: 'REBOOT' }],
  });
  const web1 = { project: 1, region: 2, id: '6c6aa80f-7836-4dc2-a2ae-125e248be476' };

  it.each([
    ['gzip', gzipSync(reply)],
    ['X-GZIP', gzipSync(reply)],
    ['deflate', deflateSync(reply)],
    ['deflate', deflateRawSync(reply)],
    ['br', brotliCompressSync(reply)],
    ['zstd', zstdCompressSync(reply)],
    ['br, gzip', gzipSync(brotliCompressSync(reply))],
    ['identity', Buffer.from(`\uFEFF${reply}`)],
  ])('of %s is read, although it was not requested', async (encoding, body) => {
    const { server, client } = await clientAnd(encoded(body, encoding));
    const { value } = await client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    expect(value.instance?.status).toBe('REBOOT');
    expect(server.seen[0]?.headers['accept-encoding']).toBe('identity');
    const own = await anyHttp(server.url).get('/x', z.object({ count: z.number() }));
    expect(own.count).toBe(1);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(10_000_000))],
    ['br', brotliCompressSync(Buffer.alloc(10_000_000))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(10_000_000)))],
  ])('of %s is refused if it is a bomb', async (encoding, body) => {
    const { client } = await clientAnd(encoded(body, encoding));
    const asked = client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    await expect(asked).rejects.toThrow(/the response is too large/u);
  });

  it.each([
    ['gzip', Buffer.from('no gzip')],
    ['gzip', gzipSync(reply).subarray(0, 20)],
    ['compress', Buffer.from([0x1f, 0x9d])],
  ])('of %s that cannot be decoded is not JSON', async (encoding, body) => {
    const { client } = await clientAnd(encoded(body, encoding));
    const asked = client.changeInstance(web1, 'reboot', { correlationId: 'c-1' });
    await expect(asked).rejects.toMatchObject({ outcome: 'unknown-outcome', message: /not JSON/u });
  });
});

describe('an answer in another charset', () => {
  const own = JSON.stringify({ message: 'Büro läuft' });
  const latin1 = 'application/json; charset=ISO-8859-1';

  it.each([
    ['Latin-1', latin1, Buffer.from(own, 'latin1')],
    ['UTF-8 that claims to be Latin-1', latin1, Buffer.from(own)],
    ['UTF-16 with a byte order mark', 'application/json', Buffer.from(`\uFEFF${own}`, 'utf16le')],
    ['a charset that does not exist', 'application/json; charset=klingon', Buffer.from(own)],
  ])('is read: %s', async (_, type, body) => {
    const headers = { 'content-type': type };
    const { server } = await clientAnd((response) => response.writeHead(200, headers).end(body));
    const read = await anyHttp(server.url).get('/x', z.object({ message: z.string() }));
    expect(read.message).toBe('Büro läuft');
    const refused = { kind: 'answer', status: 409, headers, body } as const;
    expect(readServiceReason(refused, (text) => text).reason).toBe('Büro läuft');
  });
});
