/**
 * What an acknowledgement costs: CPU of our receiver, with and without a Bolt app behind it, against a bare node:http
 * handler that reads the body, checks the same HMAC and answers 200, with and without reading the payload. One run,
 * side by side, each in a process of its own:
 *
 *   node bench/ack.ts [requests a round, 20000] [rounds, 5]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { createHmac } from 'node:crypto';

import { Pool } from 'undici';
import { z } from 'zod';

import { contenders, signingSecret } from './ack-server.ts';

const requests = Number(process.argv[2] ?? 20_000);
const rounds = Number(process.argv[3] ?? 5);

const started = z.object({ port: z.number() });
const spent = z.object({ cpuMicroseconds: z.number() });

const payload = {
  type: 'block_actions',
  user: { id: 'U0ALICE', username: 'alice', name: 'alice', team_id: 'T0LOCAL' },
  api_app_id: 'A0BELLHOP',
  token: 'unused',
  container: { type: 'message', message_ts: '1763700000.000100', channel_id: 'C0OPS', is_ephemeral: false },
  trigger_id: '1234567890.1234567890.0123456789abcdef0123456789abcdef',
  team: { id: 'T0LOCAL', domain: 'local' },
  enterprise: null,
  is_enterprise_install: false,
  channel: { id: 'C0OPS', name: 'ops' },
  message: {
    type: 'message',
    user: 'U0BELLHOP',
    ts: '1763700000.000100',
    text: 'Reboot web-1: proposed',
    blocks: [],
  },
  state: { values: {} },
  response_url: 'https://hooks.slack.com/actions/T0LOCAL/1234567890/abcdefghijklmnop',
  actions: [
    {
      action_id: 'confirm',
      block_id: 'b1',
      text: { type: 'plain_text', text: 'Reboot web-1', emoji: false },
      value: 'r-7k3m9qpd',
      style: 'danger',
      type: 'button',
      action_ts: '1763700001.000200',
    },
  ],
};
const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();

function headers(): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex');
  return {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': timestamp,
    'x-slack-signature': `v0=${digest}`,
  };
}

const nextMessage = (server: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => server.once('message', resolve));

async function cpuOf(server: ChildProcess): Promise<number> {
  const answer = nextMessage(server);
  server.send('cpu');
  return spent.parse(await answer).cpuMicroseconds;
}

async function post(pool: Pool, count: number): Promise<void> {
  const signed = headers();
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const reply = await pool.request({ method: 'POST', path: '/slack/events', headers: signed, body });
      await reply.body.dump();
      if (reply.statusCode !== 200) throw new Error(`answered ${reply.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: 200 }, lane));
}

/** CPU microseconds a request, of each round after one to warm up. */
async function measure(servers: ReadonlyMap<string, ChildProcess>): Promise<Map<string, number[]>> {
  const costs = new Map<string, number[]>();
  const pools = new Map<string, Pool>();
  for (const [name, server] of servers) {
    const { port } = started.parse(await nextMessage(server));
    pools.set(name, new Pool(`http://127.0.0.1:${port}`, { connections: 20, pipelining: 10 }));
  }
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, server] of servers) {
      const pool = pools.get(name);
      if (!pool) continue;
      const before = await cpuOf(server);
      await post(pool, requests);
      const cost = ((await cpuOf(server)) - before) / requests;
      if (round > 0) costs.set(name, [...(costs.get(name) ?? []), cost]);
    }
  }
  await Promise.all([...pools.values()].map((pool) => pool.close()));
  return costs;
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const servers = new Map<string, ChildProcess>(
  contenders.map((name): [string, ChildProcess] => [
    name,
    fork(new URL('ack-server.ts', import.meta.url), [name]),
  ]),
);
try {
  const costs = await measure(servers);
  const bare = median(costs.get('bare') ?? []);
  for (const [name, values] of costs) {
    const cost = median(values);
    process.stdout.write(
      `${name.padEnd(16)} ${cost.toFixed(1)} µs CPU a request, ${(cost / bare).toFixed(2)} × bare\n`,
    );
  }
} finally {
  for (const server of servers.values()) server.kill();
}
