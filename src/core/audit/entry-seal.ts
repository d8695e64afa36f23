import type { Request } from '../request/request.ts';
import type { AuditLog } from './audit.ts';
import type { SealedLog } from './sealed-log.ts';

/** Where an entry stands in the sealed log. */
export interface EntrySeal {
  readonly number: number;
  /** The number of the first checkpoint that covers it. */
  readonly checkpoint: number;
}

const mostEntries = 20;

/** Where the step that led to a request's state is sealed; undefined where it is not yet. */
export async function findSeal(
  log: Pick<AuditLog, 'audit'> & Pick<SealedLog, 'checkpointOf'>,
  { id, state }: Request,
): Promise<EntrySeal | undefined> {
  const entries = await log.audit({ requestId: id, limit: mostEntries });
  const step = entries.findLast(({ outcome }) => outcome === state);
  if (step?.hash === undefined) return undefined;
  const checkpoint = await log.checkpointOf(step.seq);
  return checkpoint && { number: step.seq, checkpoint: checkpoint.number };
}
