import { createServer } from 'node:http';
import { once } from 'node:events';

import { Pool } from 'undici';
import { z } from 'zod';

/** The address and the rate. `elsewhere`: a separate server that refuses all calls, so that the machine has the same work. */
const order = z.union([
  z.object({ port: z.union([z.number(), z.literal('elsewhere')]), token: z.string(), aSecond: z.number() }),
  z.literal('stop'),
]);
export type FloodOrder = z.input<typeof order>;

const listening = z.object({ port: z.number() });

const server = createServer((request, response) => {
  request.resume();
  response.writeHead(429).end('Too many calls');
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const elsewhere = listening.parse(server.address()).port;

let stop: () => Promise<void> = () => Promise.resolve();

process.on('message', (message) => {
  const given = order.parse(message);
  if (given === 'stop') void stop().then(() => process.send?.('stopped'));
  else stop = flood(given);
});
process.send?.('ready');

/**
 * Starts calling, whether or not earlier calls were answered.
 * @returns a function that stops, and resolves once all are answered
 */
function flood({ port, token, aSecond }: Exclude<z.output<typeof order>, 'stop'>): () => Promise<void> {
  const pool = new Pool(`http://127.0.0.1:${port === 'elsewhere' ? elsewhere : port}`, { connections: 50 });
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const calls: Promise<unknown>[] = [];
  const timer = setInterval(() => {
    const given = {
      command: `/cloud reboot 1/76/6c6aa80f-7836-4dc2-a2ae-${String(calls.length).padStart(12, '0')}`,
      reason: 'flood '.repeat(100),
    };
    const params = { name: 'suggest_change', arguments: given };
    const body = JSON.stringify({ jsonrpc: '2.0', id: calls.length, method: 'tools/call', params });
    calls.push(
      pool.request({ method: 'POST', path: '/mcp', headers, body }).then((reply) => reply.body.dump()),
    );
  }, 1000 / aSecond);
  return async () => {
    clearInterval(timer);
    await Promise.all(calls);
    await pool.close();
  };
}
