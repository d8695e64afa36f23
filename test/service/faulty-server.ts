import type { IncomingMessage, ServerResponse } from 'node:http';

import { serve } from '../serve.ts';

export type Behaviour = (response: ServerResponse, request: IncomingMessage) => void;

export interface SeenRequest {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A real HTTP server that behaves as given, and records whole requests. The last behaviour repeats. */
export async function startFaultyServer(...behaviours: Behaviour[]) {
  const seen: SeenRequest[] = [];
  const served = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() });
      behaviours[Math.min(seen.length, behaviours.length) - 1]?.(response, request);
    });
    request.on('error', () => undefined);
  });
  return { ...served, seen, [Symbol.asyncDispose]: () => served.close() };
}

export const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);

export const hang: Behaviour = () => undefined;

export const resetBeforeHeaders: Behaviour = (response) => response.socket?.resetAndDestroy();

export const closeBeforeHeaders: Behaviour = (response) => response.socket?.destroy();

const partOfBody = (response: ServerResponse, then: () => void): void => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
  response.write('{"count": 1, ', then);
};

export const resetInBody: Behaviour = (response) =>
  partOfBody(response, () => setImmediate(() => response.socket?.resetAndDestroy()));

export const closeInBody: Behaviour = (response) => partOfBody(response, () => response.socket?.destroy());

export const hangInBody: Behaviour = (response) => partOfBody(response, () => undefined);
