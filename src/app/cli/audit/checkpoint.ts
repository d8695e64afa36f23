import { cosigned } from '../../../audit/verify/prove.ts';
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
