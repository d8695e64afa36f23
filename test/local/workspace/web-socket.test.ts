import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acceptWebSocket } from '../../../src/local/workspace/web-socket.ts';
import { until } from './stage.ts';

const HANDSHAKE = [
  'GET / HTTP/1.1',
  'Host: 127.0.0.1',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

let server: Server;
let client: Socket;
let heard: string[];
let closed: boolean;
let bytes: Buffer;
beforeEach(async () => {
  [heard, closed, bytes] = [[], false, Buffer.alloc(0)];
  server = createServer();
  server.on('upgrade', (request, socket) =>
    acceptWebSocket(request, socket, { message: (text) => heard.push(text), close: () => (closed = true) }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  client = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1');
  client.on('data', (chunk: Buffer) => (bytes = Buffer.concat([bytes, chunk])));
});
afterEach(() => {
  client.destroy();
  server.close();
});

async function shakeHands(lines = HANDSHAKE): Promise<string> {
  client.write(`${lines.join('\r\n')}\r\n\r\n`);
  await until(() => bytes.includes('\r\n\r\n'));
  const answer = bytes.toString('latin1');
  bytes = Buffer.alloc(0);
  return answer;
}

/** A frame as a browser sends it, with a mask that changes every byte. */
function masked(opcode: number, text: string, final = true): Buffer {
  const payload = Buffer.from(text);
  const mask = Buffer.from([1, 2, 3, 4]);
  const body = payload.map((byte, index) => byte ^ mask.readUInt8(index % 4));
  return Buffer.concat([Buffer.from([(final ? 0x80 : 0) | opcode, 0x80 | payload.length]), mask, body]);
}

describe('a WebSocket', () => {
  // The key and its answer are the example of RFC 6455, section 1.3.
  it('is agreed on as the standard says', async () => {
    expect(await shakeHands()).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
  });

  it('is not had without a key', async () => {
    const answer = await shakeHands(HANDSHAKE.filter((line) => !line.startsWith('Sec-WebSocket-Key')));
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
  });

  it('puts together what comes in fragments, in pieces and with pings between', async () => {
    await shakeHands();
    const all = Buffer.concat([masked(1, 'Grü', false), masked(9, 'hi'), masked(0, 'ße'), masked(1, 'two')]);
    client.setNoDelay(true);
    await new Promise((resolve) => {
      client.write(all.subarray(0, 5), resolve);
    });
    client.write(all.subarray(5));
    await until(() => heard.length === 2);
    expect(heard).toEqual(['Grüße', 'two']);
    expect([...bytes]).toEqual([0x8a, 2, ...Buffer.from('hi')]);
  });

  it.each([
    ['without a mask', Buffer.from([0x81, 1, 65]), 1_002],
    ['in binary', masked(2, 'x'), 1_002],
    ['of more than a mebibyte', Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x10, 0, 0, 0, 1, 2, 3, 4]), 1_009],
  ])('ends when a frame comes %s', async (_name, frame, code) => {
    await shakeHands();
    client.write(Buffer.concat([frame, masked(1, 'after')]));
    await until(() => bytes.length >= 4);
    expect([...bytes.subarray(0, 4)]).toEqual([0x88, 2, code >> 8, code & 0xff]);
    expect(heard).toEqual([]);
    client.end();
    await until(() => closed);
  });

  it('is closed by a close, which is answered', async () => {
    await shakeHands();
    client.write(masked(8, ''));
    await until(() => bytes.length >= 4);
    expect([...bytes]).toEqual([0x88, 2, 0x03, 0xe8]);
  });
});
