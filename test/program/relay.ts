import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { Agent, request } from 'undici';

import { serve } from '../serve.ts';

/** One HTTP request as it passed, byte for byte, and what was answered to it. */
export interface Passed {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined if no answer came. */
  answer?: Answer;
}

export interface Answer {
  readonly status: number;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

/** `lost`: the connection is cut instead of answered. A function answers by itself, or never does. */
type Outcome = Answer | 'lost' | ((outgoing: ServerResponse) => void);

/** Another way than the usual one. */
interface Way {
  /** Instead of the relay's target. */
  readonly origin?: string;
  /** Given up after this many milliseconds. */
  readonly withinMs?: number;
  /** In addition to its own headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Stands between two programs: passes on what is sent, and keeps it. */
export interface Relay {
  readonly url: string;
  /** All that passed, oldest first. */
  readonly passed: readonly Passed[];
  /** Sends the same bytes once more, signature included, to wherever `target` points now. */
  again(passed: Passed, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  close(): Promise<void>;
}

/** A relay's treatment of a request; each call of `forward` passes it on. */
export type Around = (passed: Passed, forward: (way?: Way) => Promise<Answer>) => Promise<Outcome>;

const ownHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
]);

const carried = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name)));

/** @param target returns the origin to forward a request to, called for each one */
export async function startRelay(
  target: () => string,
  around: Around = (_, forward) => forward(),
): Promise<Relay> {
  const passed: Passed[] = [];
  const agent = new Agent({ connections: 256 });
  const send = async (
    { method, path, headers, body }: Passed,
    { origin = target(), withinMs, headers: also }: Way = {},
  ): Promise<Answer> => {
    const reply = await request(`${origin}${path}`, {
      dispatcher: agent,
      method,
      headers: { ...carried(headers), ...also },
      ...(body.length === 0 ? {} : { body }),
      ...(withinMs === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
    });
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: await buffer(reply.body),
    };
  };
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const one: Passed = { method, path, headers, body: await buffer(incoming) };
    passed.push(one);
    const outcome = await around(one, (way) => send(one, way));
    if (outcome === 'lost') return void incoming.socket.destroy();
    if (typeof outcome === 'function') return outcome(outgoing);
    one.answer = outcome;
    outgoing.writeHead(outcome.status, carried(outcome.headers)).end(outcome.body);
  };
  const { url, close } = await serve((incoming, outgoing) => {
    // Anyone who sent it learns of a lost connection in the same way.
    pass(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  return {
    url,
    passed,
    again: (one, headers = {}) => send(one, { headers }),
    async close() {
      await close();
      await agent.destroy();
    },
  };
}
