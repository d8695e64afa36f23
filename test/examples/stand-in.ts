import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';

import { onTestFinished } from 'vitest';

import { serve } from '../serve.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export interface Call {
  readonly method: string;
  /** The path with its query. */
  readonly path: string;
  readonly type: string;
  readonly body: unknown;
  readonly authorization: string;
}

export interface Reply {
  readonly status: number;
  /** Sent as JSON, bytes as they are. */
  readonly body?: unknown;
}

export type Answer = (call: Call) => Reply | Promise<Reply>;

/** Forwards calls to the real service in place of a stand-in. */
export const forwardTo =
  (url: string): Answer =>
  async ({ method, path, type, body, authorization }) => {
    const headers = { 'content-type': type, authorization };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...sent });
    return { status: response.status, body: new Uint8Array(await response.arrayBuffer()) };
  };

/** Forwards calls to the real service at a unix socket. */
export const forwardToSocket =
  (socketPath: string): Answer =>
  async ({ method, path }) => {
    const sent = request({ socketPath, method, path }).end();
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve).once('error', reject);
    });
    return { status: response.statusCode ?? 500, body: new Uint8Array(await buffer(response)) };
  };

/** A call by someone else. */
export async function ask(answer: Answer, method: string, path: string, body?: unknown): Promise<unknown> {
  const reply = await answer({ method, path, type: 'application/json', authorization: '', body });
  if (reply.status > 299) throw new Error(`${method} ${path}: ${reply.status} ${String(reply.body)}`);
  if (!(reply.body instanceof Uint8Array)) return reply.body;
  const text = new TextDecoder().decode(reply.body);
  return text === '' ? undefined : JSON.parse(text);
}

/** A fault of the next change. */
export interface Fault {
  /** Whether the service makes the change despite the fault. */
  readonly effect: boolean;
  /** How the answer ends: a status, no answer, or a closed connection. */
  readonly end: number | 'hangs' | 'resets';
}

/** The service of an example. A test decides what goes wrong. */
export interface Faulty {
  /** The address for bellhop.yaml. */
  readonly address: string;
  /** The changes that arrived, such as `DELETE /api/v2/silence/…`. */
  readonly changes: string[];
  fault: Fault | undefined;
  /** Called right before the next change is made. */
  before?: (() => void) | undefined;
  /** Whether a change never gets an answer. */
  hangs: boolean;
  close(): Promise<void>;
}

/** Serves a stand-in over HTTP. Faults concern only changes, which are all but GET. */
export async function serveStandIn(
  answer: Answer,
  { socket = false }: { readonly socket?: boolean } = {},
): Promise<Faulty> {
  const changes: string[] = [];
  const listener: Parameters<typeof serve>[0] = (incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    // A test may end while the real service is called.
    incoming.on('end', () => void reply().catch(() => incoming.socket.destroy()));
    const reply = async (): Promise<void> => {
      const { method = '', url: path = '', headers } = incoming;
      const text = Buffer.concat(chunks).toString();
      const { authorization = '', 'content-type': type = '' } = headers;
      const body: unknown = text === '' ? undefined : JSON.parse(text);
      const call = { method, path, type, authorization, body };
      const isChange = method !== 'GET';
      const fault = isChange ? faulty.fault : undefined;
      if (isChange) {
        changes.push(`${method} ${path}`);
        faulty.fault = undefined;
        faulty.before?.();
        faulty.before = undefined;
      }
      const replied = fault && !fault.effect ? { status: 500 } : await answer(call);
      if (fault?.end === 'hangs') {
        faulty.hangs = true;
        return;
      }
      if (fault?.end === 'resets') return void incoming.socket.destroy();
      const bytes =
        fault !== undefined ? JSON.stringify({ message: `It says ${fault.end}.` }) : bytesOf(replied);
      response.writeHead(fault?.end ?? replied.status, { 'content-type': 'application/json' });
      response.end(bytes);
    };
  };
  const { address, close } = socket ? await onSocket(listener) : await onPort(listener);
  const faulty: Faulty = { address, changes, fault: undefined, hangs: false, close };
  onTestFinished(close);
  return faulty;
}

const bytesOf = ({ body }: Reply): string | Uint8Array =>
  body instanceof Uint8Array ? body : body === undefined ? '' : JSON.stringify(body);

async function onPort(listener: Parameters<typeof serve>[0]) {
  const { url, close } = await serve(listener);
  return { address: url, close };
}

async function onSocket(listener: Parameters<typeof serve>[0]) {
  const path = join(temporaryFolder(), 'api.sock');
  const server: Server = createServer(listener);
  await once(server.listen(path), 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await Promise.resolve();
  };
  return { address: `unix:${path}`, close };
}
