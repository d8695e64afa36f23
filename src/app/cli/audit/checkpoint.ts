import type { Cosignatures, SealedLog, StoredCheckpoint } from '../../../model/sealed-log.ts';
import { readOptions } from '../../../program/run-program.ts';
import { type AuditCommand, whereFrom, withLog } from './command.ts';
import { nothingSealed } from './key.ts';

/** What the log is now, to keep. */
export const checkpoint: AuditCommand = {
  summary: 'print the newest signed checkpoint, to keep',
  help: `Usage: npm run audit -- checkpoint
Prints the newest signed checkpoint (C2SP tlog-checkpoint): origin, size and root hash, and below them the signatures of
the log and of witnesses. Keep it where whoever owns the database cannot reach it; "verify --checkpoint <file>" tells
later whether the log still continues it.
${whereFrom}
Exit code: 0, or 2 where there is none yet.`,
  async run(args) {
    readOptions(args, {});
    return withLog(async (log) => {
      const newest = await log.newestCheckpoint();
      if (!newest) throw nothingSealed();
      process.stdout.write(await cosigned(log, newest));
      return 0;
    });
  },
};

/** The note with what witnesses signed below it. */
export async function cosigned(log: Cosignatures, { number, size, note }: StoredCheckpoint): Promise<string> {
  const lines = await log.cosignaturesOf(size);
  return note + lines.flatMap((one) => (one.number === number ? [`${one.line}\n`] : [])).join('');
}

/**
 * The checkpoint to prove so many entries by: the first that a witness cosigned, else the newest. Undefined where they are
 * not sealed yet.
 */
export async function checkpointFor(
  log: SealedLog & Cosignatures,
  size: number,
): Promise<StoredCheckpoint | undefined> {
  const [first] = await log.cosignaturesOf(size);
  const seen = first && (await log.checkpointsFrom(first.number - 1, 1)).at(0);
  const newest = seen ?? (await log.newestCheckpoint());
  return newest && newest.size >= size ? newest : undefined;
}
