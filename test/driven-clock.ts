import type { Clock } from '../src/model/ports.ts';

export interface DrivenClock extends Clock {
  /** Advances the time and runs what is due on the way, in order, each at its own time. */
  advance(ms: number): Promise<void>;
  /** How many callers wait, or repeat a task. */
  waiting(): number;
}

interface Timer {
  at: number;
  readonly every: number | undefined;
  readonly run: () => void;
}

/**
 * A clock that stands still until a test advances it.
 * @param start epoch milliseconds
 * @param settle lets running work continue before the time advances
 */
export function createDrivenClock(start = Date.UTC(2026, 10, 21, 3, 0), settle = settled): DrivenClock {
  let now = start;
  const timers = new Set<Timer>();
  const add = (timer: Timer) => {
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((one, other) => one.at - other.at)[0];
  return {
    now: () => now,
    every(ms, task) {
      const remove = add({ at: now + ms, every: ms, run: task });
      return () => void remove();
    },
    wait: (ms) =>
      new Promise((resolve) => {
        if (ms <= 0) resolve();
        else add({ at: now + ms, every: undefined, run: resolve });
      }),
    async advance(ms) {
      const end = now + ms;
      await settle();
      for (let timer = nextUntil(end); timer; timer = nextUntil(end)) {
        now = Math.max(now, timer.at);
        if (timer.every === undefined) timers.delete(timer);
        else timer.at = now + timer.every;
        timer.run();
        await settle();
      }
      now = end;
      await settle();
    },
    waiting: () => timers.size,
  };
}

/** Lets running work continue: a few turns of the event loop, in which an embedded store commits. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
