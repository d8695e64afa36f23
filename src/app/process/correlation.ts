import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** Which ask the code that runs now belongs to: from the payload to the service, and in every log line between. */
export interface Correlation {
  /** Undefined outside of any ask. */
  readonly current: () => string | undefined;
  /** Runs what a new payload brings, under an id of its own. */
  readonly newAsk: <T>(work: () => T) => T;
  /** Goes on with an ask that began earlier. */
  readonly within: <T>(correlationId: string, work: () => T) => T;
}

export function createCorrelation(): Correlation {
  const storage = new AsyncLocalStorage<string>();
  return {
    current: () => storage.getStore(),
    newAsk: (work) => storage.run(randomUUID(), work),
    within: (correlationId, work) => storage.run(correlationId, work),
  };
}
