import type { Log } from '../model/ports.ts';
import type { SealedLog } from '../model/records/sealed-log.ts';

/** Returns a function that writes the newest checkpoint to the log, once. */
export function createCheckpointLog(
  store: Pick<SealedLog, 'newestCheckpoint'>,
  log: Log,
): () => Promise<void> {
  let newestLogged = 0;
  return async () => {
    const newest = await store.newestCheckpoint();
    if (!newest || newest.number === newestLogged) return;
    const { number: checkpoint, size, note } = newest;
    log.info({ checkpoint, size, note }, 'audit checkpoint');
    newestLogged = checkpoint;
  };
}
