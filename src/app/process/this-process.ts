import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt, randomUUID } from 'node:crypto';

import { projectFile } from '../../program/files.ts';
import type { BackgroundTasks, Clock, Ids, Log } from '../../model/ports.ts';

/** Identifies this process among those on one store by its machine or container and its process id. */
export const replicaId = (): string => `${hostname()}/${process.pid}`;

export const readVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')))
    .version;

/** Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  wait: (ms) => delay(ms, undefined, { ref: false }),
};

/** Carries the correlation id of the running command from the payload to the service and into every log line. */
export interface Correlation {
  readonly current: () => string | undefined;
  readonly start: <T>(work: (correlationId: string) => T) => T;
  readonly within: <T>(correlationId: string, work: () => T) => T;
}

export function createCorrelation(): Correlation {
  const storage = new AsyncLocalStorage<string>();
  return {
    current: () => storage.getStore(),
    start(work) {
      const id = randomUUID();
      return storage.run(id, work, id);
    },
    within: (correlationId, work) => storage.run(correlationId, work),
  };
}

/** These letters do not look alike, and include no vowels, which could form words. */
const letters = '23456789bcdfghjkmnpqrstvwxz';
const length = 10;

/** Request ids such as `r-7k3m9qpdx2` have 47 bits, so they can't be guessed while a request lives. */
export const randomIds = (correlation: Correlation): Ids => ({
  request: () => `r-${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`,
  correlation: () => correlation.current() ?? randomUUID(),
  unique: randomUUID,
});

export function createBackgroundTasks(clock: Clock, log: Log): BackgroundTasks {
  const running = new Set<Promise<void>>();
  const before: (() => void)[] = [];
  return {
    add(work, about) {
      const ended = (): void => void running.delete(watched);
      const watched = work.then(ended, (error: unknown) => {
        log.error({ err: error, about }, 'background work failed');
        ended();
      });
      running.add(watched);
    },
    count: () => running.size,
    beforeDrain: (work) => void before.push(work),
    async drained(ms) {
      for (const work of before) work();
      return Promise.race([emptied(running), clock.wait(ms).then(() => running.size === 0)]);
    },
  };
}

/** Running work may start more work: a click starts a request. */
async function emptied(running: ReadonlySet<Promise<void>>): Promise<boolean> {
  while (running.size > 0) await Promise.allSettled(running);
  return true;
}
