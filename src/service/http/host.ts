import type { Dispatcher } from 'undici';

import { dispatcherFor, backoffMs, retryAfterMs } from '../../http/send.ts';
import type { CallKind } from '../schemas/endpoints.ts';
import { hasLogin } from '../../text/host.ts';
import { Bulkhead, CircuitBreaker } from './bulkhead-and-breaker.ts';
import { type Attempt, type OutgoingRequest, exchange, Deadline } from '../../http/exchange.ts';

/** In milliseconds unless the name says otherwise. */
export interface Timings {
  /** Of one call: covers waiting, retries and reading the body. */
  readonly deadlineMs: number;
  readonly connectMs: number;
  /**
   * The first byte of a query's answer must arrive within this time. The last attempt gets the rest of the deadline.
   */
  readonly firstByteMs: number;
  readonly retries: number;
  readonly retryBaseMs: number;
  /** This many calls in a row to an area, without an answer or answered 502, 503 or 504, open its breaker. */
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
  /** This many queries, and as many changes, run at a time. For each slot, `queuePerSlot` more calls may wait. */
  readonly slots: number;
  readonly queuePerSlot: number;
  readonly maxBodyBytes: number;
}

/**
 * The deadline, connect time, retries and their pauses are from docs/interface.md#retries-and-time-limits. Without a
 * limit on the first byte, a hanging query would spend the whole deadline in its first attempt and never be retried.
 */
export const standardTimings: Timings = {
  deadlineMs: 30_000,
  connectMs: 5_000,
  firstByteMs: 6_000,
  retries: 2,
  retryBaseMs: 500,
  breakerFailures: 5,
  breakerOpenMs: 5_000,
  slots: 16,
  queuePerSlot: 8,
  maxBodyBytes: 64 * 1024 * 1024,
};

export interface RetryPorts {
  /** In epoch milliseconds. */
  now(): number;
  random(): number;
  /** Waits, or rejects once the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface Sent {
  readonly attempt: Attempt;
  /** 0 if no attempt was admitted. */
  readonly attempts: number;
}

interface HostCall<Part extends string> {
  readonly kind: CallKind;
  /** The failure of one part says nothing about the others. */
  readonly part: Part;
  readonly correlationId: string;
  readonly signal?: AbortSignal | undefined;
  readonly maySend?: (() => boolean) | undefined;
  /** Never repeats the call, whatever the answer. */
  readonly once?: boolean | undefined;
  readonly deadlineMs?: number | undefined;
  readonly each?: ((attempt: (headers: Headers) => Promise<Attempt>) => Promise<Attempt>) | undefined;
  /** A 429 by this service does not prove that nothing happened, so changes are not retried. */
  readonly answeredOnce?: boolean | undefined;
}

type Headers = Readonly<Record<string, string>>;

export type HostRequest = Omit<OutgoingRequest, 'origin' | 'body'> & {
  readonly body: string | undefined;
  /** Default: JSON. */
  readonly type?: string | undefined;
};

export interface ServiceHost<Part extends string> {
  /** Never rejects. Resolves at the latest when the deadline ends. */
  send(request: HostRequest, call: HostCall<Part>): Promise<Sent>;
  close(): Promise<void>;
}

/** Each call takes a slot, passes the breaker of its part, and may be retried, all under one deadline. */
export function createHost<Part extends string>(
  origin: string,
  timings: Timings,
  ports: RetryPorts,
  onBreaker: (open: boolean, part: Part) => void,
): ServiceHost<Part> {
  const agents = createAgents(origin, timings);
  // Each kind has its own slots, so that hanging queries do not delay changes.
  const slots = () => new Bulkhead(timings.slots, timings.slots * timings.queuePerSlot);
  const bulkheads: Record<CallKind, Bulkhead> = { query: slots(), change: slots() };
  const limits = { failures: timings.breakerFailures, openMs: timings.breakerOpenMs };
  const breakers = new Map<Part, CircuitBreaker>();
  const breakerOf = (part: Part): CircuitBreaker =>
    breakers.getOrInsertComputed(part, () => new CircuitBreaker(limits, (open) => onBreaker(open, part)));
  return {
    async send(
      request,
      { kind, part, correlationId, signal, maySend, once: isOnce, each, deadlineMs, answeredOnce },
    ) {
      const { type = 'application/json', ...plain } = request;
      const ofBody = request.body === undefined ? {} : { 'content-type': type };
      const headers = { ...request.headers, ...ofBody, 'x-request-id': correlationId };
      const outgoing = { ...plain, origin: origin.startsWith('unix:') ? 'http://localhost' : origin };
      using deadline = new Deadline(deadlineMs ?? timings.deadlineMs, signal);
      let attempts = 0;
      const once = (last: boolean): Promise<Attempt> => {
        attempts += 1;
        const firstByteMs = last || kind === 'change' ? 0 : timings.firstByteMs;
        const attempt = (more: Headers): Promise<Attempt> =>
          exchange(agents[kind], { ...outgoing, headers: { ...headers, ...more } }, deadline, {
            firstByteMs,
            maySend,
            largest: timings.maxBodyBytes,
          });
        return each ? each(attempt) : attempt({});
      };
      const repeated = () =>
        withRetries({ kind, answeredOnce, once: isOnce }, deadline, timings, ports, once);
      const attempt = await bulkheads[kind].run(deadline, () => breakerOf(part).run(deadline, repeated));
      return { attempt, attempts };
    },
    async close() {
      await Promise.all([agents.query.close(), agents.change.close()]);
    },
  };
}

/** Source: docs/interface.md#retries-and-time-limits. */
async function withRetries(
  call: RepeatableCall,
  deadline: Deadline,
  timings: Timings,
  ports: RetryPorts,
  once: (last: boolean) => Promise<Attempt>,
): Promise<Attempt> {
  for (let retries = 0; ; retries += 1) {
    const last = call.once === true || retries === timings.retries;
    const attempt = await once(last);
    if (last || !mayRepeat(call, attempt)) return attempt;
    const wait = pauseMs(attempt, retries, timings, ports);
    if (wait >= deadline.remainingMs()) return attempt;
    try {
      await ports.pause(wait, deadline.signal());
    } catch (error) {
      if (deadline.cause === undefined) throw error;
      return attempt;
    }
  }
}

interface RepeatableCall {
  readonly kind: CallKind;
  /** An answered change is never sent again, whatever the answer. */
  readonly answeredOnce?: boolean | undefined;
  readonly once?: boolean | undefined;
}

/** A change may be repeated only if the service certainly did nothing: it answered 429, or never got the request. */
function mayRepeat({ kind, answeredOnce = false }: RepeatableCall, attempt: Attempt): boolean {
  if (attempt.kind === 'answer') {
    if (attempt.status === 429) return kind === 'query' || !answeredOnce;
    return kind === 'query' && (attempt.status === 408 || attempt.status >= 500);
  }
  if (attempt.reason === 'connection') return kind === 'query' || !attempt.sent;
  return kind === 'query' && (attempt.reason === 'first-byte-timeout' || attempt.reason === 'not-http');
}

function pauseMs(attempt: Attempt, retries: number, timings: Timings, ports: RetryPorts): number {
  const backoff = backoffMs(timings.retryBaseMs, retries, ports);
  const asked = attempt.kind === 'answer' ? retryAfterMs(attempt.headers, ports.now()) : undefined;
  return Math.max(backoff, asked ?? 0);
}

/**
 * Queries reuse connections, and a connection that the service has since closed costs a retry. Each change gets a new
 * connection, because a reset on a stale one would needlessly leave the outcome unknown. Changes are rare.
 */
function createAgents(
  origin: string,
  { connectMs, maxBodyBytes: maxResponseSize }: Timings,
): Record<CallKind, Dispatcher> {
  const query = { maxResponseSize, pipelining: 1, keepAliveMaxTimeout: 60_000 };
  return {
    query: dispatcherFor(origin, query, connectMs),
    change: dispatcherFor(origin, { maxResponseSize, pipelining: 0 }, connectMs),
  };
}

/** `origin` is scheme, host and port, or `unix:` and the path of a socket. `prefix` is a path without a trailing slash, or "". */
export interface BaseUrl {
  readonly origin: string;
  readonly prefix: string;
}

/** Reads an http or https address, or returns what is wrong with it. The text may contain a password. */
export function readBaseUrl(text: unknown): BaseUrl | 'no http address' | 'login' | 'query' {
  const url = typeof text === 'string' ? URL.parse(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) return 'no http address';
  if (hasLogin(url)) return 'login';
  if (url.search !== '' || url.hash !== '') return 'query';
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/u, '') };
}
