import { AsyncLocalStorage } from 'node:async_hooks';
import { randomInt, randomUUID } from 'node:crypto';

import type { Ids } from '../../model/ports.ts';

/** The command that the running code belongs to: from the payload to the service, and in every log line between. */
export interface Correlation {
  /** Undefined outside of any command. */
  readonly current: () => string | undefined;
  /** Runs the work on a new payload under an id of its own. */
  readonly start: <T>(work: () => T) => T;
  /** Continues a command that began earlier. */
  readonly within: <T>(correlationId: string, work: () => T) => T;
}

export function createCorrelation(): Correlation {
  const storage = new AsyncLocalStorage<string>();
  return {
    current: () => storage.getStore(),
    start: (work) => storage.run(randomUUID(), work),
    within: (correlationId, work) => storage.run(correlationId, work),
  };
}

/** Without the letters and digits that are taken for one another, and without vowels that make words. */
const letters = '23456789bcdfghjkmnpqrstvwxz';
const length = 10;

/** Request ids such as `r-7k3m9qpdx2`: 47 bits, so they cannot be guessed within the life of a request. */
export const randomIds = (correlation: Correlation): Ids => ({
  request: () => `r-${Array.from({ length }, () => letters[randomInt(letters.length)]).join('')}`,
  correlation: () => correlation.current() ?? randomUUID(),
  claim: randomUUID,
});
