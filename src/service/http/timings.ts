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
