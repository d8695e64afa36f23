import { BellhopError } from '../../../core/model/errors.ts';
import {
  openCheckpoint,
  parseCheckpoint,
  type SignedCheckpoint,
} from '../../../core/transparency/checkpoint.ts';
import {
  parseContinuation,
  parseProof,
  verifyContinuation,
  verifyProof,
} from '../../../core/transparency/proof-file.ts';
import { noteText } from '../../../core/transparency/signed-note.ts';
import { readOptions, UsageError } from '../../../program/run-program.ts';
import { verifyAudit } from '../../../store/cli/verify-audit.ts';
import { type AuditCommand, originOf, readFile, verifiersFor, whereFrom, withLog } from './command.ts';
import { nothingSealed } from './key.ts';

const options = {
  checkpoint: { type: 'string', multiple: true },
  proof: { type: 'string' },
  entry: { type: 'string' },
  key: { type: 'string', multiple: true },
} as const;

/** The whole log, or one proof. */
export const verify: AuditCommand = {
  summary: 'check the whole log, that it continues a checkpoint, or one proof',
  help: `Usage: npm run audit -- verify [--checkpoint <file>] [--key <key>]
       npm run audit -- verify --proof <file> --entry <file> --key <key>
       npm run audit -- verify --proof <file> --checkpoint <file> --key <key>
Reads every entry, grows the tree over them and compares it with all that is stored: hashes, searched columns, checkpoints
and their signatures. Names the first thing that is wrong.
  --checkpoint <file>   a checkpoint that was handed out earlier: the log must continue it; repeatable
  --key <key>           the verifier key, as "key" prints it; repeatable. Left out: the keys that sign here
  --proof <file>        checks one proof instead, without a database and without configuration: with --entry, that the
                        entry is in the log; with --checkpoint, that the log continues it ("prove --since")
  --entry <file>        the entry that it is of
${whereFrom}
Exit code: 0 whole, 1 broken, 2 it could not look.`,
  async run(args) {
    const { values } = readOptions(args, options);
    const { proof, entry, checkpoint: handed = [], key: keys = [] } = values;
    if (proof === undefined && entry === undefined) return verifyLog(handed, keys);
    const [earlier, ...more] = handed;
    if (
      proof === undefined ||
      keys.length === 0 ||
      (entry === undefined) === (earlier === undefined) ||
      more.length > 0
    ) {
      throw new UsageError('A proof is checked with --proof, --key, and either --entry or --checkpoint.');
    }
    const file = readFile('--proof', proof).toString();
    const verifiers = verifiersFor('', keys);
    if (entry !== undefined) {
      const leaf = readFile('--entry', entry);
      return sayProved('The entry is in', () => verifyProof(parseProof(file), leaf, verifiers));
    }
    const old = handedOut(readFile('--checkpoint', earlier ?? '').toString(), earlier ?? '', keys);
    return sayProved(`The first ${old.size} entries are unchanged in`, () =>
      verifyContinuation(parseContinuation(file), old, verifiers),
    );
  },
};

/** @param prove resolves to the checkpoint that has it, or throws BellhopError `bad-input` */
function sayProved(what: string, prove: () => SignedCheckpoint): number {
  try {
    const { origin, size, signatures } = prove();
    const by = signatures.map(({ key }) => key.name).join(', ');
    process.stdout.write(`${what} the log ${origin}, in its tree of ${size} entries, signed by ${by}.\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    process.stdout.write(`${error.message}\n`);
    return 1;
  }
}

async function verifyLog(files: readonly string[], given: readonly string[]): Promise<number> {
  const handed = files.map((file) => handedOut(readFile('--checkpoint', file).toString(), file, given));
  return withLog(async (log) => {
    const [first] = await log.checkpointsFrom(0, 1);
    if (!first && handed.length === 0) throw nothingSealed();
    const began = performance.now();
    const newest = await log.newestCheckpoint();
    const keys = first && newest ? verifiersFor(originOf(first), given, [first, newest]) : [];
    const verdict = await verifyAudit(log, { keys, handed });
    if (!verdict.intact) {
      process.stdout.write(`The audit log is broken: ${verdict.why}.\n`);
      return 1;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    process.stdout.write(`The audit log is whole: ${verdict.size} entries in ${seconds} s.\n`);
    return 0;
  });
}

/** One that its log has signed: what else would it prove? */
function handedOut(note: string, file: string, given: readonly string[]): SignedCheckpoint {
  try {
    const { origin } = parseCheckpoint(noteText(note));
    return openCheckpoint(note, verifiersFor(origin, given));
  } catch (error) {
    if (!(error instanceof BellhopError) || error.code !== 'bad-input') throw error;
    throw new UsageError(`--checkpoint: ${file}: ${error.message}`, { cause: error });
  }
}
