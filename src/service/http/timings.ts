import type { CallKind } from '../schemas/endpoints.ts';
import { type Attempt, backoffMs, retryAfterMs } from '../../http/exchange.ts';
import type { Deadline } from '../../http/deadline.ts';

/** How long, how often and how much. Milliseconds unless the name says otherwise. */
export interface Timings {
  /** Of one call: waiting, retries and reading the body included. */
  readonly deadlineMs: number;
  readonly connectMs: number;
  /** Until the first byte of the answer to a query; the last attempt has what is left of the deadline. */
  readonly firstByteMs: number;
  readonly retries: number;
  readonly retryBaseMs: number;
  /** Calls to an area in a row without an answer, or answered 502, 503 or 504, that open its breaker. */
  readonly breakerFailures: number;
  readonly breakerOpenMs: number;
  /** At a time, for queries and for changes each; as many times `queuePerSlot` wait. */
  readonly slots: number;
  readonly queuePerSlot: number;
  readonly maxBodyBytes: number;
}

/**
 * Deadline, connect, retries and their pauses: docs/interface.md#retries-and-time-limits. Without a limit on the
 * first byte a hanging query would spend the deadline in its first attempt and "retried on timeout" be empty words.
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

/** Time and chance, so that tests need neither. */
export interface RetryPorts {
  /** Epoch milliseconds. */
  now(): number;
  /** From 0 to 1, 1 excluded. */
  random(): number;
  /** Waits, or rejects once the signal is aborted. */
  pause(milliseconds: number, signal: AbortSignal): Promise<void>;
}

/**
 * Attempts a call until it is answered or may not be repeated. Source: docs/interface.md#retries-and-time-limits.
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
  /** A change that was answered is never sent again, whatever the answer is. */
  readonly answeredOnce?: boolean | undefined;
}

/** A change only if it is certain that the service did nothing: it said 429, or never got the request. */
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
