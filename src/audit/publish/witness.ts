import type { SealedLog, StoredCheckpoint } from '../../model/sealed-log.ts';
import { parseDecimal } from '../tree/checkpoint.ts';
import { formatContinuation } from '../tree/proof-file.ts';
import { proveConsistency } from '../tree/proofs.ts';
import { openNote, parseVerifierKey, type VerifiedSignature, type VerifierKey } from '../tree/signed-note.ts';
import { ContradictedError, sendNote } from './publish.ts';

// C2SP tlog-witness: https://c2sp.org/tlog-witness

export interface Witness {
  readonly name: string;
  /**
   * Has it verify that this checkpoint continues the last one it saw, and cosign it.
   * @throws ContradictedError where it does not; Error where it does not answer, or answers anything but a cosignature of its key
   */
  cosign(checkpoint: StoredCheckpoint): Promise<VerifiedSignature>;
}

/** It asks twice at most: once with the size that it remembers, once with the one that the witness names. */
const tries = 2;

/** @param key its verifier key, as text */
export function createWitness(
  { url, key: written }: { readonly url: string; readonly key: string },
  log: Pick<SealedLog, 'readHashes'>,
): Witness {
  const key = parseVerifierKey(written);
  /** How many entries it has seen, as far as is known here. */
  let seen = 0;

  const submit = async ({ size, note }: StoredCheckpoint): ReturnType<typeof sendNote> => {
    const path = seen === 0 ? [] : await proveConsistency(log.readHashes, seen, size);
    const body = formatContinuation({ from: seen, path, checkpoint: note });
    return sendNote('POST', `${url.replace(/\/$/u, '')}/add-checkpoint`, body);
  };

  return {
    name: key.name,
    async cosign(checkpoint) {
      for (let left = tries; left > 0; left -= 1) {
        if (seen > checkpoint.size) {
          const sizes = `${seen} entries, and this log has ${checkpoint.size}`;
          seen = 0;
          throw new ContradictedError(`The witness ${key.name} has seen ${sizes}.`);
        }
        const { status, text } = await submit(checkpoint);
        if (status === 200) {
          seen = checkpoint.size;
          return cosignatureIn(checkpoint.note + text, key);
        }
        const known = status === 409 ? parseDecimal(text.trim()) : undefined;
        if (known === undefined) {
          seen = 0;
          throw refusal(`The witness ${key.name} answered ${status}`, status);
        }
        seen = known;
      }
      throw new Error(`The witness ${key.name} named two sizes in turn.`);
    },
  };
}

/** @throws Error where no signature of the note is of this key */
function cosignatureIn(note: string, key: VerifierKey): VerifiedSignature {
  const [signature] = openNote(note, [key]).signatures;
  if (signature) return signature;
  throw new Error(`The witness ${key.name} answered without a cosignature of its key.`);
}

/** By C2SP tlog-witness, 422 is that the proof of consistency does not hold. */
const refusal = (answered: string, status: number): Error =>
  status === 422
    ? new ContradictedError(`${answered}: it says that this log does not continue what it has seen.`)
    : new Error(`${answered}${reasons[status] ?? ''}.`);

const reasons: Readonly<Record<number, string>> = {
  403: ': it does not have the key of this log',
  404: ': it does not know this log',
};
