import { createDueQueue, type DueQueue } from '../../src/due/queue.ts';
import type { Delay } from '../../src/due/work.ts';
import type { DueWork, Handler } from '../../src/model/records/due.ts';
import type { Clock, Log } from '../../src/model/ports.ts';
import { createBackgroundTasks } from '../../src/app/process/this-process.ts';
import { silentLog } from '../log.ts';

export interface TestQueue extends DueQueue {
  /** Runs a round, and all work that it began. */
  work(): Promise<void>;
}

interface QueueOptions {
  readonly log?: Log;
  readonly clockIsRight?: () => boolean;
  readonly delayOf?: (error: unknown) => Delay;
}

/** The due queue of one replica. The test starts each round. */
export function dueQueue(
  store: DueWork,
  clock: Clock,
  handlers: readonly Handler[],
  {
    log = silentLog,
    clockIsRight = () => true,
    delayOf = () => ({ afterMs: 0, quiet: false }),
  }: QueueOptions = {},
): TestQueue {
  const running = createBackgroundTasks(clock, log);
  const begun = new Set<Promise<unknown>>();
  const backgroundTasks: typeof running = {
    ...running,
    add(work, about) {
      begun.add(work);
      running.add(work, about);
    },
  };
  const queue = createDueQueue({ store, clock, clockIsRight, log, backgroundTasks, delayOf });
  queue.handle(...handlers);
  return {
    ...queue,
    async work() {
      // Work that ends may wake the queue, which then claims again.
      for (await queue.round(); begun.size > 0; await queue.round()) {
        const work = [...begun];
        begun.clear();
        await Promise.all(work);
      }
    },
  };
}
