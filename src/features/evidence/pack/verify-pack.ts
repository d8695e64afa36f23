import { type Checkpoint, openCheckpointAside } from '../../../audit/tree/checkpoint.ts';
import { formatVerifierKey, type VerifierKey } from '../../../audit/tree/signed-note.ts';
import { rescued } from '../../../model/values/errors.ts';
import { compareRows } from './compare-rows.ts';
import type { Watch } from './content.ts';
import { createFaults } from './faults.ts';
import { growTree } from './numbers.ts';
import type { PackFiles } from './pack-files.ts';
import { readEntries } from './read-entries.ts';
import { fingerprintOf, readSeals, type Seals, signersOf } from './seals.ts';

export interface Kept extends Checkpoint {
  readonly note: string;
}

/** The reader of a pack got these from elsewhere. */
export interface Handed {
  readonly keys?: readonly VerifierKey[] | undefined;
  /** As `fingerprintOf` makes them. */
  readonly fingerprints?: readonly string[] | undefined;
  readonly checkpoints?: readonly Kept[] | undefined;
}

export interface VerifiedPack extends Awaited<ReturnType<typeof verifyPack>> {
  readonly isInLog?: boolean;
}

/**
 * Verifies that the signatures are valid, the last checkpoint continues the first, no number is missing, each entry is in the log, and each
 * row follows from its entries. Never rejects because of the content of a file.
 */
export async function verifyPack(files: PackFiles, handed: Handed = {}, watch: Watch = {}) {
  const faults = createFaults(files);
  const seals = await readSeals(files, faults);
  const content = seals && { files, seals, faults, watch };
  const grown = content && (await growTree(content, handed.checkpoints ?? []));
  const entries = grown && (await readEntries(content, grown.fits));
  if (entries && grown.fits) await compareRows(content, entries);
  const isSound = faults.found.length === 0;
  return {
    faults: faults.found,
    more: faults.more(),
    /** Undefined only if there are faults. */
    seals,
    hidden: grown?.hidden,
    shown: grown?.fits ? entries?.shown : undefined,
    ...(await vouch(seals, handed, grown?.agreed ?? [], isSound)),
  };
}

const namesOf = (key: VerifierKey): readonly string[] => [formatVerifierKey(key), fingerprintOf(key)];

/** @param agreed the reader's checkpoints that match the hashes in numbers.csv */
async function vouch(
  seals: Seals | undefined,
  { keys = [], fingerprints = [], checkpoints = [] }: Handed,
  agreed: readonly Kept[],
  isSound: boolean,
) {
  const given = [...keys.map(formatVerifierKey), ...fingerprints];
  const isGiven = (key: VerifierKey): boolean => namesOf(key).some((name) => given.includes(name));
  const signers = seals ? signersOf(seals.last) : [];
  const witnesses = seals?.last.signatures.filter(({ key }) => key.type === 'cosignature') ?? [];
  const signed = new Set([...signers, ...witnesses.map(({ key }) => key)].flatMap(namesOf));
  const strangers = given.filter((name) => !signed.has(name));
  // If any given key has signed, given keys of witnesses need not have. All other given keys and fingerprints must have.
  const optional = new Set(keys.filter(({ type }) => type === 'cosignature').map(formatVerifierKey));
  const isStrange = strangers.length === given.length || strangers.some((name) => !optional.has(name));
  const isSigned = signers.some(isGiven);
  const { first = 1, last = 0 } = seals?.manifest.entries ?? {};
  const beyond = checkpoints.filter(({ size }) => size < first - 1 || size > last);
  const isUnlike = (one: Kept): boolean =>
    one.origin !== seals?.last.origin || (isSound && !beyond.includes(one) && !agreed.includes(one));
  const isOtherKey = given.length > 0 && !isSigned && isStrange;
  const isOtherLog = checkpoints.some(isUnlike);
  const continued: Kept[] = [];
  for (const one of agreed) if (one.size !== last && !(await isSignedBy(one, signers))) continued.push(one);
  return {
    /** Whether a given key or checkpoint vouches for the pack. Otherwise, someone else may have made all of it. */
    compared: isSigned || agreed.length > continued.length,
    /** Set if a key or a checkpoint belongs to another log. */
    unlike: seals && (isOtherKey ? ('key' as const) : isOtherLog ? ('checkpoint' as const) : undefined),
    strangers,
    /** If the key of a witness was not given, anyone may have made its signature. */
    cosigned: witnesses.map(({ key, at }) => ({ name: key.name, at, isGiven: isGiven(key) })),
    /** Their size is outside of the pack, so they can't be compared with it. */
    beyond,
    /** The pack continues these checkpoints, although none of the keys that signed them signed its last checkpoint. */
    continued,
  };
}

/**
 * Whether one of the keys signed the checkpoint. Anyone can continue a checkpoint with entries of their own, so only
 * its signer vouches for a later one.
 */
const isSignedBy = ({ note }: Kept, keys: readonly VerifierKey[]): Promise<boolean> =>
  openCheckpointAside(note, keys).then(
    (opened) => signersOf(opened).length > 0,
    rescued(() => false),
  );
