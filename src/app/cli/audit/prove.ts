import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { leafText } from '../../../core/audit/sealed-log.ts';
import type { Cosignatures, SealedLog } from '../../../core/audit/sealed-log.ts';
import { parseCheckpoint } from '../../../core/transparency/checkpoint.ts';
import { leafHash } from '../../../core/transparency/merkle.ts';
import { formatProof } from '../../../core/transparency/proof-file.ts';
import { proveInclusion, verifyInclusion } from '../../../core/transparency/proofs.ts';
import { noteText } from '../../../core/transparency/signed-note.ts';
import { readOptions, UsageError } from '../../../program/run-program.ts';
import { UnreadableRow } from '../../../store/queries/parse-row.ts';
import { checkpointFor, cosigned } from './checkpoint.ts';
import { type AuditCommand, whereFrom, withLog } from './command.ts';

/** An entry, to be shown to somebody who has nothing but the key. */
export const prove: AuditCommand = {
  summary: 'write an entry and the proof that it is in the log',
  help: `Usage: npm run audit -- prove <number> [--out <folder>]
Writes two files into the folder, and prints their paths: <number>.json, the entry byte by byte, and <number>.tlog-proof (C2SP tlog-proof@v1).
Without --out the proof alone is printed. Whoever has the verifier key checks them without a database:
  npm run audit -- verify --proof 1042.tlog-proof --entry 1042.json --key <key>
${whereFrom}
Exit code: 0, 1 where the entry or the tree was tampered with, or 2 where there is no such entry, or it is not sealed yet.`,
  async run(args) {
    const { values, positionals } = readOptions(args, { out: { type: 'string' } }, true);
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
