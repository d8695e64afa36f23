import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { APP } from '../conversations/directory.ts';
import type { Ids } from '../ids.ts';
import type { Answer, Carrier, Delivery, Redelivery } from './delivery.ts';
import { readJson } from '../page-api/read-json.ts';

/** Socket Mode: apps connect and receive envelopes. Source: docs.slack.dev/apis/events-api/using-socket-mode. */
export interface SocketMode {
  /** The path and query of a URL that is valid for one connection. */
  ticket(): string;
  /** Handles an upgrade request. `head` has the bytes that arrived with it. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  connected(): boolean;
  /** Sends to the open connections in turn. */
  carry: Carrier;
  /** Asks every client to reconnect, as Slack does every few hours. */
  refresh(): void;
  /** Drops a connection like a network failure, at random. */
  cut(): void;
  close(): void;
}

const MOST_CONNECTIONS = 10;
const REFRESH_AFTER_MS = 3 * 60 * 60_000;
const PING_EVERY_MS = 5_000;
const MOST_BYTES = 1024 * 1024;
/** Close codes. Source: RFC 6455, 7.4.1. */
const NORMAL = 1_000;
const GOING_AWAY = 1_001;
const CANNOT_ACCEPT = 1_003;

export function createSocketMode(clock: Clock, ids: Ids): SocketMode {
  const tickets = new Set<string>();
  const acks = createAcks();
  const pool = createPool(clock, acks);
  return {
    ticket() {
      const ticket = ids.secret();
      tickets.add(ticket);
      return `/link/?ticket=${ticket}&app_id=${APP.id}`;
    },
    upgrade(request, socket, head) {
      const ticket = new URL(request.url ?? '/', 'ws://local').searchParams.get('ticket') ?? '';
      if (tickets.delete(ticket)) pool.admit(request, socket, head);
      else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
    },
    connected: () => pool.ready().length > 0,
    carry(delivery, retry, signal) {
      const connection = pool.next();
      if (connection === undefined) return Promise.reject(new Error('no Socket Mode connection'));
      const envelope_id = ids.secret();
      const answer = acks.wait(envelope_id, connection, signal);
      connection.send(JSON.stringify(envelope(envelope_id, delivery, retry)));
      return answer;
    },
    refresh: () => pool.ready().forEach(pool.refresh),
    cut: () => pool.next()?.terminate(),
    close: () => pool.close(),
  };
}

/** The connections that are open. */
function createPool(clock: Clock, acks: Acks) {
  const server = new WebSocketServer({ noServer: true, maxPayload: MOST_BYTES });
  const connections = new Map<WebSocket, 'ready' | 'leaving'>();
  const ready = () =>
    [...connections].filter(([, state]) => state === 'ready').map(([connection]) => connection);
  const pings = setInterval(() => ready().forEach((connection) => connection.ping()), PING_EVERY_MS).unref();
  let turn = 0;
  const refresh = (connection: WebSocket) => {
    if (connections.get(connection) !== 'ready') return;
    connections.set(connection, 'leaving');
    connection.send(
      JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: { host: 'local' } }),
    );
  };
  return {
    ready,
    refresh,
    next(): WebSocket | undefined {
      const open = ready();
      turn += 1;
      return open[turn % Math.max(open.length, 1)];
    },
    admit(request: IncomingMessage, socket: Duplex, head: Buffer): void {
      server.handleUpgrade(request, socket, head, (connection) => {
        connection.on('message', (data, isBinary) => {
          if (isBinary || !Buffer.isBuffer(data)) connection.close(CANNOT_ACCEPT);
          else acks.take(data.toString('utf8'));
        });
        // Anything too large or outside the protocol closes the connection.
        connection.on('error', () => undefined);
        connection.once('close', () => {
          connections.delete(connection);
          acks.lose(connection);
        });
        if (ready().length >= MOST_CONNECTIONS) {
          connection.send(JSON.stringify({ type: 'disconnect', reason: 'too_many_websockets' }));
          return connection.close(NORMAL);
        }
        connections.set(connection, 'ready');
        clock.at(clock.now() + REFRESH_AFTER_MS, () => refresh(connection));
        return connection.send(hello(ready().length));
      });
    },
    close(): void {
      clearInterval(pings);
      for (const connection of connections.keys()) connection.close(GOING_AWAY);
    },
  };
}

function envelope(envelope_id: string, { kind, payload }: Delivery, retry: Redelivery | undefined) {
  const retried = { retry_attempt: retry?.number ?? 0, retry_reason: retry?.reason ?? '' };
  const isEvent = kind === 'events_api';
  return {
    envelope_id,
    type: kind,
    payload,
    accepts_response_payload: !isEvent,
    ...(isEvent ? retried : {}),
  };
}

const ackSchema = z.looseObject({ envelope_id: z.string(), payload: z.unknown().optional() });

type Acks = ReturnType<typeof createAcks>;

/** Envelopes that are waiting for their acknowledgement. */
function createAcks() {
  const waiting = new Map<string, { connection: WebSocket; answer: PromiseWithResolvers<Answer> }>();
  return {
    wait(envelope_id: string, connection: WebSocket, signal: AbortSignal): Promise<Answer> {
      const answer = Promise.withResolvers<Answer>();
      waiting.set(envelope_id, { connection, answer });
      signal.addEventListener('abort', () => {
        waiting.delete(envelope_id);
        answer.reject(new Error('operation_timeout'));
      });
      return answer.promise;
    },
    take(text: string): void {
      const ack = ackSchema.safeParse(readJson(text));
      if (!ack.success) return;
      const { envelope_id, payload } = ack.data;
      waiting
        .get(envelope_id)
        ?.answer.resolve({ status: 200, text: JSON.stringify(payload ?? {}), noRetry: false });
      waiting.delete(envelope_id);
    },
    lose(connection: WebSocket): void {
      for (const [id, one] of waiting) {
        if (one.connection !== connection) continue;
        waiting.delete(id);
        one.answer.reject(new Error('the connection was closed'));
      }
    },
  };
}

function hello(connections: number): string {
  return JSON.stringify({
    type: 'hello',
    num_connections: connections,
    connection_info: { app_id: APP.id },
    debug_info: { host: 'local', approximate_connection_time: REFRESH_AFTER_MS / 1_000 },
  });
}
