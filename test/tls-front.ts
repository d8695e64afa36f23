import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { z } from 'zod';

import { makeAuthority } from './certificates.ts';

/** Seen by clients: the server over TLS, an unknown certificate, no TLS at all, or another program. */
type Face = 'trusted' | 'stranger' | 'plain' | 'noise';

/** A TLS proxy in front of a PostgreSQL server, as clouds have it. */
export interface TlsFront {
  /** The address of a database behind the proxy, with a host name of its certificate. */
  urlOf(databaseUrl: string): string;
  /** Sets what clients see from now on. Cuts all open connections. */
  show(face: Face): void;
  close(): Promise<void>;
}

const authority = makeAuthority();
export const certificate = authority.cert;

const pairs = {
  trusted: authority.issue(['localhost']),
  stranger: makeAuthority('Another CA').issue(['localhost']),
} as const;

export async function startTlsFront(serverUrl: string): Promise<TlsFront> {
  let face: Face = 'trusted';
  const open = new Set<Socket>();
  const keep = (socket: Socket): void => {
    open.add(socket);
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket));
  };
  const serve = async (client: Socket): Promise<void> => {
    keep(client);
    // A client asks for TLS first, and waits for one byte.
    await once(client, 'data');
    if (face === 'plain') return void client.end('N');
    if (face === 'noise') return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    client.write('S');
    const inside = new TLSSocket(client, { isServer: true, ...pairs[face] });
    const { hostname, port } = new URL(serverUrl);
    const server = connect(Number(port), hostname);
    keep(inside);
    keep(server);
    inside.pipe(server).pipe(inside);
    inside.once('close', () => server.destroy());
    server.once('close', () => inside.destroy());
  };
  const listener = createServer((client) => {
    serve(client).catch(() => client.destroy());
  }).listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = z.object({ port: z.number() }).parse(listener.address());
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    urlOf(databaseUrl) {
      const url = new URL(databaseUrl);
      url.host = `localhost:${port}`;
      url.searchParams.set('sslmode', 'verify-full');
      return url.href;
    },
    show(next) {
      face = next;
      cut();
    },
    async close() {
      cut();
      listener.close();
      await once(listener, 'close');
    },
  };
}
