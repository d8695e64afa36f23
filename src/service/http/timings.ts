import type { CallKind } from '../schemas/endpoints.ts';
import { type Attempt, backoffMs, retryAfterMs } from '../../http/exchange.ts';
import type { Deadline } from '../../http/deadline.ts';

/** Times and limits. In milliseconds unless the name says otherwise. */
export interface Timings {
  /** The deadline of one call, including waiting, retries and reading the body. */
  readonly deadlineMs: number;
  readonly connectMs: number;
  /** Until the first byte of a query's answer. The last attempt gets the rest of the deadline. */
  readonly firstByteMs: number;
  readonly retries: number;
  readonly retryBaseMs: number;
  /** Calls to an area in a row without an answer, or answered 502, 503 or 504, that open its breaker. */
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
  /** Calls at a time, for queries and changes each. `queuePerSlot` more wait per slot. */
  readonly slots: number;
  readonly queuePerSlot: number;
  readonly maxBodyBytes: number;
}

/**
 * Deadline, connect, retries and their pauses: docs/interface.md#retries-and-time-limits. Without a limit on the
 * first byte, a hanging query would spend the whole deadline in its first attempt and never be retried.
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

/** Time and randomness, replaceable in tests. */
export interface RetryPorts {
  /** Epoch milliseconds. */
  now(): number;
  /** From 0 to 1, 1 excluded. */
  random(): number;
  /** Waits, or rejects once the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * Attempts a call until it is answered or must not be repeated. Source: docs/interface.md#retries-and-time-limits.
 */
export async function withRetries(
  call: RepeatableCall,
  deadline: Deadline,
  timings: Timings,
  ports: RetryPorts,
  once: (last: boolean) => Promise<Attempt>,
): Promise<Attempt> {
  for (let retries = 0; ; retries += 1) {
    const last = retries === timings.retries;
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
}

/** A change only if the service certainly did nothing: it answered 429, or never got the request. */
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
