import { z } from 'zod';

import type { StoredCheckpoint } from '../../../model/records/sealed-log.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import {
  type Checkpoint,
  openCheckpoint,
  originOf,
  parseCheckpoint,
  type SignedCheckpoint,
} from '../../../audit/tree/checkpoint.ts';
import {
  parseContinuation,
  parseProof,
  verifyContinuation,
  verifyProof,
} from '../../../audit/tree/proof-file.ts';
import { noteText } from '../../../audit/tree/signed-note.ts';
import {
  checkOptions,
  type Command,
  command,
  UsageError,
  wholeNumber,
} from '../../../program/run-program.ts';
import { verifyAudit } from '../../../audit/verify/verify-audit.ts';
import { dataDirectory } from '../../../store/open-store.ts';
import { lastSealedCheckpoint } from '../../../audit/own-files.ts';
import {
  nothingSealed,
  readFile,
  readNoteFile,
  readOption,
  verifiersFor,
  whereFrom,
  withLog,
} from './log-and-keys.ts';
import { counted } from '../../../text/words.ts';

const limits = z.object({ 'unsigned-until': wholeNumber(1, Number.MAX_SAFE_INTEGER).optional() });

export const verifyCommand = command({
  summary: 'verify the whole log, optionally against a checkpoint, or verify one proof',
  help: `Usage: npm run audit -- verify [--checkpoint <file>] [--key <key>] [--unsigned-until <number>]
       npm run audit -- verify --proof <file> --entry <file> --key <key>
       npm run audit -- verify --proof <file> --checkpoint <file> --key <key>
Reads every entry, builds the tree from them, and compares it with the stored hashes, indexed columns, checkpoints and
signatures, and with what the replica of DATA_DIR has sealed. Reports the first problem.
  --checkpoint <file>   an earlier published checkpoint that the log must contain; repeatable
  --key <key>           the verifier key, as "key" prints it; repeatable. After a key change, also pass the old one.
                        Default: the keys that sign here
  --unsigned-until <n>  checkpoints up to this number may be signed by other keys; all others must be signed by one of these
  --proof <file>        checks one proof instead, without a database and without configuration: with --entry, that the
                        entry is in the log; with --checkpoint, that the log is consistent with it ("prove --since")
  --entry <file>        the entry that the proof is for
${whereFrom}
Exit code: 0 intact, 1 broken, 2 it could not be read.`,
  options: {
    checkpoint: { type: 'string', multiple: true },
    proof: { type: 'string' },
    entry: { type: 'string' },
    key: { type: 'string', multiple: true },
    'unsigned-until': { type: 'string' },
  },
  async run(values) {
    const { proof, entry, checkpoint: handed = [], key: keys = [] } = values;
    const { 'unsigned-until': until } = checkOptions(limits, values);
    if (proof === undefined && entry === undefined) return verifyLog(handed, keys, until);
    const [earlier, ...more] = handed;
    if (
      proof === undefined ||
      keys.length === 0 ||
      (entry === undefined) === (earlier === undefined) ||
      more.length > 0
    ) {
      throw new UsageError('To verify a proof, use --proof, --key, and either --entry or --checkpoint.');
    }
    const file = readNoteFile('--proof', proof);
    const verifiers = await verifiersFor('', keys);
    if (entry !== undefined) {
      const leaf = readFile('--entry', entry);
      return sayProved('The entry is in', () => verifyProof(parseProof(file), leaf, verifiers));
    }
    const old = await handedOut(readNoteFile('--checkpoint', earlier ?? ''), earlier ?? '', keys);
    return sayProved(`The first ${old.size} entries are unchanged in`, () =>
      verifyContinuation(parseContinuation(file), old, verifiers),
    );
  },
});

export const withVerifications = (
  usual: Command,
  others: readonly (readonly [option: string, verification: Command])[],
): Command => ({
  ...usual,
  help: `${usual.help ?? ''}\n${others.map(([, { help }]) => `\n${help ?? ''}`).join('\n')}`.trimEnd(),
  run(args) {
    const chosen = others.find(([option]) =>
      args.some((arg) => arg === `--${option}` || arg.startsWith(`--${option}=`)),
    );
    return (chosen?.[1] ?? usual).run(args);
  },
});

/** @param prove returns the checkpoint that contains what is proved, or throws BellhopError `bad-input` */
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

async function verifyLog(
  files: readonly string[],
  given: readonly string[],
  unsignedUntil: number | undefined,
): Promise<number> {
  const handed = await Promise.all(
    files.map((file) => handedOut(readNoteFile('--checkpoint', file), file, given)),
  );
  return withLog(async (log) => {
    const [first] = await log.checkpointsFrom(0, 1);
    if (!first && handed.length === 0) throw nothingSealed();
    const began = performance.now();
    const newest = await log.newestCheckpoint();
    const keys = first && newest ? await verifiersFor(originOf(first.note), given, [first, newest]) : [];
    const own = ownCheckpoint(first);
    const verdict = await verifyAudit(log, {
      keys,
      unsignedUntil,
      handed: own ? [...handed, own] : handed,
    });
    if (!verdict.intact) {
      process.stdout.write(`The audit log is broken: ${verdict.why}.\n`);
      if (verdict.unsignedUntil !== undefined) process.stdout.write(otherKeys(verdict.unsignedUntil));
      return 1;
    }
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    const { size, removedReasons = 0 } = verdict;
    const removed =
      removedReasons === 0
        ? ''
        : ` ${counted(removedReasons, 'typed reason was', 'typed reasons were')} removed.`;
    process.stdout.write(`The audit log is intact: ${size} entries in ${seconds} s.${removed}\n`);
    return 0;
  });
}

function ownCheckpoint(first: StoredCheckpoint | undefined): Checkpoint | undefined {
  const own = lastSealedCheckpoint(dataDirectory());
  return own && first && own.origin === originOf(first.note) ? own : undefined;
}

const otherKeys = (until: number): string =>
  `If a key was replaced, pass the previous verifier key too: --key. If that key is lost for a known reason: --unsigned-until ${until}.\n`;

/** A checkpoint that its log has not signed proves nothing. */
async function handedOut(note: string, file: string, given: readonly string[]): Promise<SignedCheckpoint> {
  const option = `--checkpoint: ${file}`;
  const { origin } = readOption(option, () => parseCheckpoint(noteText(note)));
  const keys = await verifiersFor(origin, given);
  return readOption(option, () => openCheckpoint(note, keys));
}
