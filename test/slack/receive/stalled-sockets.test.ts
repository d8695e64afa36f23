import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { Duplex } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

import { afterEach, expect, it, vi } from 'vitest';

import { systemClock } from '../../../src/app/process/this-process.ts';
import { createSocketMode } from '../../../src/slack/receive/socket-mode.ts';
import { recordingLog } from '../../log.ts';

const frame = (message: object): Buffer => {
  const body = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, body.length]), body]);
};
const stalling = 10;

/** Clients mask their frames, which are short here. */
function answerPings(socket: Duplex, data: Buffer): void {
  for (let at = 0; at + 6 <= data.length;) {
    const length = data.readUInt8(at + 1) % 128;
    const mask = data.subarray(at + 2, at + 6);
    const payload = data
      .subarray(at + 6, at + 6 + length)
      .map((byte, index) => byte ^ mask.readUInt8(index % 4));
    if (data.readUInt8(at) % 16 === 9) socket.write(Buffer.concat([Buffer.from([0x8a, length]), payload]));
    at += 6 + length;
  }
}

/** Slack, of which the first connections end without reading the client's close frame. */
async function stallingSlack() {
  const sockets: Duplex[] = [];
  const closed = new Set<Duplex>();
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ok: true, url: origin().replace('http', 'ws') }));
  });
  server.on('upgrade', (request, socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    for (const event of ['end', 'close']) socket.on(event, () => closed.add(socket));
    const key = `${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash('sha1').update(key).digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
    socket.write(frame({ type: 'hello', num_connections: sockets.length - closed.size }));
    if (sockets.length > stalling) return void socket.on('data', (data: Buffer) => answerPings(socket, data));
    socket.write(frame({ type: 'disconnect', reason: 'refresh_requested' }));
    socket.pause();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const origin = (): string => {
    const address = server.address();
    return typeof address === 'object' && address ? `http://127.0.0.1:${address.port}` : '';
  };
  return { sockets, closed, server, url: `${origin()}/api/` };
}

async function until(reached: () => boolean): Promise<void> {
  for (let turn = 0; turn < 20_000 && !reached(); turn += 1) {
    await nextTurn();
    if (turn % 20 === 0) await vi.advanceTimersByTimeAsync(500);
  }
}

afterEach(() => vi.useRealTimers());

it('a connection whose peer stopped reading is destroyed, so that Slack counts only those in use', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
  const slack = await stallingSlack();
  const counted: number[] = [];
  const socketMode = createSocketMode({
    appToken: () => 'xapp-test',
    slackApiUrl: slack.url,
    ownTeam: 'T0LOCAL',
    clock: systemClock,
    log: recordingLog(),
    dispatch: () => Promise.resolve({ kind: 'unknown', status: 200 }),
    onConnections: () => undefined,
    onCounted: (connections) => counted.push(connections),
    onRefused: () => undefined,
  });
  const started = socketMode.start();
  await until(() => slack.sockets.length === stalling + 2);
  await started;
  for (const socket of slack.sockets) socket.resume();
  await until(() => slack.closed.size === stalling);
  expect(slack.sockets.length - slack.closed.size).toBe(2);
  expect(counted).toHaveLength(slack.sockets.length);
  const stopped = socketMode.stop();
  await until(() => slack.closed.size === slack.sockets.length);
  for (const socket of slack.sockets) socket.destroy();
  await stopped;
  slack.server.close();
});
