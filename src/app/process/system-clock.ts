import { setTimeout as delay } from 'node:timers/promises';

import type { Clock } from '../../model/ports.ts';

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  wait: (ms) => delay(ms, undefined, { ref: false }),
};
