import { type ClientRequest, type IncomingMessage, request as open } from 'node:http';

import { request } from 'undici';
import { expect, it } from 'vitest';

import { signedHeaders } from '../../slack/receive/receiving-app.ts';
import { until } from '../../until.ts';
import { suggestionsIn } from '../agents.ts';
import { changeInFlight } from '../change-in-flight.ts';

interface Late {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const suggestion: Late = {
  path: '/mcp',
  headers: { ...json, authorization: 'Bearer token-of-holmes' },
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'suggest_change', arguments: { command: '/cloud stop web-2', reason: 'late' } },
  }),
};

const alert: Late = {
  path: '/hooks/alertmanager',
  headers: { ...json, authorization: 'Bearer secret-of-the-hook' },
  body: JSON.stringify({
    version: '4',
    groupKey: 'late',
    status: 'firing',
    alerts: [{ status: 'firing', labels: { alertname: 'Late' }, startsAt: '2026-01-01T00:00:00Z' }],
  }),
};

const command = (secret: string): Late => {
  const body = 'command=%2Fcloud&text=ips&trigger_id=late&team_id=T0LOCAL&user_id=U0ALICE&channel_id=C0OPS';
  const headers = signedHeaders(body, Date.now(), secret);
  return {
    path: '/slack/events',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body,
  };
};

/** A request whose headers were accepted, and whose body has not begun. */
async function begin(botUrl: string, { path, headers }: Late) {
  const sending: ClientRequest = open(`${botUrl}${path}`, {
    method: 'POST',
    headers: { ...headers, expect: '100-continue' },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) =>
    sending.once('response', resolve).once('error', reject),
  );
  await new Promise<void>((resolve) => sending.once('continue', resolve).flushHeaders());
  return { sending, answer };
}

it('a body that arrives after SIGTERM is refused with 503: agents, alerts and Slack send it elsewhere, and nothing of it is lost here', async () => {
  const change = await changeInFlight();
  const { stage } = change;
  const late = [suggestion, alert, command(stage.env['SLACK_SIGNING_SECRET'] ?? '')];
  const begun = await Promise.all(late.map((one) => begin(stage.botUrl, one)));
  const { exit } = await change.beginStop();
  const replies = await Promise.all(
    begun.map(async ({ sending, answer }, at) => {
      sending.end(late[at]?.body);
      const { statusCode, headers } = await answer;
      return [late[at]?.path, statusCode, headers['retry-after']];
    }),
  );
  expect(replies).toEqual(late.map(({ path }) => [path, 503, '2']));
  change.letAnswer();
  expect(await exit).toBe(0);

  await stage.restart();
  expect(await suggestionsIn(stage)).toEqual([]);
  expect(await stage.messages('U0ALICE', 'C0INC42')).toEqual([]);
  // The next running bot accepts the rejected payload.
  for (const { path, headers, body } of late.slice(0, 2)) {
    const reply = await request(`${stage.botUrl}${path}`, { method: 'POST', headers, body });
    await reply.body.dump();
    expect([path, reply.statusCode]).toEqual([path, 200]);
  }
  await until(async () => (await stage.messages('U0ALICE', 'C0INC42')).length === 2);
  await change.close();
}, 60_000);
