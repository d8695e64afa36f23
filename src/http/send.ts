import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

import { isLoopback } from '../text/host.ts';
import { httpDate } from '../text/moments.ts';
import { clientOfProxy } from './tunnel.ts';
import {
  type Answer,
  type Attempt,
  exchange,
  largestAnswer,
  type ResponseHeaders,
  Deadline,
} from './exchange.ts';

/** In milliseconds. Limits TCP and TLS together, once to the proxy and once more through the proxy. */
const connectMs = 3_000;

const standard = { connections: 20, keepAliveTimeout: 30_000, maxResponseSize: largestAnswer };

/**
 * Connections to a host, kept open unless the options say otherwise. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply, except to this
 * machine and to unix sockets. Only HTTP/1.1, because undici repeats HTTP/2 streams by itself after a GOAWAY.
 */
export function dispatcherFor(
  url: string | URL,
  options: Omit<Agent.Options, 'connect' | 'allowH2'> = standard,
  timeout = connectMs,
): Dispatcher {
  const { protocol, hostname, pathname } = new URL(url);
  const isSocket = protocol === 'unix:';
  const connect = { timeout, ...(isSocket && { socketPath: decodeURIComponent(pathname) }) };
  const settings = { ...options, connect, allowH2: false };
  if (isSocket || isLoopback(hostname)) return new Agent(settings);
  return new EnvHttpProxyAgent({
    ...settings,
    requestTls: connect,
    proxyTls: connect,
    clientFactory: (proxy) => clientOfProxy(proxy, timeout),
  });
}

export interface SendOptions {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** In milliseconds, for the whole exchange. Default: 10 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Default: a new dispatcher, closed afterwards. */
  readonly dispatcher?: Dispatcher;
  /** In bytes. A longer answer fails as `too-large`. */
  readonly largest?: number;
  readonly enough?: number;
}

/** Follows no redirect, which could leak a token, and repeats nothing. Never rejects. */
export async function sendOnce(
  url: string | URL,
  { method = 'GET', headers, body, timeoutMs = 10_000, signal, dispatcher, largest, enough }: SendOptions,
): Promise<Attempt> {
  const { origin, pathname, search } = new URL(url);
  const sent = {
    origin,
    path: pathname + search,
    method,
    headers: { 'user-agent': 'bellhop', ...headers },
    body,
  };
  const own = dispatcher ?? dispatcherFor(url, { ...standard, ...(largest && { maxResponseSize: largest }) });
  using deadline = new Deadline(timeoutMs, signal);
  try {
    return await exchange(own, sent, deadline, { enough, largest });
  } finally {
    if (!dispatcher) await own.destroy();
  }
}

const withoutBody: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * For libraries that expect the result of `fetch`.
 * @param as undici's class where possible, because the first use of Node's own loads a second undici, which costs 16 MB and 30 ms
 */
export const responseOf = <Response>(
  { status, headers, body }: Answer,
  as: new (
    body: Uint8Array<ArrayBuffer> | null,
    init: { status: number; headers: [string, string][] },
  ) => Response,
): Response =>
  new as(withoutBody.has(status) ? null : new Uint8Array(body), {
    status,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  });

/**
 * In milliseconds. Undefined if the header is missing or invalid. A date is compared with the response's own `Date`, so that different
 * clocks do no harm. Source: RFC 9110, 10.2.3.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = httpDate(text);
  if (until === undefined) return undefined;
  const sent = typeof headers['date'] === 'string' ? httpDate(headers['date']) : undefined;
  return Math.max(0, until - (sent ?? now));
}

/** In milliseconds. Doubles each time, and up to half is random. */
export const backoffMs = (
  baseMs: number,
  retries: number,
  { random }: { readonly random: () => number },
): number => baseMs * 2 ** retries * (0.5 + random() / 2);
