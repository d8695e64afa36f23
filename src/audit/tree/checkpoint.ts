import { badInput } from '../../model/values/errors.ts';
import type { Hash } from '../../model/records/sealed-log.ts';
import {
  fromBase64,
  openNote,
  openNoteAside,
  type OpenedNote,
  signNote,
  type SigningKey,
  type VerifiedSignature,
  type VerifierKey,
} from './signed-note.ts';

// C2SP tlog-checkpoint: https://c2sp.org/tlog-checkpoint@v1.0.0

export interface Checkpoint {
  readonly origin: string;
  readonly size: number;
  readonly root: Hash;
}

export interface SignedCheckpoint extends Checkpoint {
  readonly text: string;
  /** Has at least one signature, each by a known key. */
  readonly signatures: readonly VerifiedSignature[];
}

export const formatCheckpoint = ({ origin, size, root }: Checkpoint): string =>
  `${origin}\n${size}\n${root.toString('base64')}\n`;

/** Returns the log's name, which is the first line of a checkpoint. Nothing is verified. */
export const originOf = (note: string): string => note.split('\n', 1)[0] ?? '';

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
    return { origin, size: leaves, root: bytes };
  }
  throw badInput('Not a checkpoint. The lines of a checkpoint are origin, size and root hash.');
}

/**
 * Opens a checkpoint that one of these keys has signed for its own log. A log's keys are named after the log's origin.
 * Signatures by witnesses' keys are verified and returned, too.
 * @throws BellhopError `bad-input` if the note is not a checkpoint, or no key of the log signed it
 */
export const openCheckpoint = (note: string, keys: readonly VerifierKey[]): SignedCheckpoint =>
  signedCheckpoint(openNote(note, keys));

/** Opens a checkpoint like `openCheckpoint`, but verifies signatures off this thread. */
export const openCheckpointAside = async (
  note: string,
  keys: readonly VerifierKey[],
): Promise<SignedCheckpoint> => signedCheckpoint(await openNoteAside(note, keys));

function signedCheckpoint({ text, signatures }: OpenedNote): SignedCheckpoint {
  const checkpoint = parseCheckpoint(text);
  if (signatures.some(({ key }) => key.type === 'note' && key.name === checkpoint.origin)) {
    return { ...checkpoint, text, signatures };
  }
  throw badInput(
    `The checkpoint of ${checkpoint.origin} at ${checkpoint.size} is not signed by a known key of that log.`,
  );
}

/** Reads ASCII digits without a leading zero, up to the largest safe integer. */
export function parseDecimal(text: string): number | undefined {
  if (!/^(?:0|[1-9]\d{0,15})$/u.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}
