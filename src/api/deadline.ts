/** The one time limit of a call; also ends where the caller gives up. Disposed when the call ends. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  remainingMs(): number;
  /** Why `signal` was aborted. */
  cause(): 'deadline' | 'cancelled';
}

/** A timer that can be cleared: `AbortSignal.timeout` would keep one for 30 s after each call of a millisecond. */
export function startDeadline(milliseconds: number, caller: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const end = performance.now() + milliseconds;
  let cause: 'deadline' | 'cancelled' = 'deadline';
  const cancel = (): void => {
    if (controller.signal.aborted) return;
    cause = 'cancelled';
    controller.abort();
  };
  const timer = setTimeout(() => controller.abort(), milliseconds);
  if (caller?.aborted === true) cancel();
  else caller?.addEventListener('abort', cancel, { once: true });
  return {
    signal: controller.signal,
    remainingMs: () => Math.max(0, end - performance.now()),
    cause: () => cause,
    [Symbol.dispose]() {
      clearTimeout(timer);
      caller?.removeEventListener('abort', cancel);
    },
  };
}
