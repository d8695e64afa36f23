import type { CallKind } from '../schemas/endpoints.ts';
import { type Attempt, backoffMs, retryAfterMs } from '../../http/attempt.ts';
import type { Deadline } from '../../http/deadline.ts';
import type { Timings } from './timings.ts';

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
  kind: CallKind,
  deadline: Deadline,
  timings: Timings,
  ports: RetryPorts,
  once: (last: boolean) => Promise<Attempt>,
): Promise<Attempt> {
  for (let retries = 0; ; retries += 1) {
    const last = retries === timings.retries;
    const attempt = await once(last);
    if (last || !mayRepeat(kind, attempt)) return attempt;
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

/** A change only where it is certain that the service did nothing: it said 429, or never got the request. */
function mayRepeat(kind: CallKind, attempt: Attempt): boolean {
  if (attempt.kind === 'answer') {
    if (attempt.status === 429) return true;
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
