import { BellhopError } from '../../model/values/errors.ts';
import type { Hash } from '../../model/records/sealed-log.ts';
import {
  fromBase64,
  openNote,
  signNote,
  type SigningKey,
  type VerifiedSignature,
  type VerifierKey,
} from './signed-note.ts';

// C2SP tlog-checkpoint: https://c2sp.org/tlog-checkpoint@v1.0.0

/** The state of a log at one size: its name, the number of leaves, and their root. */
export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
  /** Extension lines. Bellhop writes none. */
  readonly extensions?: readonly string[] | undefined;
}

export interface SignedCheckpoint extends Checkpoint {
  /** The note's text: what was signed. */
  readonly text: string;
  /** Signatures by known keys, at least one. */
  readonly signatures: readonly VerifiedSignature[];
}

export const formatCheckpoint = ({ origin, size, root, extensions = [] }: Checkpoint): string =>
  [origin, String(size), root.toString('base64'), ...extensions, ''].join('\n');

/** The name of the log in a checkpoint of it, unverified: its first line. */
export const originOf = (note: string): string => note.split('\n', 1)[0] ?? '';

/** The signed note. Each key signs under the origin's name. */
export const signCheckpoint = (checkpoint: Checkpoint, keys: readonly SigningKey[]): string =>
  signNote(formatCheckpoint(checkpoint), checkpoint.origin, keys);

/** @throws BellhopError `bad-input` if the text is not a checkpoint */
export function parseCheckpoint(text: string): Checkpoint {
  const [origin = '', size = '', root = '', ...extensions] = text.split('\n');
  const end = extensions.pop();
  const bytes = fromBase64(root);
  const leaves = parseDecimal(size);
  const whole = end === '' && !extensions.includes('');
  if (whole && origin !== '' && leaves !== undefined && bytes?.length === 32) {
    return { origin, size: leaves, root: bytes, extensions };
  }
  throw new BellhopError(
    'bad-input',
    'Not a checkpoint. The lines of a checkpoint are origin, size and root hash.',
  );
}

/**
 * A checkpoint of the log that one of these keys belongs to. Keys of the log have its origin as their name. Signatures by
 * witnesses' keys are verified and returned, too; one by the log itself is required.
 * @throws BellhopError `bad-input` if it is not a checkpoint, or no such key signed it
 */
export function openCheckpoint(note: string, keys: readonly VerifierKey[]): SignedCheckpoint {
  const { text, signatures } = openNote(note, keys);
  const checkpoint = parseCheckpoint(text);
  if (signatures.some(({ key }) => key.type === 'note' && key.name === checkpoint.origin)) {
    return { ...checkpoint, text, signatures };
  }
  throw new BellhopError(
    'bad-input',
    `The checkpoint of ${checkpoint.origin} at ${checkpoint.size} is not signed by a known key.`,
  );
}

/** ASCII digits without a leading zero, up to the largest safe integer. */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,15})$/u.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
