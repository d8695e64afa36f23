import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { Agent, request } from 'undici';

import { serve } from '../serve.ts';

/** One HTTP request byte for byte as it passed, and its answer. */
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

/** `lost`: the connection is cut instead of answered. A function answers by itself, or never. */
type Outcome = Answer | 'lost' | ((outgoing: ServerResponse) => void);

/** A different way to pass a request on. */
interface Way {
  /** The origin in place of the relay's target. */
  readonly origin?: string;
  /** The request is given up after this many milliseconds. */
  readonly withinMs?: number;
  /** Headers in addition to those of the request. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A proxy between two programs, which records what it passes on. */
export interface Relay {
  readonly url: string;
  /** All requests that passed, oldest first. */
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

/** @param target returns the origin to which a request is passed on; called for each request */
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
    // The sender sees a lost connection in the same way.
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
