import { badInput, type BellhopError } from '../../model/values/errors.ts';
import { type Checkpoint, openCheckpoint, parseDecimal, type SignedCheckpoint } from './checkpoint.ts';
import type { Hash } from '../../model/records/sealed-log.ts';
import { leafHash } from './merkle.ts';
import { verifyConsistency, verifyInclusion } from './proofs.ts';
import { fromBase64, longestNote, type VerifierKey } from './signed-note.ts';

// C2SP tlog-proof: https://c2sp.org/tlog-proof@v1

const firstLine = 'c2sp.org/tlog-proof@v1';
const longestPath = 63;

export interface InclusionProof {
  readonly index: number;
  readonly path: readonly Hash[];
  readonly checkpoint: string;
}

export function formatProof({ index, path, checkpoint }: InclusionProof): string {
  const lines = [firstLine, `index ${index}`, ...path.map((hash) => hash.toString('base64'))];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** @throws BellhopError `bad-input` if the file is not a proof */
export function parseProof(file: string): InclusionProof {
  const { first, lines, checkpoint } = splitProof(file);
  if (first !== firstLine) throw noProof(`its first line is not ${firstLine}`);
  // Bellhop writes no extra data.
  if (lines[0]?.startsWith('extra ')) lines.shift();
  const [, digits = ''] = /^index (.*)$/u.exec(lines.shift() ?? '') ?? [];
  const index = parseDecimal(digits);
  if (index === undefined) throw noProof('its index is missing');
  return { index, path: parsePath(lines), checkpoint };
}

/** @throws BellhopError `bad-input` if the file is not a proof */
function splitProof(file: string): { first: string; lines: string[]; checkpoint: string } {
  const divide = file.indexOf('\n\n');
  if (file.length > 2 * longestNote) throw noProof('it is too long');
  if (divide < 0) throw noProof('it has no empty line before its checkpoint');
  const [first = '', ...lines] = file.slice(0, divide).split('\n');
  return { first, lines, checkpoint: file.slice(divide + 2) };
}

/** @throws BellhopError `bad-input` if a line is not a hash */
function parsePath(lines: readonly string[]): readonly Hash[] {
  if (lines.length > longestPath) throw noProof('its path is too long');
  return lines.map((line) => {
    const hash = fromBase64(line);
    if (hash?.length === 32) return hash;
    throw noProof('its path has a line that is not a hash');
  });
}

/**
 * Verifies that the leaf is at the proof's position, in the log that one of these keys belongs to.
 * @returns the checkpoint that contains the leaf
 * @throws BellhopError `bad-input`, which names what does not fit
 */
export function verifyProof(
  { index, path, checkpoint: note }: InclusionProof,
  leaf: Buffer,
  keys: readonly VerifierKey[],
): SignedCheckpoint {
  const checkpoint = openCheckpoint(note, keys);
  if (verifyInclusion(leafHash(leaf), index, checkpoint, path)) return checkpoint;
  throw badInput(
    `Proof invalid: this entry is not in the log at checkpoint ${checkpoint.size}, or the proof was changed.`,
  );
}

/** Proves that a log is consistent with an earlier checkpoint. This is the body of `add-checkpoint` of C2SP tlog-witness. */
export interface ContinuationProof {
  readonly from: number;
  readonly path: readonly Hash[];
  readonly checkpoint: string;
}

export const formatContinuation = ({ from, path, checkpoint }: ContinuationProof): string =>
  `${[`old ${from}`, ...path.map((hash) => hash.toString('base64'))].join('\n')}\n\n${checkpoint}`;

/** @throws BellhopError `bad-input` if the file is not such a proof */
export function parseContinuation(file: string): ContinuationProof {
  const { first, lines, checkpoint } = splitProof(file);
  const [, digits = ''] = /^old (.*)$/u.exec(first) ?? [];
  const from = parseDecimal(digits);
  if (from === undefined) throw noProof('its first line is not “old” and a number');
  return { from, path: parsePath(lines), checkpoint };
}

/**
 * Verifies that the log is consistent with this earlier checkpoint, so that nothing before that checkpoint was changed. One of
 * these keys must have signed the current checkpoint.
 * @returns the current checkpoint
 * @throws BellhopError `bad-input`, which names what does not fit
 */
export function verifyContinuation(
  { from, path, checkpoint: note }: ContinuationProof,
  earlier: Checkpoint,
  keys: readonly VerifierKey[],
): SignedCheckpoint {
  const checkpoint = openCheckpoint(note, keys);
  const { origin, size } = checkpoint;
  if (origin !== earlier.origin)
    throw badInput(`The proof is for the log ${origin}, not for ${earlier.origin}.`);
  if (from === earlier.size && verifyConsistency(earlier, checkpoint, path)) return checkpoint;
  throw badInput(
    `Proof invalid: the log at ${size} entries is not consistent with the checkpoint at ${earlier.size}, or the proof was changed.`,
  );
}

const noProof = (why: string): BellhopError => badInput(`Not a proof: ${why}.`);
