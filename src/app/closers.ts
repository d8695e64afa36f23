import type { Log } from '../core/model/ports.ts';

interface Closeable {
  close(): Promise<void> | void;
}

/** Closes what was opened, the last first; one that fails does not keep the others open. */
export function createClosers(log: Log) {
  const opened: Closeable[] = [];
  return {
    later<T extends Closeable>(closeable: T): T {
      opened.push(closeable);
      return closeable;
    },
    async close(): Promise<void> {
      for (const closeable of opened.splice(0).toReversed()) {
        try {
          await closeable.close();
        } catch (error) {
          log.warn({ err: error }, 'something could not be closed');
        }
      }
    },
  };
}
