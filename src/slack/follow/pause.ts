import type { Clock } from '../../core/model/ports.ts';

/** Waiting that can be ended for everybody at once. */
export interface Pause {
  /** Resolves after `ms` to false, or to true as soon as all waiting was ended. */
  wait(ms: number): Promise<boolean>;
  /** From now on nobody waits any more. */
  end(): void;
}

export function createPause(clock: Clock): Pause {
  const waiting = new Set<() => void>();
  let ended = false;
  return {
    wait: (ms) =>
      new Promise((resolve) => {
        if (ended) return resolve(true);
        const over = () => {
          stop();
          waiting.delete(over);
          resolve(ended);
        };
        const stop = clock.every(ms, over);
        waiting.add(over);
      }),
    end() {
      ended = true;
      for (const over of waiting) over();
    },
  };
}
