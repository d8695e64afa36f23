import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { wireDetailSchema, wireEntrySchema } from '../../../workspace/drill-protocol.ts';
import { readJson } from '../../../workspace/page-api/read-json.ts';
import { until } from '../../../../test/until.ts';
import { openSlack, type LocalSlack } from '../open-slack.ts';

let slack: LocalSlack;
beforeEach(async () => {
  slack = await openSlack();
});
afterEach(() => slack.close());

const command = () => slack.gesture('send', { text: '/cloud ips', channel: 'C0OPS' });

const drill = (drills: object) => slack.gesture('slack-drills', { drills });

describe('drills of Slack', () => {
  it('deliver the next payload again', async () => {
    await drill({ redeliver: 2 });
    await command();
    const all = await until(() => slack.app.received.length === 3 && slack.app.received);
    expect(new Set(all.map(({ payload }) => payload.trigger_id)).size).toBe(1);
    await command();
    expect((await slack.state()).drills.slack.redeliver).toBe(0);
    expect(slack.app.received).toHaveLength(4);
  });

  it('lose an acknowledgement: the app did it, the person sees operation_timeout', async () => {
    await drill({ lose_ack: 1 });
    const outcome = command();
    await until(() => slack.app.received.length === 1);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
    expect(await command()).toEqual({ ok: true });
  });

  it('deliver late', async () => {
    await drill({ dispatch_delay_ms: 5_000 });
    const outcome = command();
    await until(async () => (await slack.state()).drills.slack.dispatch_delay_ms === 5_000);
    slack.advance(3_000);
    expect(await outcome).toMatchObject({ ok: false, error: 'operation_timeout' });
    expect(slack.app.received).toEqual([]);
    slack.advance(2_000);
    await until(() => slack.app.received.length === 1);
  });

  it('limit the rate of a method, or of all', async () => {
    await drill({ rate_limit: ['chat.postMessage'] });
    expect(await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'x' })).toMatchObject({
      error: 'ratelimited',
    });
    expect(await slack.api('auth.test')).toMatchObject({ ok: true });
    await drill({ rate_limit: ['*'] });
    expect(await slack.api('auth.test')).toMatchObject({ error: 'ratelimited' });
    await slack.gesture('clear-drills', {});
    expect(await slack.api('auth.test')).toMatchObject({ ok: true });
  });

  it('take the Web API down', async () => {
    await drill({ web_api_down: true });
    expect((await fetch(`${slack.workspace.url}/api/auth.test`)).status).toBe(503);
  });
});

describe('the wire log', () => {
  it('has each request either way, without secrets', async () => {
    await slack.gesture('send', { text: '/cloud use xoxb-test-token', channel: 'C0OPS' });
    await slack.api('chat.postMessage', { channel: 'C0OPS', text: 'test-signing-secret' });
    const { body } = await request(`${slack.workspace.url}/_workspace/wire`);
    const entries = wireEntrySchema.array().parse(await body.json());
    expect(entries).toMatchObject([
      { direction: 'to-bot', name: '/cloud', status: 200, error: '' },
      { direction: 'from-bot', name: 'chat.postMessage', status: 200, error: '' },
    ]);
    const details = await Promise.all(
      entries.map(async ({ id }) =>
        wireDetailSchema.parse(
          await (await request(`${slack.workspace.url}/_workspace/wire/${id}`)).body.json(),
        ),
      ),
    );
    expect(JSON.stringify(details)).not.toMatch(/xoxb-test|test-signing-secret/);
    expect(details[0]?.request).toContain('"command":"/cloud"');
  });
});

describe('drills of the service', () => {
  let service: Server;
  const asked: string[] = [];
  beforeEach(async () => {
    await slack.close();
    asked.length = 0;
    let faults: Record<string, unknown> = {};
    service = createServer((req, response) => {
      let body = '';
      req.on('data', (chunk) => (body += String(chunk)));
      req.on('end', () => {
        asked.push(`${req.method} ${req.url} ${req.headers.authorization}`);
        const endpoint = req.url?.split('/')[3];
        if (req.method === 'PUT' && endpoint !== undefined)
          faults = { ...faults, [endpoint]: readJson(body) };
        if (req.method === 'DELETE') faults = {};
        response.setHeader('content-type', 'application/json').end(JSON.stringify(faults));
      });
    });
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const address = service.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    slack = await openSlack({ service: { url: `http://127.0.0.1:${port}`, apiKey: 'local-key' } });
  });
  afterEach(() => void service.close());

  it('are switched by its control endpoints, and shown as it tells them', async () => {
    const fault = { delay_ms: 2_000, after: true };
    expect(await slack.gesture('service-fault', { endpoint: 'rebootInstance', fault })).toEqual({ ok: true });
    expect(asked).toContain('PUT /_local/faults/rebootInstance apikey local-key');
    expect((await slack.state()).drills.service).toEqual({
      available: true,
      faults: { rebootInstance: fault },
    });
    await slack.gesture('clear-drills', {});
    expect(asked).toContain('DELETE /_local/faults apikey local-key');
    expect((await slack.state()).drills.service.faults).toEqual({});
  });

  it('say so when the service is not there', async () => {
    service.close();
    service.closeAllConnections();
    expect(
      await slack.gesture('service-fault', { endpoint: 'rebootInstance', fault: { hang: true } }),
    ).toMatchObject({
      ok: false,
      error: 'service_unreachable',
    });
  });
});
