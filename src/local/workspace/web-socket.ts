import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** The server's end of a WebSocket that carries text. Source: RFC 6455. */
export interface WebSocketConnection {
  send(text: string): void;
  ping(): void;
  close(code: number): void;
  /** Ends it without a word, as a network that is lost. */
  cut(): void;
}
export interface WebSocketEvents {
  message(text: string): void;
  close(): void;
}

const HANDSHAKE_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';
const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const MOST_BYTES = 1024 * 1024;
const NORMAL = 1_000;
const PROTOCOL_ERROR = 1_002;
const TOO_BIG = 1_009;

/** Answers an upgrade request; undefined, with 400 on the wire, if it is none. */
export function acceptWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  events: WebSocketEvents,
): WebSocketConnection | undefined {
  const key = request.headers['sec-websocket-key'];
  if (request.headers.upgrade?.toLowerCase() !== 'websocket' || key === undefined) {
    socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    return undefined;
  }
  const accept = createHash('sha1')
    .update(key + HANDSHAKE_GUID)
    .digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const write = (opcode: number, payload: Uint8Array) =>
    void (socket.writable && socket.write(frame(opcode, payload)));
  const close = (code: number) => {
    write(OPCODE.close, Buffer.from([code >> 8, code & 0xff]));
    socket.end();
  };
  const read = frameReader({
    text: (text) => events.message(text),
    ping: (payload) => write(OPCODE.pong, payload),
    end: close,
  });
  socket.on('data', read);
  socket.on('error', () => socket.destroy());
  socket.once('close', () => events.close());
  return {
    send: (text) => write(OPCODE.text, Buffer.from(text)),
    ping: () => write(OPCODE.ping, Buffer.alloc(0)),
    close,
    cut: () => socket.destroy(),
  };
}

/** A frame from the server: whole, not masked. */
function frame(opcode: number, payload: Uint8Array): Buffer {
  const { length } = payload;
  const long = length < 126 ? 0 : length < 65_536 ? 2 : 8;
  const header = Buffer.alloc(2 + long);
  header[0] = 0x80 | opcode;
  header[1] = long === 0 ? length : long === 2 ? 126 : 127;
  if (long === 2) header.writeUInt16BE(length, 2);
  if (long === 8) header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

interface Frame {
  readonly final: boolean;
  readonly opcode: number;
  readonly masked: boolean;
  readonly payload: Buffer;
  /** Bytes that the frame takes. */
  readonly size: number;
}

/** The first whole frame of what has come, undefined while it is incomplete. */
function parseFrame(bytes: Buffer): Frame | 'too big' | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  const short = second & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const start = 2 + extra + (masked ? 4 : 0);
  if (bytes.length < start) return undefined;
  const length = extra === 0 ? short : extra === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
  if (length > MOST_BYTES) return 'too big';
  if (bytes.length < start + length) return undefined;
  const payload = Buffer.from(bytes.subarray(start, start + length));
  if (masked)
    for (let i = 0; i < length; i += 1)
      payload[i] = payload.readUInt8(i) ^ bytes.readUInt8(start - 4 + (i % 4));
  return { final: (first & 0x80) !== 0, opcode: first & 0x0f, masked, payload, size: start + length };
}

interface FrameSink {
  text(text: string): void;
  ping(payload: Uint8Array): void;
  /** The connection is to end with this code. */
  end(code: number): void;
}

/** Puts frames and messages together from what comes, until the connection ends. */
function frameReader(sink: FrameSink): (chunk: Buffer) => void {
  let pending = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let ended = false;
  function end(code: number): void {
    ended = true;
    sink.end(code);
  }
  function take({ final, opcode, masked, payload }: Frame): void {
    if (!masked || opcode === OPCODE.binary) return end(PROTOCOL_ERROR);
    if (opcode === OPCODE.close) return end(NORMAL);
    if (opcode === OPCODE.ping) return sink.ping(payload);
    if (opcode !== OPCODE.text && opcode !== OPCODE.continuation) return undefined;
    parts.push(payload);
    if (parts.reduce((sum, part) => sum + part.length, 0) > MOST_BYTES) return end(TOO_BIG);
    if (!final) return undefined;
    const whole = Buffer.concat(parts);
    parts = [];
    return sink.text(whole.toString('utf8'));
  }
  return (chunk) => {
    if (ended) return;
    pending = Buffer.concat([pending, chunk]);
    while (!ended) {
      const next = parseFrame(pending);
      if (next === 'too big') return end(TOO_BIG);
      if (next === undefined) return;
      pending = pending.subarray(next.size);
      take(next);
    }
  };
}
