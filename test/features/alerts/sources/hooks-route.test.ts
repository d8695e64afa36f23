import { connect } from 'node:net';
import { once } from 'node:events';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { largestDelivery } from '../../../../src/features/alerts/sources/hooks-route.ts';
import { alertmanagerBody } from '../../../alertmanager-body.ts';
import { pagerDutyBody, signature } from './bodies.ts';
import { bearer, type HookServer, nextSecret, openHooks, pagerDutySecret } from './hook-server.ts';
import { dueKind } from '../../../../src/model/records/due.ts';

let stage: HookServer;
beforeEach(async () => {
  stage = await openHooks();
});
afterEach(() => stage.close());

const right = { authorization: `Bearer ${bearer}` };

describe('a delivery to a hook', () => {
  it.each<[what: string, status: number, name: string, headers: Record<string, string>]>([
    ['with its secret', 200, 'grafana', right],
    ['with its secret, however “Bearer” is written', 200, 'grafana', { authorization: `bearer ${bearer}` }],
    ['without a secret', 401, 'grafana', {}],
    ['with another secret', 401, 'grafana', { authorization: 'Bearer something-else' }],
    ['with an empty secret', 401, 'grafana', { authorization: 'Bearer ' }],
    ['with the beginning of its secret', 401, 'grafana', { authorization: `Bearer ${bearer.slice(0, -1)}` }],
    ['with more than its secret', 401, 'grafana', { authorization: `Bearer ${bearer}x` }],
    ['with its secret in another scheme', 401, 'grafana', { authorization: `Basic ${bearer}` }],
    ['with a very long secret', 401, 'grafana', { authorization: `Bearer ${'x'.repeat(8000)}` }],
    ['with the old secret of two', 200, 'rotated', right],
    ['with the new secret of two', 200, 'rotated', { authorization: `Bearer ${nextSecret}` }],
    ['with both secrets of two at once', 401, 'rotated', { authorization: `Bearer ${nextSecret},${bearer}` }],
    ['with neither secret of two', 401, 'rotated', { authorization: `Bearer ${pagerDutySecret}` }],
    ['with none of two secrets', 401, 'rotated', { authorization: 'Bearer ' }],
    ['for an unknown hook', 404, 'grafna', right],
    ['for a name that every object has', 404, 'constructor', right],
    ['for a hook without a value behind its secret', 503, 'unset', right],
    ['for a hook without a value, with an empty one', 503, 'unset', { authorization: 'Bearer ' }],
    ['whose type is not JSON', 415, 'grafana', { ...right, 'content-type': 'text/plain' }],
    [
      'that is JSON of a kind',
      200,
      'grafana',
      { ...right, 'content-type': 'application/vnd.x+json; charset=utf-8' },
    ],
    [
      'signed by bearer where it must be signed as PagerDuty does',
      401,
      'phones',
      { authorization: `Bearer ${pagerDutySecret}` },
    ],
  ])('%s is answered %i by %s', async (_, status, name, headers) => {
    expect((await stage.post(name, alertmanagerBody(), headers)).status).toBe(status);
  });

  it('that is rejected ends its connection, because its body may not have been read', async () => {
    const rejected = await stage.post('grafana', alertmanagerBody(), {});
    expect(rejected.headers).toMatchObject({ connection: 'close' });
    const accepted = await stage.post('grafana', alertmanagerBody(), right);
    expect(accepted.headers).toMatchObject({ connection: 'keep-alive' });
  });

  it('signed like PagerDuty is accepted, even while the secret is rotated', async () => {
    const body = pagerDutyBody();
    const good = signature(body, pagerDutySecret);
    const post = async (header: string, sent = body) =>
      (await stage.post('phones', sent, { 'x-pagerduty-signature': header })).status;
    expect(await post(good)).toBe(200);
    expect(await post(`${signature(body, 'the next one')},${good}`)).toBe(200);
    expect(await post(`${good}, ${signature(body, 'the next one')}`)).toBe(200);
    expect(await post(signature(body, 'another'))).toBe(401);
    expect(await post(good, `${body} `)).toBe(401);
    expect(await post(good.replace('v1=', 'v0='))).toBe(401);
    expect(await post(good.toUpperCase())).toBe(401);
    expect(await post(`v1=,${','.repeat(5000)}`)).toBe(401);
    // Computed apart from our code: printf '{"event":1}' | openssl dgst -sha256 -hmac a-secret-of-pagerduty
    const apart = 'v1=14bc49ac5e4cebd6a4b6e4ff69c281f27572dcbd26d569bdf4e34078f1acda52';
    expect(await post(apart, '{"event":1}')).toBe(400);
    expect(await post(apart, '{"event":2}')).toBe(401);
  });

  it.each([
    ['in 2024', '2024-03-01T12:00:00Z', 400, 'phones too old'],
    ['a day and a minute ago', '2026-11-20T02:59:00Z', 400, 'phones too old'],
    ['the day after tomorrow', '2026-11-23T03:00:00Z', 400, 'phones too old'],
    ['at no time that can be read', 'then', 400, 'phones malformed'],
    ['at no time', undefined, 400, 'phones malformed'],
    ['23 hours ago', '2026-11-20T04:00:00Z', 200, 'phones shown'],
  ])('that was signed by PagerDuty %s', async (_, occurred_at, status, outcome) => {
    const body = pagerDutyBody({}, { occurred_at });
    const headers = { 'x-pagerduty-signature': signature(body, pagerDutySecret) };
    expect((await stage.post('phones', body, headers)).status).toBe(status);
    expect(stage.outcomes).toEqual([outcome]);
  });

  it('signed in a header that bellhop.yaml names is taken in, and nothing else is', async () => {
    const body = JSON.stringify({ action: 'created', data: { issue: { id: '7', title: 'TypeError' } } });
    const good = signature(body, pagerDutySecret).slice('v1='.length);
    const post = async (name: string, headers: Record<string, string>) =>
      (await stage.post(name, body, headers)).status;
    const next = signature(body, nextSecret).slice('v1='.length);
    const neither = signature(body, bearer).slice('v1='.length);
    expect(await post('sentry', { 'sentry-hook-signature': good })).toBe(200);
    expect(await post('sentry', { 'sentry-hook-signature': next })).toBe(200);
    expect(await post('sentry', { 'sentry-hook-signature': neither })).toBe(401);
    expect(await post('github', { 'x-hub-signature-256': `sha256=${good}` })).toBe(200);
    expect(await post('github', { 'x-hub-signature-256': good })).toBe(401);
    expect(await post('sentry', { 'x-pagerduty-signature': `v1=${good}` })).toBe(401);
    expect(await post('sentry', { 'sentry-hook-signature': good.replace(/^./u, 'g') })).toBe(401);
    expect(await post('sentry', { authorization: `Bearer ${pagerDutySecret}` })).toBe(401);
    expect(await post('own', { 'sentry-hook-signature': good })).toBe(401);
  });

  it.each(['GET', 'PUT'] as const)('by %s gets the hint to use POST', async (method) => {
    const { status, headers } = await stage.post('grafana', '{}', right, method);
    expect([status, headers['allow']]).toEqual([405, 'POST']);
  });

  it('that is too large is refused by its length, before anything of it is read or its secret is looked at', async () => {
    const socket = connect(Number(new URL(stage.url).port), '127.0.0.1');
    socket.write(`POST /hooks/unknown HTTP/1.1\r\nHost: x\r\nContent-Length: ${largestDelivery + 1}\r\n\r\n`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 /u);
    socket.destroy();
  });

  it('that turns out to be too large is refused', async () => {
    const body = alertmanagerBody([{ summary: 'x'.repeat(largestDelivery) }]);
    expect((await stage.post('grafana', body)).status).toBe(413);
  });

  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['no JSON', '{'],
    ['no text', Buffer.from([0xff, 0xfe])],
    ['JSON of another kind', '[]'],
    ['null', 'null'],
    ['a group without a key', alertmanagerBody([{}], { groupKey: '' })],
    ['a group without alerts', alertmanagerBody([{}], { alerts: [] })],
    ['an unknown status', alertmanagerBody([{}], { status: 'burning' })],
    ['deep nesting', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ])('that holds %s is refused as such', async (_, body) => {
    expect((await stage.post('grafana', body)).status).toBe(400);
    expect(stage.outcomes).toEqual(['grafana malformed']);
  });

  it('that is only a ping of PagerDuty is taken, and tells of nothing', async () => {
    const body = JSON.stringify({
      event: {
        id: 'x',
        event_type: 'pagey.ping',
        resource_type: 'pagey',
        data: { message: 'Hello', type: 'ping' },
      },
    });
    const headers = { 'x-pagerduty-signature': signature(body, pagerDutySecret) };
    expect((await stage.post('phones', body, headers)).status).toBe(200);
    expect(stage.outcomes).toEqual(['phones ignored']);
  });

  it('is not kept out by strangers who hold signed ones open', async () => {
    const head =
      'POST /hooks/phones HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n' +
      `X-PagerDuty-Signature: v1=${'0'.repeat(64)}\r\n\r\n{`;
    const port = Number(new URL(stage.url).port);
    const strangers = Array.from({ length: 250 }, () =>
      connect(port, '127.0.0.1').on('error', () => undefined),
    );
    try {
      for (const socket of strangers) socket.write(head);
      // Connections above the limit are refused at once. So if one is refused, all places are taken.
      await expect.poll(() => stage.outcomes, { timeout: 20_000 }).toContain('phones busy');
      expect((await stage.post('grafana', alertmanagerBody())).status).toBe(200);
    } finally {
      for (const socket of strangers) socket.destroy();
    }
  });

  it('is answered once it is durable: a store that is away is said with when to come again', async () => {
    await stage.store.close();
    const { status, headers } = await stage.post('grafana', alertmanagerBody());
    expect([status, headers['retry-after']]).toEqual([503, '5']);
  });

  it('is refused while Bellhop stops', async () => {
    await stage.stop();
    const { status, headers } = await stage.post('grafana', alertmanagerBody());
    expect([status, headers['retry-after']]).toEqual([503, '2']);
  });
});

describe('a hook that floods', () => {
  it('is limited, but its resolved alerts get through', async () => {
    const same = alertmanagerBody([{ severity: 'warning' }]);
    const flood = async (count: number): Promise<number[]> => {
      const statuses: number[] = [];
      for (let sent = 0; sent < count; sent += 100)
        statuses.push(
          ...(await Promise.all(
            Array.from({ length: 100 }, async () => (await stage.post('grafana', same)).status),
          )),
        );
      return statuses;
    };
    const statuses = await flood(3_100);
    expect(statuses.filter((status) => status === 200)).toHaveLength(3_000);
    expect(statuses.filter((status) => status === 429)).toHaveLength(100);
    expect((await stage.post('grafana', same)).headers['retry-after']).toBe('1');
    // More important alerts are accepted: one about a target outside the flood, and a critical one.
    const mattering = alertmanagerBody([{ alertname: 'AllDatabasesDown', instance: 'none' }]);
    expect((await stage.post('grafana', mattering)).status).toBe(200);
    const end = alertmanagerBody([{ status: 'resolved', severity: 'warning' }]);
    expect((await stage.post('grafana', end)).status).toBe(200);
    const [due] = await stage.store.claimDue(new Map([[dueKind('alert'), 10]]), stage.clock.now(), 1000);
    const message = due && (await stage.store.findOffer(due.key));
    expect(message?.group?.status).toBe('resolved');
    // Another hook is not affected, and this one is accepted again later.
    const other = JSON.stringify({ alert: { name: 'Disk full' } });
    expect((await stage.post('own', other)).status).toBe(200);
    await stage.clock.advance(1000);
    expect((await stage.post('grafana', same)).status).toBe(200);
  });
});
