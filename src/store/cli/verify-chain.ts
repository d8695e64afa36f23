import { z } from 'zod';

import { chainBreak, genesisHash, readTakenOver } from '../../model/audit.ts';
import type { SealedLog, StoredLeaf } from '../../model/sealed-log.ts';
import { broken, type Found } from './verdict.ts';

const takenOver = z.object({ event: z.literal('log taken over'), note: z.string() });
/** As it stands in canonical JSON; what has it elsewhere is told by its parse. */
const takenOverMark = '"event":"log taken over"';

/** The hash chain of entries that a version before the tree wrote. */
export interface ChainChecker {
  /** The next entry, in order. Resolves to what is wrong where it tells what the chain was, and that is not what it is. */
  next(leaf: StoredLeaf): Promise<Found | undefined> | undefined;
  /** A fault of the chain that no entry tells of. */
  rest(): Found | undefined;
}

/** A fault that the log had when it was taken into the tree is in the log for good, and no fault of today. */
export function checkChain(log: Pick<SealedLog, 'leavesFrom'>): ChainChecker {
  let before = genesisHash;
  let any = false;
  let fault: Found | undefined;

  const compare = async ({ number, draft }: StoredLeaf): Promise<Found | undefined> => {
    const { data } = takenOver.safeParse(JSON.parse(draft));
    const told = data && readTakenOver(data.note);
    if (!told) return undefined;
    const [end] = await log.leavesFrom(told.seq - 1, 1);
    if (end?.chained?.hash !== told.hash)
      return broken(told.seq, `entry ${told.seq} has another hash than entry ${number} tells`);
    const found = fault && fault.seq <= told.seq ? fault : undefined;
    if (found?.why !== told.fault) {
      return broken(
        found?.seq ?? 1,
        `${found?.why ?? 'the chain is intact'}: entry ${number}, which took it over, tells otherwise`,
      );
    }
    if (found) fault = undefined;
    return undefined;
  };

  return {
    next(leaf) {
      const { number, draft, hash, chained } = leaf;
      if (chained && !fault) {
        const why = chainBreak(before, { seq: number, draft, ...chained });
        if (why !== undefined) fault = broken(number, why);
      }
      before = chained?.hash ?? hash ?? '';
      any ||= chained !== undefined;
      return any && draft.includes(takenOverMark) ? compare(leaf) : undefined;
    },
    rest: () => fault,
  };
}
