import { Agent } from 'undici';

import { BellhopError } from '../../model/errors.ts';
import { type Area, type CallKind, type EndpointName, endpoints } from '../schemas/endpoints.ts';
import type { Attempt } from '../../http/attempt.ts';
import { Bulkhead, CircuitBreaker } from './bulkhead-and-breaker.ts';
import type { CallObserver } from './call-observer.ts';
import { Deadline } from '../../http/deadline.ts';
import { exchange } from '../../http/exchange.ts';
import { type RetryPorts, type Timings, withRetries } from './timings.ts';

/** What goes with every call. */
export interface CallContext {
  /** Sent as `X-Request-Id`. */
  readonly correlationId: string;
  /** Gives the call up: not sent, or of unknown outcome where it was a change and bytes had left. */
  readonly signal?: AbortSignal | undefined;
  /** Asked right before the first byte of every attempt: where false, nothing of it is sent. Without it: always. */
  readonly maySend?: (() => boolean) | undefined;
}

export interface CallRequest {
  readonly endpoint: EndpointName;
  /** Encoded, without the prefix of the base URL, with the query string if any. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Of the body: hidden in whatever the service says about it. */
  readonly secrets?: readonly string[];
}

/** Sends a call within something else, such as a span, with more headers. */
export type AroundCall = (
  endpoint: EndpointName,
  send: (headers: Readonly<Record<string, string>>) => Promise<Sent>,
) => Promise<Sent>;

export interface SenderOptions extends CallObserver {
  readonly baseUrl: string;
  /** Those of the moment: one, or while they are rotated the new one and the old one. */
  readonly apiKeys: () => readonly string[];
  readonly around?: AroundCall | undefined;
}

export interface Sent {
  /** The attempt that decides. */
  readonly attempt: Attempt;
  /** How many were tried; 0 where none was let through. */
  readonly attempts: number;
}

interface CallSender {
  /** Resolves always, at the latest when the deadline of the call ends. */
  send(request: CallRequest, context: CallContext): Promise<Sent>;
  close(): Promise<void>;
}

/** Sends calls to one host: slot, then the breaker of its area, then retries, all under one deadline. */
export function createSender(options: SenderOptions, timings: Timings, ports: RetryPorts): CallSender {
  const { origin, prefix } = parseBaseUrl(options.baseUrl);
  options.apiKeys().forEach(refuseUnusable);
  const agents = createAgents(timings);
  // Each kind has its own slots, so that hanging queries hold up no change.
  const slots = () => new Bulkhead(timings.slots, timings.slots * timings.queuePerSlot);
  const bulkheads: Record<CallKind, Bulkhead> = { query: slots(), change: slots() };
  const breakerOf = (area: Area) =>
    new CircuitBreaker({ failures: timings.breakerFailures, openMs: timings.breakerOpenMs }, (open) => {
      if (open) {
        options.logger?.warn({ host: origin, area }, 'circuit breaker open: calls to this area are paused');
      }
      options.onBreaker?.(open, area);
    });
  const breakers: Record<Area, CircuitBreaker> = {
    cloud: breakerOf('cloud'),
    cdn: breakerOf('cdn'),
    storage: breakerOf('storage'),
  };
  const around: AroundCall = options.around ?? ((_, send) => send({}));
  return {
    send: ({ endpoint, path, body }, context) =>
      around(endpoint, async (more) => {
        const { area, kind, method } = endpoints[endpoint];
        const json = body === undefined ? {} : { 'content-type': 'application/json' };
        const outgoing = {
          origin,
          path: prefix + path,
          method,
          headers: { ...commonHeaders, ...json, ...more, 'x-request-id': context.correlationId },
          body: body === undefined ? undefined : JSON.stringify(body),
        };
        using deadline = new Deadline(timings.deadlineMs, context.signal);
        let attempts = 0;
        const once = (last: boolean): Promise<Attempt> => {
          attempts += 1;
          const firstByteMs = last || kind === 'change' ? 0 : timings.firstByteMs;
          return withKeys(options.apiKeys(), (authorization) => {
            const keyed = { ...outgoing, headers: { ...outgoing.headers, authorization } };
            return exchange(agents[kind], keyed, deadline, { firstByteMs, maySend: context.maySend });
          });
        };
        const attempt = await bulkheads[kind].run(deadline, () =>
          breakers[area].run(deadline, () => withRetries(kind, deadline, timings, ports, once)),
        );
        return { attempt, attempts };
      }),
    async close() {
      await Promise.all([agents.query.close(), agents.change.close()]);
    },
  };
}

/**
 * Queries reuse connections: one that the service closed meanwhile costs a retry. Changes take a fresh connection
 * each: on a stale one a reset would leave the outcome unknown for nothing, and they are rare enough to pay for it.
 * HTTP/1.1 only, because undici repeats HTTP/2 streams by itself after a GOAWAY.
 */
function createAgents(timings: Timings): Record<CallKind, Agent> {
  const limits = {
    allowH2: false,
    connect: { timeout: timings.connectMs },
    maxResponseSize: timings.maxBodyBytes,
  };
  return {
    query: new Agent({ ...limits, pipelining: 1, keepAliveMaxTimeout: 60_000 }),
    change: new Agent({ ...limits, pipelining: 0 }),
  };
}

const commonHeaders = { accept: 'application/json', 'user-agent': 'bellhop' };

/** A service that answers 401 has done nothing, so that the old key may be shown after the new one. */
async function withKeys(
  [key = '', old]: readonly string[],
  send: (authorization: string) => Promise<Attempt>,
): Promise<Attempt> {
  const attempt = await send(`apikey ${key}`);
  const isRefused = attempt.kind === 'answer' && attempt.status === 401;
  return isRefused && old !== undefined ? send(`apikey ${old}`) : attempt;
}

function refuseUnusable(apiKey: string): void {
  if (!/^[\x21-\x7E]+$/.test(apiKey)) {
    throw new BellhopError('configuration', 'API_KEY must be printable ASCII characters without spaces.');
  }
}

interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** A path prefix without a trailing slash, or "". */
  readonly prefix: string;
}

/**
 * Reads `API_BASE_URL`: http or https, perhaps a path prefix and a trailing slash.
 * @throws BellhopError `configuration` naming the variable; the value is never repeated, it may hold a password.
 */
function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must be an http or https address, like https://host/prefix.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new BellhopError(
      'configuration',
      'API_BASE_URL must not hold a user name or password: put the key into API_KEY.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw new BellhopError('configuration', 'API_BASE_URL must end before any "?" or "#".');
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') };
}
