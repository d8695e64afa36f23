import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

import { z } from 'zod';

/** Passes on bytes between a client and a server, as a NAT gateway or a load balancer does. */
export interface ByteRelay {
  /** The address of a database behind it. */
  urlOf(databaseUrl: string): string;
  /** Passes no more bytes on the open connections, and closes none of them. New connections work. */
  stall(): void;
  /** The connections that have been opened so far. */
  opened(): number;
  /** The first bytes of each connection. */
  readonly greetings: readonly Buffer[];
  close(): Promise<void>;
}

/** @param reset cuts a connection in both directions, after the chunk of the client for which this returns true */
export async function startByteRelay(
  serverUrl: string,
  reset: (chunk: Buffer) => boolean = () => false,
): Promise<ByteRelay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  const greetings: Buffer[] = [];
  const listener = createServer((client) => {
    const { hostname, port } = new URL(serverUrl);
    const server = connect(Number(port), hostname);
    const pair = [client, server] as const;
    pairs.add(pair);
    for (const socket of pair) socket.on('error', () => socket.destroy());
    client.once('data', (chunk: Buffer) => greetings.push(chunk));
    client.on('data', (chunk: Buffer) => {
      server.write(chunk);
      if (reset(chunk)) pair.forEach((socket) => socket.destroy());
    });
    server.on('data', (chunk) => client.write(chunk));
    client.once('close', () => server.destroy());
    server.once('close', () => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = z.object({ port: z.number() }).parse(listener.address());
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      [url.hostname, url.port] = ['127.0.0.1', String(port)];
      return url.href;
    },
    stall() {
      for (const pair of pairs) for (const socket of pair) socket.removeAllListeners('data').pause();
    },
    opened: () => greetings.length,
    greetings,
    async close() {
      for (const pair of pairs) for (const socket of pair) socket.destroy();
      listener.close();
      await once(listener, 'close');
    },
  };
}
