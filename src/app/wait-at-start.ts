import { setTimeout as delay } from 'node:timers/promises';

import { backoffMs } from '../http/send.ts';
import type { Log } from '../model/ports.ts';
import { BellhopError } from '../model/values/errors.ts';

/** In milliseconds. The pause doubles up to half a minute. */
const firstPauseMs = 1000;
const doublings = 5;

export type UntilItPasses = <T>(step: () => Promise<T>) => Promise<T>;

/**
 * Repeats a step of the start while it fails with a `retryable` error: a name that does not resolve yet, or a server
 * that is not up yet. Throws any other error, and the reason of `stopping` as soon as it is aborted.
 */
export const waitAtStart =
  (log: Log, stopping: AbortSignal): UntilItPasses =>
  async (step) => {
    const stopped = new Promise<never>((_, reject) => {
      stopping.addEventListener('abort', () => reject(stopping.reason), { once: true });
    });
    for (let retries = 0; ; retries += 1) {
      try {
        return await Promise.race([step(), stopped]);
      } catch (error) {
        if (stopping.aborted || !(error instanceof BellhopError) || !error.retryable) throw error;
        const pauseMs = Math.round(backoffMs(firstPauseMs, Math.min(retries, doublings), Math));
        log.warn({ problem: error.message, pauseMs }, 'cannot start yet; trying again after the pause');
        // Unlike the timers of the clock, this one keeps the process alive.
        await delay(pauseMs, undefined, { signal: stopping });
      }
    }
  };
