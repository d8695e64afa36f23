import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { noteText } from '../../../audit/tree/signed-note.ts';
import { proveContinuation, proveEntry } from '../../../audit/verify/prove.ts';
import { command, UsageError } from '../../../program/run-program.ts';
import { nothingSealed, readNoteFile, readOption, whereFrom, withLog } from './log-and-keys.ts';

const oneEntry = 'Give the number of one entry, such as 1042.';

export const prove = command({
  summary: 'write the proof that an entry is in the log, or that the log still contains an old checkpoint',
  help: `Usage: npm run audit -- prove <number> [--out <folder>]
       npm run audit -- prove --since <checkpoint>
Writes files into the folder, and prints their paths: <number>.json, the entry byte by byte, <number>.tlog-proof (C2SP tlog-proof@v1),
and <number>.reason: the salt and the typed text whose SHA-256 hash is "reason" in the entry, unless the text was removed.
Without --out, only the proof is printed. Anyone with the verifier key can verify them without a database:
  npm run audit -- verify --proof 1042.tlog-proof --entry 1042.json --key <key>
  --since <file>   an earlier published checkpoint: prints the proof that the current log is consistent with it (the body
                   of add-checkpoint, C2SP tlog-witness), for people who kept that checkpoint:
  npm run audit -- verify --proof since.txt --checkpoint <file> --key <key>
${whereFrom}
Exit code: 0, 1 if the entry or the tree was altered or does not match the checkpoint, or 2 if the entry does not exist or is
not sealed yet.`,
  options: { out: { type: 'string' }, since: { type: 'string' } },
  words: { least: 0, most: 1, otherwise: oneEntry },
  async run(values, words) {
    if (values.since !== undefined) {
      if (words.length > 0 || values.out !== undefined)
        throw new UsageError(
          "--since can't be combined with other options, because it only prints the proof.",
        );
      return proveSince(readNoteFile('--since', values.since));
    }
    const [typed = ''] = words;
    if (!/^[1-9]\d{0,14}$/u.test(typed)) throw new UsageError(oneEntry);
    const number = Number(typed);
    const proved = await withLog((log) => proveEntry(log, number));
    if (!proved) throw new Error(`Entry ${number} does not exist, or is not sealed yet.`);
    if ('broken' in proved) {
      process.stdout.write(`The audit log is broken at entry ${number}: ${proved.broken}.\n`);
      return 1;
    }
    if (values.out === undefined) process.stdout.write(proved.proof);
    else {
      mkdirSync(values.out, { recursive: true });
      const files = { json: proved.entry, 'tlog-proof': proved.proof, reason: proved.reason };
      for (const [kind, content] of Object.entries(files)) {
        if (content === undefined) continue;
        const file = join(values.out, `${number}.${kind}`);
        writeFileSync(file, content);
        process.stdout.write(`${file}\n`);
      }
    }
    return 0;
  },
});

async function proveSince(note: string): Promise<number> {
  const earlier = readOption('--since', () => parseCheckpoint(noteText(note)));
  const proved = await withLog((log) => proveContinuation(log, earlier));
  if (!proved) throw nothingSealed();
  process.stdout.write(
    'broken' in proved ? `The audit log is broken: ${proved.broken}.\n` : proved.continuation,
  );
  return 'broken' in proved ? 1 : 0;
}
