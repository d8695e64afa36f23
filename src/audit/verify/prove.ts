import { UnreadableRow } from '../../model/values/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../tree/checkpoint.ts';
import { leafHash, leafText } from '../tree/merkle.ts';
import { formatContinuation, formatProof } from '../tree/proof-file.ts';
import { proveConsistency, proveInclusion, verifyConsistency, verifyInclusion } from '../tree/proofs.ts';
import { noteText } from '../tree/signed-note.ts';
import type { Cosignatures, SealedLog, StoredCheckpoint } from '../../model/records/sealed-log.ts';

interface Broken {
  readonly broken: string;
}

type Continuation = { readonly continuation: string } | Broken;

/** Returns the proof that the current log continues an earlier checkpoint, or undefined if nothing is sealed. */
export async function proveContinuation(
  log: SealedLog & Cosignatures,
  earlier: Checkpoint,
): Promise<Continuation | undefined> {
  const newest = await log.newestCheckpoint();
  if (!newest) return undefined;
  const now = parseCheckpoint(noteText(newest.note));
  if (now.origin !== earlier.origin) return { broken: `its origin is ${now.origin}, not ${earlier.origin}` };
  if (now.size < earlier.size)
    return { broken: `entries ${now.size + 1} to ${earlier.size} were removed from the end` };
  const { size: from } = earlier;
  const path = from === 0 ? [] : await proveConsistency(log.readHashes, from, now.size).catch(missingHash);
  if ('broken' in path) return path;
  if (!verifyConsistency(earlier, now, path))
    return { broken: `it is not consistent with the checkpoint of ${from} entries; "verify" shows details` };
  return { continuation: formatContinuation({ from, path, checkpoint: await cosigned(log, newest) }) };
}

type Proved =
  | {
      readonly entry: string;
      readonly proof: string;
      /** The typed reason, with the salt. The SHA-256 hash of this text is in the entry. */
      readonly reason?: string | undefined;
    }
  | Broken;

export async function proveEntry(log: SealedLog & Cosignatures, number: number): Promise<Proved | undefined> {
  const checkpoint = await checkpointFor(log, number);
  const [leaf] = await log.leavesFrom(number - 1, 1);
  if (!checkpoint) return undefined;
  if (leaf?.number !== number) return { broken: 'it was removed' };
  const { size, root } = parseCheckpoint(noteText(checkpoint.note));
  const index = number - 1;
  const path = await proveInclusion(log.readHashes, index, size).catch(missingHash);
  if ('broken' in path) return path;
  const entry = leafText(number, leaf.draft);
  if (!verifyInclusion(leafHash(entry), index, { size, root }, path)) {
    return { broken: `it differs from what checkpoint ${checkpoint.number} signed; "verify" shows details` };
  }
  const proof = formatProof({ index, path, checkpoint: await cosigned(log, checkpoint) });
  return { entry, proof, reason: leaf.reason?.typed };
}

function missingHash(error: unknown): Broken {
  if (!(error instanceof UnreadableRow)) throw error;
  return { broken: `its tree has a gap: ${error.why}; "verify" shows details` };
}

export async function cosigned(log: Cosignatures, { number, size, note }: StoredCheckpoint): Promise<string> {
  const lines = await log.cosignaturesOf(size);
  return note + lines.flatMap((one) => (one.number === number ? [`${one.line}\n`] : [])).join('');
}

/**
 * Returns the first cosigned checkpoint that covers this many entries, or else the newest checkpoint. Returns undefined
 * if the entries are not sealed yet.
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
