import type { LogKeys } from '../../audit/tree/signing-key.ts';
import { type Checkpoint, openCheckpoint, originOf, parseCheckpoint } from '../../audit/tree/checkpoint.ts';
import { createTree, type MerkleTree, readTree, treeOfEdge } from '../../audit/tree/merkle.ts';
import { noteText, verifierOf } from '../../audit/tree/signed-note.ts';
import {
  type Hash,
  type LastSealed,
  SealingStopped,
  type StoredCheckpoint,
} from '../../model/records/sealed-log.ts';
import { BellhopError, UnreadableRow } from '../../model/values/errors.ts';
import type { Queries } from '../database/database.ts';
import { readHashes } from './sealed-log.ts';

/** Read before. */
interface Known {
  readonly newest: StoredCheckpoint | undefined;
  readonly head?: { readonly edge: string };
  /** After those that this replica knows, in order. */
  readonly leaves?: readonly { readonly seq: number; readonly hash: Hash }[];
}

export const leavesAtOnce = 2000;

/**
 * The tree of the newest checkpoint, grown from the last tree that this replica signed or verified. The first time, the signature alone
 * decides. Either way, the root is the signed one. The edge stored with the head saves reading the tree, and is ignored if it is of another
 * tree.
 * @throws SealingStopped
 */
export async function trustedTree(
  queries: Queries,
  keys: LogKeys,
  { newest, head, leaves = [] }: Known,
  last: LastSealed | undefined,
): Promise<MerkleTree> {
  const before = last && parseCheckpoint(noteText(last.note));
  if (!newest) {
    if (before) throw setBack(before, 0);
    return createTree();
  }
  const signed = openNewest(newest, keys);
  if (!before) {
    const edge = (head?.edge.match(/.{64}/gu) ?? []).map((hash) => Buffer.from(hash, 'hex'));
    return treeOfEdge(signed.size, edge, signed.root) ?? storedTree(queries, signed);
  }
  if (signed.origin !== before.origin) {
    throw new SealingStopped(
      `The audit log's origin is ${signed.origin}, but this replica has sealed ${before.origin}`,
    );
  }
  if (signed.size < before.size) throw setBack(before, signed.size);
  const edge = last.edge && treeOfEdge(before.size, last.edge, before.root);
  const tree = edge ?? (await storedTree(queries, before));
  for (const { seq, hash } of leaves)
    if (seq === tree.size + 1 && seq <= signed.size && hash.length === 32) tree.append(hash);
  await growTo(queries, tree, signed.size);
  if (tree.root().equals(signed.root)) return tree;
  throw new SealingStopped(
    `The audit log is not consistent with the ${before.size} entries that this replica has sealed`,
  );
}

const setBack = ({ size }: Checkpoint, found: number): SealingStopped =>
  new SealingStopped(
    `The audit log was rolled back: this replica has sealed ${size} entries, but the log has ${found}`,
  );

function openNewest({ number, size, note }: StoredCheckpoint, keys: LogKeys): Checkpoint {
  const unsigned = `Checkpoint ${number} of the audit log is not signed by a key of this replica`;
  try {
    const origin = originOf(note);
    const checkpoint = openCheckpoint(
      note,
      keys.map((key) => verifierOf(key, origin)),
    );
    if (checkpoint.size === size) return checkpoint;
  } catch (cause) {
    if (!(cause instanceof BellhopError)) throw cause;
    throw new SealingStopped(unsigned, cause);
  }
  throw new SealingStopped(unsigned);
}

export async function storedTree(queries: Queries, { size, root }: Checkpoint): Promise<MerkleTree> {
  const tree = await orStopped(readTree((...asked) => readHashes(queries, ...asked), size));
  if (tree.root().equals(root)) return tree;
  throw new SealingStopped(`The stored tree of the audit log differs from the one signed at ${size} entries`);
}

async function growTo(queries: Queries, tree: MerkleTree, size: number): Promise<void> {
  while (tree.size < size) {
    const count = Math.min(leavesAtOnce, size - tree.size);
    const leaves = await orStopped(readHashes(queries, 0, tree.size, count));
    for (const leaf of leaves) tree.append(leaf);
  }
}

async function orStopped<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof UnreadableRow)) throw error;
    throw new SealingStopped('The audit log lacks entries, or hashes of its tree, that were sealed', error);
  }
}
