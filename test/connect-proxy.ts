import { connect, type Socket } from 'node:net';
import { createServer, type Server as TlsServer, type TLSSocket } from 'node:tls';
import { once } from 'node:events';

import { z } from 'zod';

import type { Certificate } from './certificates.ts';
import { serve } from './serve.ts';

const listening = z.object({ port: z.number() });

/**
 * How the proxy treats connections from now on: it opens tunnels, refuses them with a status, keeps silent, or hangs
 * up.
 */
type Manner = 'open' | number | 'silent' | 'hang up';

/** An HTTP proxy that opens tunnels (CONNECT), all of them to one port of this machine, whatever the requested host. */
export async function startConnectProxy(port: () => number) {
  let manner: Manner = 'open';
  const asked: string[] = [];
  const open = new Set<Socket>();
  const keep = (socket: Socket): Socket =>
    socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket));
  const { url, close, server } = await serve((_, response) => void response.writeHead(400).end());
  server.on('connect', (request, client: Socket) => {
    asked.push(String(request.url));
    open.add(keep(client));
    if (manner === 'silent') return;
    if (manner === 'hang up') return void client.destroy();
    if (manner !== 'open') return void client.end(`HTTP/1.1 ${manner} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(port(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
    open.add(keep(target));
    client.once('close', () => target.destroy());
    target.once('close', () => client.destroy());
  });
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    url,
    /** The requested address: `api.example.com:443`. */
    asked,
    behave: (next: Manner): void => void (manner = next),
    /** From now on, all bytes that pass through the proxy are lost. */
    cut,
    async close() {
      cut();
      await close();
    },
  };
}

/** A TLS server in front of a server of this machine that has no TLS. */
export async function startTlsBefore(port: () => number, first: Certificate, host = '127.0.0.1') {
  const open = new Set<Socket>();
  // A client that chose HTTP/2 would not be understood by the server behind.
  const offered = { ALPNProtocols: ['h2', 'http/1.1'] };
  const server: TlsServer = createServer({ ...offered, ...first }, (client) => {
    const inside = connect(port(), '127.0.0.1');
    for (const socket of [client, inside])
      open.add(socket.on('error', () => socket.destroy()).once('close', () => open.delete(socket)));
    client.pipe(inside).pipe(client);
    client.once('close', () => inside.destroy());
    inside.once('close', () => client.destroy());
  });
  server.on('tlsClientError', (_, socket: TLSSocket) => socket.destroy());
  server.listen(0, host);
  await once(server, 'listening');
  const cut = (): void => open.forEach((socket) => socket.destroy());
  return {
    port: listening.parse(server.address()).port,
    /** Shows another certificate from now on. Cuts open connections. */
    show(certificate: Certificate): void {
      server.setSecureContext({ ...offered, ...certificate });
      cut();
    },
    async close() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
