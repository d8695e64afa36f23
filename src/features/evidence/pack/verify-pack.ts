import { type Checkpoint, openCheckpointAside } from '../../../audit/tree/checkpoint.ts';
import { formatVerifierKey, type VerifierKey } from '../../../audit/tree/signed-note.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import { createFaults, type Fault } from './faults.ts';
import type { PackFiles } from './pack-files.ts';
import type { Hidden } from './hidden.ts';
import { fingerprintOf, readSeals, type Seals, signersOf } from './seals.ts';
import type { Shown, Watch } from './read-entries.ts';
import { verifyContent } from './verify-content.ts';

/** A checkpoint that the reader kept, with its signatures. */
export interface Kept extends Checkpoint {
  readonly note: string;
}

/** Keys and checkpoints that the reader of a pack got from elsewhere. */
export interface Handed {
  readonly keys?: readonly VerifierKey[] | undefined;
  /** SHA-256 of keys, as `fingerprintOf` makes it. */
  readonly fingerprints?: readonly string[] | undefined;
  readonly checkpoints?: readonly Kept[] | undefined;
}

/** A signature of the last checkpoint by a witness. */
export interface Cosigned {
  readonly name: string;
  /** In epoch milliseconds. */
  readonly at: number | undefined;
  /** Whether the reader handed in the witness's key. Otherwise anyone may have made it. */
  readonly isGiven: boolean;
}

export interface PackVerdict {
  readonly faults: readonly Fault[];
  /** How many further ones are not listed. */
  readonly more: number;
  readonly seals: Seals | undefined;
  /** Whether what was handed in vouches for the pack. Otherwise someone else may have made all of it. */
  readonly compared: boolean;
  /** Set if the keys that were handed in, or one of the checkpoints, belong to another log. */
  readonly unlike: 'key' | 'checkpoint' | undefined;
  readonly cosigned: readonly Cosigned[];
  /** Whether the checkpoints signed the hashes of the entries. Otherwise no entry is proved. */
  readonly fits: boolean;
  readonly shown: Shown | undefined;
  /** Undefined if not all numbers could be read. */
  readonly hidden: Hidden | undefined;
  /** Handed checkpoints outside of the pack, which it can't be compared with. */
  readonly beyond: readonly Checkpoint[];
  /** Handed checkpoints that the pack continues with entries that no key of theirs signed. */
  readonly continued: readonly Checkpoint[];
}

/**
 * Verifies all that a pack says: its signatures, that its last checkpoint continues the first, that its numbers are
 * complete, that each entry is in the log, and that each row is what its entries say. Never rejects because of what a file
 * contains.
 */
export async function verifyPack(
  files: PackFiles,
  { keys = [], fingerprints = [], checkpoints = [] }: Handed = {},
  watch: Watch = {},
): Promise<PackVerdict> {
  const faults = createFaults(files);
  const seals = await readSeals(files, faults);
  const given = new Set([...keys.map(formatVerifierKey), ...fingerprints]);
  const isGiven = (key: VerifierKey): boolean =>
    given.has(formatVerifierKey(key)) || given.has(fingerprintOf(key));
  const signers = seals ? signersOf(seals.last) : [];
  const isSigned = signers.some(isGiven);
  const cosigned = (seals?.last.signatures ?? [])
    .filter(({ key }) => key.type === 'cosignature')
    .map(({ key, at }) => ({ name: key.name, at, isGiven: isGiven(key) }));
  const {
    agreed = [],
    hidden,
    fits = false,
    shown,
  } = (seals && (await verifyContent({ files, seals, faults, handed: checkpoints, watch }))) ?? {};
  const { entries } = seals?.manifest ?? {};
  const isBeyond = ({ size }: Checkpoint): boolean =>
    !entries || size < entries.first - 1 || size > entries.last;
  const isUnlike = (one: Checkpoint): boolean =>
    one.origin !== seals?.last.origin ||
    (faults.found.length === 0 && !isBeyond(one) && !agreed.includes(one));
  const isStrange = given.size > 0 && !isSigned && !cosigned.some((one) => one.isGiven);
  const unlike = isStrange ? 'key' : checkpoints.some(isUnlike) ? 'checkpoint' : undefined;
  const continued: Checkpoint[] = [];
  for (const one of checkpoints)
    if (agreed.includes(one) && one.size !== entries?.last && !(await isSignedBy(one, signers)))
      continued.push(one);
  return {
    faults: faults.found,
    more: faults.more,
    seals,
    compared: isSigned || agreed.length > continued.length,
    unlike: seals && unlike,
    cosigned,
    hidden,
    fits,
    shown,
    beyond: checkpoints.filter(isBeyond),
    continued,
  };
}

/** Anyone can continue a checkpoint with entries of their own. Only its own signer vouches for a later one. */
async function isSignedBy({ note }: Kept, keys: readonly VerifierKey[]): Promise<boolean> {
  try {
    return signersOf(await openCheckpointAside(note, keys)).length > 0;
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return false;
  }
}
