import type { Checkpoint } from '../../../audit/tree/checkpoint.ts';
import { formatVerifierKey, type VerifierKey } from '../../../audit/tree/signed-note.ts';
import { createFaults, type Fault } from './faults.ts';
import type { PackFiles } from './pack-files.ts';
import type { Hidden } from './hidden.ts';
import { fingerprintOf, readSeals, type Seals } from './seals.ts';
import type { Watch } from './read-entries.ts';
import { verifyContent } from './verify-content.ts';

/** Keys and checkpoints that the reader of a pack got from elsewhere. */
export interface Handed {
  readonly keys?: readonly VerifierKey[] | undefined;
  /** SHA-256 of keys, as `fingerprintOf` makes it. */
  readonly fingerprints?: readonly string[] | undefined;
  readonly checkpoints?: readonly Checkpoint[] | undefined;
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
  /** Whether the checkpoints signed the hashes of the entries. Otherwise no entry is proved. */
  readonly fits: boolean;
  /** The time of the first entry that the pack has, in epoch milliseconds. */
  readonly since: number | undefined;
  /** Undefined if not all numbers could be read. */
  readonly hidden: Hidden | undefined;
  /** Handed checkpoints outside of the pack, which it can't be compared with. */
  readonly beyond: readonly Checkpoint[];
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
  // A witness signs the checkpoints of any log.
  const isSigned = seals?.last.signatures.some(({ key }) => key.type === 'note' && isGiven(key)) ?? false;
  const {
    agreed = [],
    hidden,
    fits = false,
    since,
  } = (seals && (await verifyContent({ files, seals, faults, handed: checkpoints, watch }))) ?? {};
  const { entries } = seals?.manifest ?? {};
  const isBeyond = ({ size }: Checkpoint): boolean =>
    !entries || size < entries.first - 1 || size > entries.last;
  const isUnlike = (one: Checkpoint): boolean =>
    one.origin !== seals?.last.origin ||
    (faults.found.length === 0 && !isBeyond(one) && !agreed.includes(one));
  const unlike = given.size > 0 && !isSigned ? 'key' : checkpoints.some(isUnlike) ? 'checkpoint' : undefined;
  return {
    faults: faults.found,
    more: faults.more,
    seals,
    compared: isSigned || agreed.length > 0,
    unlike: seals && unlike,
    hidden,
    fits,
    since,
    beyond: checkpoints.filter(isBeyond),
  };
}
