import type { Dispatcher } from 'undici';

import { type Attempt, type OutgoingRequest, exchange } from '../../http/exchange.ts';
import { Deadline } from '../../http/deadline.ts';
import { dispatcherFor } from '../../http/send.ts';
import type { CallKind } from '../schemas/endpoints.ts';
import { Bulkhead, CircuitBreaker } from './bulkhead-and-breaker.ts';
import { type RetryPorts, type Timings, withRetries } from './timings.ts';

export interface Sent {
  /** The final attempt. */
  readonly attempt: Attempt;
  /** The number of attempts; 0 if none was admitted. */
  readonly attempts: number;
}

/** How one call is sent. */
interface HostCall<Part extends string> {
  readonly kind: CallKind;
  /** The part of the host: one that fails says nothing about the others. */
  readonly part: Part;
  readonly correlationId: string;
  readonly signal?: AbortSignal | undefined;
  readonly maySend?: (() => boolean) | undefined;
  /** Default: the value in timings. */
  readonly deadlineMs?: number | undefined;
  /** Makes an attempt, with more headers; default: unchanged. */
  readonly each?: ((attempt: (headers: Headers) => Promise<Attempt>) => Promise<Attempt>) | undefined;
  /** A 429 of this service may not mean that nothing happened, so changes are not retried. */
  readonly answeredOnce?: boolean | undefined;
}

type Headers = Readonly<Record<string, string>>;

type HostRequest = Omit<OutgoingRequest, 'origin' | 'body'> & { readonly body: string | undefined };

/** One host, with its slots and breakers. */
export interface Host<Part extends string> {
  /** Resolves always, at the latest when the deadline of the call ends. */
  send(request: HostRequest, call: HostCall<Part>): Promise<Sent>;
  close(): Promise<void>;
}

/** Sends calls to one host: slot, then the breaker of its part, then retries, all under one deadline. */
export function createHost<Part extends string>(
  origin: string,
  timings: Timings,
  ports: RetryPorts,
  onBreaker: (open: boolean, part: Part) => void,
  parts: readonly Part[],
): Host<Part> {
  const agents = createAgents(origin, timings);
  // Each kind has its own slots, so that hanging queries do not delay changes.
  const slots = () => new Bulkhead(timings.slots, timings.slots * timings.queuePerSlot);
  const bulkheads: Record<CallKind, Bulkhead> = { query: slots(), change: slots() };
  const limits = { failures: timings.breakerFailures, openMs: timings.breakerOpenMs };
  const breakers = new Map(
    parts.map((part) => [part, new CircuitBreaker(limits, (open) => onBreaker(open, part))] as const),
  );
  return {
    async send(request, { kind, part, correlationId, signal, maySend, each, deadlineMs, answeredOnce }) {
      const json = request.body === undefined ? {} : { 'content-type': 'application/json' };
      const headers = { ...request.headers, ...json, 'x-request-id': correlationId };
      const outgoing = { ...request, origin };
      using deadline = new Deadline(deadlineMs ?? timings.deadlineMs, signal);
      let attempts = 0;
      const once = (last: boolean): Promise<Attempt> => {
        attempts += 1;
        const firstByteMs = last || kind === 'change' ? 0 : timings.firstByteMs;
        const attempt = (more: Headers): Promise<Attempt> =>
          exchange(agents[kind], { ...outgoing, headers: { ...headers, ...more } }, deadline, {
            firstByteMs,
            maySend,
          });
        return each ? each(attempt) : attempt({});
      };
      const repeated = () => withRetries({ kind, answeredOnce }, deadline, timings, ports, once);
      const attempt = await bulkheads[kind].run(
        deadline,
        async () => breakers.get(part)?.run(deadline, repeated) ?? repeated(),
      );
      return { attempt, attempts };
    },
    async close() {
      await Promise.all([agents.query.close(), agents.change.close()]);
    },
  };
}

/**
 * Queries reuse connections; one that the service closed meanwhile costs a retry. Each change gets a new connection, because
 * a reset on a stale one would needlessly leave the outcome unknown, and changes are rare.
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
