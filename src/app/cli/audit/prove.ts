import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { leafText } from '../../../model/sealed-log.ts';
import type { Cosignatures, SealedLog } from '../../../model/sealed-log.ts';
import { BellhopError } from '../../../model/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../../../audit/tree/checkpoint.ts';
import { leafHash } from '../../../audit/tree/merkle.ts';
import { formatContinuation, formatProof } from '../../../audit/tree/proof-file.ts';
import {
  proveConsistency,
  proveInclusion,
  verifyConsistency,
  verifyInclusion,
} from '../../../audit/tree/proofs.ts';
import { noteText } from '../../../audit/tree/signed-note.ts';
import { readOptions, UsageError } from '../../../program/run-program.ts';
import { UnreadableRow } from '../../../store/queries/parse-row.ts';
import { checkpointFor, cosigned } from './checkpoint.ts';
import { type AuditCommand, readFile, whereFrom, withLog } from './command.ts';
import { nothingSealed } from './key.ts';

const options = { out: { type: 'string' }, since: { type: 'string' } } as const;

/** An entry, or that nothing was changed, to be shown to somebody who has nothing but the key and an old checkpoint. */
export const prove: AuditCommand = {
  summary: 'write the proof that an entry is in the log, or that the log continues an old checkpoint',
  help: `Usage: npm run audit -- prove <number> [--out <folder>]
       npm run audit -- prove --since <checkpoint>
Writes two files into the folder, and prints their paths: <number>.json, the entry byte by byte, and <number>.tlog-proof (C2SP tlog-proof@v1).
Without --out the proof alone is printed. Whoever has the verifier key checks them without a database:
  npm run audit -- verify --proof 1042.tlog-proof --entry 1042.json --key <key>
  --since <file>   a checkpoint that was handed out earlier: prints the proof that the log of today continues it (the body
                   of add-checkpoint, C2SP tlog-witness), for whoever kept that checkpoint:
  npm run audit -- verify --proof since.txt --checkpoint <file> --key <key>
${whereFrom}
Exit code: 0, 1 where the entry or the tree was tampered with or does not continue the checkpoint, or 2 where there is no such
entry, or it is not sealed yet.`,
  async run(args) {
    const { values, positionals } = readOptions(args, options, true);
    if (values.since !== undefined) {
      if (positionals.length > 0 || values.out !== undefined)
        throw new UsageError('--since goes with nothing else: the proof is printed.');
      return proveSince(readFile('--since', values.since).toString());
    }
    const [number, ...more] = positionals.map((text) =>
      /^[1-9]\d{0,14}$/u.test(text) ? Number(text) : undefined,
    );
    if (number === undefined || more.length > 0) {
      throw new UsageError('Name one entry by its number, such as 1042.');
    }
    const proved = await withLog((log) => proofOf(log, number));
    if ('broken' in proved) {
      process.stdout.write(`The audit log is broken at entry ${number}: ${proved.broken}.\n`);
      return 1;
    }
    if (values.out === undefined) process.stdout.write(proved.proof);
    else {
      mkdirSync(values.out, { recursive: true });
      const [entry, proof] = [join(values.out, `${number}.json`), join(values.out, `${number}.tlog-proof`)];
      writeFileSync(entry, proved.entry);
      writeFileSync(proof, proved.proof);
      process.stdout.write(`${entry}\n${proof}\n`);
    }
    return 0;
  },
};

async function proveSince(note: string): Promise<number> {
  const earlier = parseEarlier(note);
  const proved = await withLog((log) => continuationOf(log, earlier));
  process.stdout.write(
    'broken' in proved ? `The audit log is broken: ${proved.broken}.\n` : proved.continuation,
  );
  return 'broken' in proved ? 1 : 0;
}

/** @throws UsageError where it is no checkpoint */
function parseEarlier(note: string): Checkpoint {
  try {
    return parseCheckpoint(noteText(note));
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    throw new UsageError(`--since: ${error.message}`, { cause: error });
  }
}

async function continuationOf(
  log: SealedLog & Cosignatures,
  earlier: Checkpoint,
): Promise<{ readonly continuation: string } | { readonly broken: string }> {
  const newest = await log.newestCheckpoint();
  if (!newest) throw nothingSealed();
  const now = parseCheckpoint(noteText(newest.note));
  if (now.origin !== earlier.origin)
    return { broken: `it calls itself ${now.origin}, not ${earlier.origin}` };
  if (now.size < earlier.size)
    return { broken: `entries ${now.size + 1} to ${earlier.size} were removed from the end` };
  const { size: from } = earlier;
  const path = from === 0 ? [] : await proveConsistency(log.readHashes, from, now.size).catch(missingHash);
  if ('broken' in path) return path;
  if (!verifyConsistency(earlier, now, path))
    return { broken: `it does not continue the checkpoint of ${from} entries; "verify" tells more` };
  return { continuation: formatContinuation({ from, path, checkpoint: await cosigned(log, newest) }) };
}

type Proved = { readonly entry: string; readonly proof: string } | { readonly broken: string };

async function proofOf(log: SealedLog & Cosignatures, number: number): Promise<Proved> {
  const checkpoint = await checkpointFor(log, number);
  const [leaf] = await log.leavesFrom(number - 1, 1);
  if (!checkpoint) throw new Error(`Entry ${number} is not sealed yet, or there is none.`);
  if (leaf?.number !== number) return { broken: 'it was removed' };
  const { size, root } = parseCheckpoint(noteText(checkpoint.note));
  const index = number - 1;
  const path = await proveInclusion(log.readHashes, index, size).catch(missingHash);
  if ('broken' in path) return path;
  const entry = leafText(number, leaf.draft);
  if (!verifyInclusion(leafHash(entry), index, { size, root }, path)) {
    return { broken: `it is not what checkpoint ${checkpoint.number} was signed for; "verify" tells more` };
  }
  return { entry, proof: formatProof({ index, path, checkpoint: await cosigned(log, checkpoint) }) };
}

/** @throws what is no such thing */
function missingHash(error: unknown): { readonly broken: string } {
  if (!(error instanceof UnreadableRow)) throw error;
  return { broken: `the tree that proves it has a gap: ${error.why}; "verify" tells more` };
}
