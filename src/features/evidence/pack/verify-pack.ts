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

/** A pack with what is wrong with it, and with what vouches for it. Its page, the command and README.txt draw on it. */
export interface VerifiedPack extends Awaited<ReturnType<typeof verifyPack>> {
  /** Set if the pack was compared with the log itself, too. */
  readonly isInLog?: boolean;
}

/**
 * Verifies all that a pack says: its signatures, that its last checkpoint continues the first, that its numbers are
 * complete, that each entry is in the log, and that each row is what its entries say. Never rejects because of what a file
 * contains.
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
    /** How many further ones are not listed. */
    more: faults.more(),
    /** Undefined only if there are faults. */
    seals,
    hidden: grown?.hidden,
    shown: grown?.fits ? entries?.shown : undefined,
    ...(await vouch(seals, handed, grown?.agreed ?? [], isSound)),
  };
}

/** People compare either. */
const namesOf = (key: VerifierKey): readonly string[] => [formatVerifierKey(key), fingerprintOf(key)];

/** Says what the keys and checkpoints of the reader show. @param agreed the checkpoints that the numbers agree with */
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
  // A further witness need not have signed, but one of the given keys, and a key of the log, must have.
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
    /** Whether one of them vouches for the pack. Otherwise someone else may have made all of it. */
    compared: isSigned || agreed.length > continued.length,
    /** Set if a key or a checkpoint belongs to another log. */
    unlike: seals && (isOtherKey ? ('key' as const) : isOtherLog ? ('checkpoint' as const) : undefined),
    /** The keys and fingerprints that signed nothing here. */
    strangers,
    /** Signatures of the last checkpoint by witnesses. Anyone may have made those whose key was not given. */
    cosigned: witnesses.map(({ key, at }) => ({ name: key.name, at, isGiven: isGiven(key) })),
    /** Checkpoints outside of the pack, which it can't be compared with. */
    beyond,
    /** Checkpoints that the pack continues with entries that no key of theirs signed. */
    continued,
  };
}

/** Anyone can continue a checkpoint with entries of their own. Only its own signer vouches for a later one. */
const isSignedBy = ({ note }: Kept, keys: readonly VerifierKey[]): Promise<boolean> =>
  openCheckpointAside(note, keys).then(
    (opened) => signersOf(opened).length > 0,
    rescued(() => false),
  );
