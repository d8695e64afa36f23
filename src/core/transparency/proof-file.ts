import { BellhopError } from '../model/errors.ts';
import { openCheckpoint, parseDecimal, type SignedCheckpoint } from './checkpoint.ts';
import { type Hash, leafHash } from './merkle.ts';
import { verifyInclusion } from './proofs.ts';
import { fromBase64, longestNote, type VerifierKey } from './signed-note.ts';

// C2SP tlog-proof: https://c2sp.org/tlog-proof@v1

const firstLine = 'c2sp.org/tlog-proof@v1';
const longestPath = 63;

/** That a leaf is in a log: its place, the path to the root, and the checkpoint that has it. */
export interface InclusionProof {
  /** From 0. */
  readonly index: number;
  readonly path: readonly Hash[];
  /** A signed note. */
  readonly checkpoint: string;
  /** Of no meaning to Bellhop, which writes none. */
  readonly extra?: Buffer | undefined;
}

export function formatProof({ index, path, checkpoint, extra }: InclusionProof): string {
  const lines = [
    firstLine,
    ...(extra ? [`extra ${extra.toString('base64')}`] : []),
    `index ${index}`,
    ...path.map((hash) => hash.toString('base64')),
  ];
  return `${lines.join('\n')}\n\n${checkpoint}`;
}

/** @throws BellhopError `bad-input` where it is no proof */
export function parseProof(file: string): InclusionProof {
  const divide = file.indexOf('\n\n');
  if (divide < 0 || file.length > 2 * longestNote)
    throw noProof('it has no empty line before its checkpoint');
  const [first, ...lines] = file.slice(0, divide).split('\n');
  if (first !== firstLine) throw noProof(`its first line is not ${firstLine}`);
  const extra = lines[0]?.startsWith('extra ') ? fromBase64(lines.shift()?.slice(6) ?? '') : undefined;
  const [, digits = ''] = /^index (.*)$/u.exec(lines.shift() ?? '') ?? [];
  const index = parseDecimal(digits);
  if (index === undefined) throw noProof('its index is missing');
  if (lines.length > longestPath) throw noProof('its path is too long');
  const path = lines.map((line) => {
    const hash = fromBase64(line);
    if (hash?.length !== 32) throw noProof('its path has a line that is no hash');
    return hash;
  });
  return { index, path, checkpoint: file.slice(divide + 2), extra };
}

/**
 * Whether the leaf is where the proof says, in the log that one of these keys belongs to.
 * @returns the checkpoint that has it
 * @throws BellhopError `bad-input`, which names what does not fit
 */
export function verifyProof(
  { index, path, checkpoint: note }: InclusionProof,
  leaf: Buffer,
  keys: readonly VerifierKey[],
): SignedCheckpoint {
  const checkpoint = openCheckpoint(note, keys);
  if (verifyInclusion(leafHash(leaf), index, checkpoint, path)) return checkpoint;
  throw new BellhopError(
    'bad-input',
    `The proof does not lead from this entry to the root of the checkpoint at ${checkpoint.size}: the entry or the proof was changed.`,
  );
}

const noProof = (why: string): BellhopError => new BellhopError('bad-input', `That is no proof: ${why}.`);
