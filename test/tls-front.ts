import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

import { z } from 'zod';

/** What meets whoever connects: the server over TLS, a certificate that nobody knows, no TLS at all, or another program. */
type Face = 'trusted' | 'stranger' | 'plain' | 'noise';

/** Stands before a PostgreSQL server and speaks TLS with its clients, as a proxy of a cloud does. */
export interface TlsFront {
  /** The address of a database behind it, by a host name that its certificate has. */
  urlOf(databaseUrl: string): string;
  /** From now on; all that are connected are cut off. */
  show(face: Face): void;
  close(): Promise<void>;
}

/** For `localhost`, its own authority, of nobody else: made for these tests with openssl, valid for a hundred years. */
export const certificate = `-----BEGIN CERTIFICATE-----
MIIBljCCATugAwIBAgIUL5LcrZ2uNPHVmWnVS6+8NqTbBO0wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjE0MDAyMloYDzIxMjYxMDI5
MTQwMDIyWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASLMCsrq/gdpSuMq/pdfBA9Mh0AOXAFaWBSpsV7d0KziHP+0dORKN/0
DNBJqjSHZz8QkyYZuzrBnL+wcbYS0DO1o2kwZzAdBgNVHQ4EFgQUS27Min08Fx8h
1uw+hOzT81FPcOEwHwYDVR0jBBgwFoAUS27Min08Fx8h1uw+hOzT81FPcOEwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SQAwRgIhAJM5nvymgOYzKGv3B2lUkVIz//ALbW/bOHD1Wyql7LcBAiEA5CRIB8WN
O+JE1vB5UgvISgXzAjgmYR/SGcaasia41rA=
-----END CERTIFICATE-----
`;
const key = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7Xo5CYWLTV2HUKdh
t2Tj8h9NPjwWH59bcugX+16KxgahRANCAASLMCsrq/gdpSuMq/pdfBA9Mh0AOXAF
aWBSpsV7d0KziHP+0dORKN/0DNBJqjSHZz8QkyYZuzrBnL+wcbYS0DO1
-----END PRIVATE KEY-----
`;

const strangerCertificate = `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUEtXUoVlg6blzQNdT873MN73fc0AwCgYIKoZIzj0EAwIw
GjEYMBYGA1UEAwwPYW5vdGhlci5leGFtcGxlMCAXDTI2MTEyMjE0MDAyMloYDzIx
MjYxMDI5MTQwMDIyWjAaMRgwFgYDVQQDDA9hbm90aGVyLmV4YW1wbGUwWTATBgcq
hkjOPQIBBggqhkjOPQMBBwNCAAQbTEvipwQ6RYXmERPLJTlkDOvzboto2wSqIY7x
ujGk5Ly7prvnfz26KQCPxqritnj+IaKZCthSdbsp/KdgTB8io2kwZzAdBgNVHQ4E
FgQUJOblcap1fjlLT+knvDYejW6PbRcwHwYDVR0jBBgwFoAUJOblcap1fjlLT+kn
vDYejW6PbRcwDwYDVR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3Qw
CgYIKoZIzj0EAwIDSAAwRQIhAMH4HShAGQBxZEtvoRJojU3aUSwrpM8yPZV+5WwK
REwUAiAvh8moO0/4nXmVlyRaF37eVVwg8vJLAlYab76l+iGG/Q==
-----END CERTIFICATE-----
`;
const strangerKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgl40UMeK1VRZkvOU5
OKxI0Z3GRvbeTxbLh6SgreueqBmhRANCAAQbTEvipwQ6RYXmERPLJTlkDOvzboto
2wSqIY7xujGk5Ly7prvnfz26KQCPxqritnj+IaKZCthSdbsp/KdgTB8i
-----END PRIVATE KEY-----
`;

const pairs = {
  trusted: { cert: certificate, key },
  stranger: { cert: strangerCertificate, key: strangerKey },
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
