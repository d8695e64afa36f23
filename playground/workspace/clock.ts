/** Time as the workspace sees it: epoch milliseconds that a test may drive, and alarms set on them. */
export interface Clock {
  now(): number;
  /**
   * Calls `act` once `now()` has reached `at`, at most 20 ms of real time later. Returns a function that cancels it.
   */
  at(at: number, act: () => void): () => void;
  /** Cancels all alarms. */
  stop(): void;
}

const LOOK_EVERY_MS = 20;

/**
 * @param now defaults to the system's clock. A test clock jumps, so the time is read repeatedly
 *   while an alarm is pending, and never otherwise.
 */
export function createClock(now: () => number = Date.now): Clock {
  const alarms = new Set<{ at: number; act: () => void }>();
  let timer: NodeJS.Timeout | undefined;
  function look(): void {
    timer = undefined;
    const due = [...alarms].filter((alarm) => alarm.at <= now()).toSorted((one, other) => one.at - other.at);
    for (const alarm of due) {
      alarms.delete(alarm);
      alarm.act();
    }
    arm();
  }
  function arm(): void {
    if (alarms.size > 0) timer ??= setTimeout(look, LOOK_EVERY_MS).unref();
  }
  return {
    now,
    at(at, act) {
      const alarm = { at, act };
      alarms.add(alarm);
      arm();
      return () => alarms.delete(alarm);
    },
    stop() {
      alarms.clear();
      clearTimeout(timer);
    },
  };
}
