import { gzipSync, zstdCompressSync } from 'node:zlib';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { bearer, pagerDutySecret } from '../sources/hook-server.ts';
import { signature } from '../sources/bodies.ts';
import { openReported, read, type Reported } from './reported-hooks.ts';

let stage: Reported['stage'];
let queue: Reported['queue'];
let texts: Reported['texts'];
beforeEach(async () => {
  ({ stage, queue, texts } = await openReported());
});
afterEach(() => stage.close());

describe('a body in another encoding', () => {
  const zabbix = { name: 'Festplatte läuft über', id: '1', value: '1', host: 'web-1', severity: 'High' };
  const json = JSON.stringify(zabbix);
  it.each([
    ['Latin-1 with its charset', 'application/json; charset=ISO-8859-1', Buffer.from(json, 'latin1')],
    ['Latin-1 without it', 'application/json', Buffer.from(json, 'latin1')],
    ['Latin-1 that claims to be UTF-8', 'application/json; charset=utf-8', Buffer.from(json, 'latin1')],
    ['UTF-8 that claims to be Latin-1', 'application/json; charset="iso-8859-1"', Buffer.from(json)],
    ['UTF-8 with a byte order mark', 'application/json', Buffer.from(`\uFEFF${json}`)],
    ['UTF-16 with its charset', 'application/json; charset=utf-16le', Buffer.from(json, 'utf16le')],
    ['a charset that does not exist', 'application/json; charset=klingon', Buffer.from(json, 'latin1')],
  ])('is read: %s', async (_, type, body) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': type };
    expect((await stage.post('zabbix', body, headers)).status).toBe(200);
    await queue.work();
    expect(texts()).toEqual(['Firing: Festplatte läuft über on web-1']);
  });
});

describe('a body that only its sender finds right', () => {
  const down = { name: 'Backup failed', id: '1', value: '1', host: 'web-1', severity: 'High' };
  const json = JSON.stringify(down);
  it.each<[what: string, body: Buffer, headers: Readonly<Record<string, string>>]>([
    ['compressed with gzip', gzipSync(json), { 'content-encoding': 'gzip' }],
    ['compressed with zstd', zstdCompressSync(json), { 'content-encoding': 'zstd' }],
    ['said to be compressed', Buffer.from(json), { 'content-encoding': 'gzip' }],
    ['UTF-16 with only a byte order mark', Buffer.from(`\uFEFF${json}`, 'utf16le'), {}],
    ['with line breaks in a text', Buffer.from(json.replace('Backup failed', 'Backup\n\tfailed')), {}],
    ['text/json', Buffer.from(json), { 'content-type': 'text/json; charset=utf-8' }],
  ])('is read: %s', async (_, body, headers) => {
    const all = { authorization: `Bearer ${bearer}`, ...headers };
    expect((await stage.post('zabbix', body, all)).status).toBe(200);
    await queue.work();
    expect(texts()).toEqual(['Firing: Backup failed on web-1']);
  });

  it('is refused if it is a bomb', async () => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-encoding': 'gzip' };
    expect((await stage.post('zabbix', gzipSync(Buffer.alloc(5_000_000, ' ')), headers)).status).toBe(413);
  });

  it('is signed as it was sent, compressed', async () => {
    const [{ body: incident } = {}] = read('a-priority-that-rises-again').deliveries;
    const body = gzipSync(JSON.stringify(incident));
    const signed = { 'x-pagerduty-signature': signature(body, pagerDutySecret), 'content-encoding': 'gzip' };
    expect((await stage.post('phones', body, signed)).status).toBe(200);
  });
});
