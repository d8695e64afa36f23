import type { Log, Store } from '../../core/model/ports.ts';

/**
 * Writes to the log where the record ends, as `npm run audit -- verify --head` takes it: a tail that is cut off later
 * is found by that.
 */
export async function logAuditHead(store: Pick<Store, 'auditHead'>, log: Log): Promise<void> {
  const { seq, hash } = await store.auditHead();
  log.info({ head: `${seq}:${hash}` }, 'audit head');
}
