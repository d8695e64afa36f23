/** The one time limit of a call; also ends where the caller gives up. */
export interface Deadline {
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Why `signal` was aborted. */
  cause(): 'deadline' | 'cancelled';
}

export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const timeout = AbortSignal.timeout(milliseconds);
  const signal = caller === undefined ? timeout : AbortSignal.any([caller, timeout]);
  const end = performance.now() + milliseconds;
  return {
    signal,
    remainingMs: () => Math.max(0, end - performance.now()),
    cause: () => (signal.reason === timeout.reason ? 'deadline' : 'cancelled'),
  };
}
