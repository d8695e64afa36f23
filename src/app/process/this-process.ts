import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { z } from 'zod';

import { projectFile } from '../../config/environment/files.ts';
import type { Clock } from '../../model/ports.ts';

/** Which of several processes on one store this is: the machine or container, and the process in it. */
export const replicaId = (): string => `${hostname()}/${process.pid}`;

/** The version of `package.json`. */
export const readVersion = (): string =>
  z.object({ version: z.string() }).parse(JSON.parse(readFileSync(projectFile('package.json'), 'utf8')))
    .version;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  every(ms, task) {
    const timer = setInterval(task, ms).unref();
    return () => clearInterval(timer);
  },
  wait: (ms) => delay(ms, undefined, { ref: false }),
};
