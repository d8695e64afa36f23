import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { until } from '../../../../test/until.ts';
import { openSlack, type LocalSlack } from '../open-slack.ts';
import { serve, type Served } from '../../../../test/serve.ts';

const bodySchema = z.looseObject({
  groupKey: z.string(),
  status: z.enum(['firing', 'resolved']),
  groupLabels: z.looseObject({ instance: z.string() }),
  alerts: z.array(z.looseObject({ startsAt: z.string(), endsAt: z.string(), fingerprint: z.string() })),
});

let slack: LocalSlack;
let hook: Served;
let told: { headers: IncomingMessage['headers']; body: z.infer<typeof bodySchema> }[];
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
  told = [];
  answer = (response) => response.writeHead(202).end();
  hook = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = bodySchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
      told.push({ headers: request.headers, body });
      answer(response);
    });
  });
  const alertHook = { url: `${hook.url}/hooks/alertmanager`, secret: 'alert-secret' };
  slack = await openSlack({ alertHook, instances: ['web-1', 'db-1'] });
});
afterEach(async () => {
  await slack.close();
  await hook.close();
});

const tell = (status: 'firing' | 'resolved', alertname = 'InstanceDown', instance = 'web-1') =>
  slack.gesture('alert', { alertname, instance, status });
const alerts = async () => (await slack.state()).drills.alerts;

describe('an alert', () => {
  it('is posted as Alertmanager does, with the secret', async () => {
    expect(await tell('firing')).toEqual({ ok: true });
    expect(told[0]?.headers).toMatchObject({
      authorization: 'Bearer alert-secret',
      'content-type': 'application/json',
    });
    const labels = { alertname: 'InstanceDown', instance: 'web-1', job: 'node', severity: 'critical' };
    expect(told[0]?.body).toMatchObject({
      version: '4',
      groupKey: '{}:{alertname="InstanceDown", instance="web-1"}',
      truncatedAlerts: 0,
      status: 'firing',
      receiver: 'chat',
      groupLabels: { alertname: 'InstanceDown', instance: 'web-1' },
      commonLabels: labels,
      commonAnnotations: { summary: 'web-1 is down.' },
      alerts: [{ status: 'firing', labels, endsAt: '0001-01-01T00:00:00Z' }],
    });
    expect(told[0]?.body.alerts[0]?.fingerprint).toMatch(/^[\da-f]{16}$/);
    expect((await alerts()).firing).toEqual([
      { alertname: 'InstanceDown', instance: 'web-1', resolved: false, problem: '' },
    ]);
  });

  it('is repeated and resolved with the same key and the same start', async () => {
    await tell('firing');
    slack.advance(60_000);
    await tell('firing');
    await tell('firing', 'HighCpuLoad', 'db-1');
    slack.advance(60_000);
    expect(await tell('resolved')).toEqual({ ok: true });
    const [first, repeated, other, resolved] = told.map(({ body }) => body);
    expect(repeated).toEqual(first);
    expect(other?.groupKey).not.toBe(first?.groupKey);
    expect(resolved).toMatchObject({ groupKey: first?.groupKey, status: 'resolved' });
    const [before, after] = [first?.alerts[0], resolved?.alerts[0]];
    expect([after?.startsAt, after?.fingerprint]).toEqual([before?.startsAt, before?.fingerprint]);
    expect(Date.parse(after?.endsAt ?? '') - Date.parse(after?.startsAt ?? '')).toBe(120_000);
    expect((await alerts()).firing).toMatchObject([{ alertname: 'HighCpuLoad', instance: 'db-1' }]);
    expect(await tell('resolved')).toEqual({ ok: true });
    expect(told).toHaveLength(4);
  });

  it.each([
    ['500', {}, 500],
    ['429', { 'retry-after': '7' }, 7_000],
  ])('comes again after %s, with its current status', async (status, headers, wait) => {
    answer = (response) => response.writeHead(Number(status), headers).end();
    expect(await tell('firing')).toMatchObject({
      error: 'hook_failed',
      message: `The app answered ${status}.`,
    });
    await tell('resolved');
    answer = (response) => response.writeHead(202).end();
    slack.advance(wait);
    await until(async () => (await alerts()).firing.length === 0);
    expect(told.map(({ body }) => body.status)).toEqual(['firing', 'resolved', 'resolved']);
  });

  it('does not come again after a refusal, and shows it', async () => {
    answer = (response) => response.writeHead(401).end();
    expect(await tell('firing')).toMatchObject({ ok: false, message: 'The app answered 401.' });
    expect((await alerts()).firing).toMatchObject([{ problem: 'The app answered 401.' }]);
    slack.advance(5 * 60_000);
    answer = (response) => response.writeHead(202).end();
    await tell('firing');
    expect(told).toHaveLength(2);
  });

  it('is absent without a hook', async () => {
    await slack.close();
    slack = await openSlack();
    expect(await tell('firing')).toMatchObject({ ok: false, error: 'no_hook' });
    expect(await slack.gesture('alert-storm', { status: 'firing' })).toMatchObject({ error: 'no_hook' });
    expect((await alerts()).available).toBe(false);
  });
});

describe('a storm', () => {
  it('is 2,500 groups, each told once and resolved', async () => {
    await slack.gesture('alert-storm', { status: 'firing' });
    await until(async () => (await alerts()).storm.waiting === 0);
    expect(await alerts()).toMatchObject({ firing: [], storm: { total: 2_500, waiting: 0, refused: 0 } });
    expect(new Set(told.map(({ body }) => body.groupKey)).size).toBe(2_500);
    await slack.gesture('alert-storm', { status: 'resolved' });
    await until(async () => (await alerts()).storm.total === 0);
    expect(told.filter(({ body }) => body.status === 'resolved')).toHaveLength(2_500);
    expect(told).toHaveLength(5_000);
  });
});
