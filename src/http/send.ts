import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici';

import { isLoopback } from '../model/host.ts';
import { type Attempt, exchange } from './exchange.ts';
import { Deadline } from './deadline.ts';

/** The limit for answers of anything but the service, so that none fills the memory. */
const largestAnswer = 8 * 1024 * 1024;

/**
 * Kept connections. `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` apply, except to this machine itself.
 * @param largest bytes of one answer
 */
export function dispatcherFor(url: string | URL, largest = largestAnswer): Dispatcher {
  const settings = {
    connections: 20,
    connect: { timeout: 3_000 },
    keepAliveTimeout: 30_000,
    maxResponseSize: largest,
  };
  return isLoopback(new URL(url).hostname) ? new Agent(settings) : new EnvHttpProxyAgent(settings);
}

export interface SendOptions {
  readonly method?: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Total timeout. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Aborts it earlier. */
  readonly signal?: AbortSignal;
  /** The connections to use. Default: a new one, closed afterwards. */
  readonly dispatcher?: Dispatcher;
  /** Most bytes of an answer. A longer one is `too-large`. */
  readonly largest?: number;
  /** Most bytes of an answer that are read; the rest is dropped. */
  readonly enough?: number;
}

/** Sends one request. Follows no redirect, which could leak a token, and repeats nothing. Never rejects. */
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
  const own = dispatcher ?? dispatcherFor(url, largest);
  using deadline = new Deadline(timeoutMs, signal);
  try {
    return await exchange(own, sent, deadline, { enough });
  } finally {
    if (!dispatcher) await own.destroy();
  }
}
