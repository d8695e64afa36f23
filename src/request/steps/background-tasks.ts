import type { Clock, Log, BackgroundTasks } from '../../model/ports.ts';

export function createBackgroundTasks(clock: Clock, log: Log): BackgroundTasks {
  const running = new Set<Promise<void>>();
  return {
    add(work, about) {
      const ended = (): void => void running.delete(watched);
      const watched = work.then(ended, (error: unknown) => {
        log.error({ err: error, about }, 'background work broke off');
        ended();
      });
      running.add(watched);
    },
    count: () => running.size,
    async drained(ms) {
      return Promise.race([emptied(running), clock.wait(ms).then(() => running.size === 0)]);
    },
  };
}

/** What runs may itself begin something: a click begins a request. */
async function emptied(running: ReadonlySet<Promise<void>>): Promise<boolean> {
  while (running.size > 0) await Promise.allSettled(running);
  return true;
}
