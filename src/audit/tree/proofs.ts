import type { Hash, ReadHashes } from '../../model/records/sealed-log.ts';
import { nodeHash, readSubtree } from './merkle.ts';

// RFC 9162, sections 2.1.3 and 2.1.4. Sizes are safe integers, so that halving them is exact.

/** The largest power of two below `size`, which is at least 2. A tree of that size splits there. */
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

async function hashOfRange(read: ReadHashes, start: number, end: number): Promise<Hash> {
  const size = end - start;
  const height = Math.log2(size);
  if (Number.isInteger(height)) return readSubtree(read, height, start / size);
  const middle = start + splitOf(size);
  const left = await hashOfRange(read, start, middle);
  return nodeHash(left, await hashOfRange(read, middle, end));
}

/**
 * Proves that the leaf at `index` is in the tree of the first `size` leaves, by the hashes from the leaf's sibling up.
 * @param index from 0, below `size`
 */
export async function proveInclusion(
  read: ReadHashes,
  index: number,
  size: number,
): Promise<readonly Hash[]> {
  const path: Promise<Hash>[] = [];
  for (let [start, end] = [0, size]; end - start > 1;) {
    const middle = start + splitOf(end - start);
    const left = index < middle;
    path.unshift(left ? hashOfRange(read, middle, end) : hashOfRange(read, start, middle));
    if (left) end = middle;
    else start = middle;
  }
  return Promise.all(path);
}

/**
 * Proves that the tree of the first `size` leaves continues the tree of the first `from` leaves.
 * @param from from 1 up to `size`; a tree without leaves needs no proof
 */
export async function proveConsistency(
  read: ReadHashes,
  from: number,
  size: number,
): Promise<readonly Hash[]> {
  const path: Promise<Hash>[] = [];
  let [start, end] = [0, size];
  while (from < end) {
    const middle = start + splitOf(end - start);
    const left = from <= middle;
    path.unshift(left ? hashOfRange(read, middle, end) : hashOfRange(read, start, middle));
    if (left) end = middle;
    else start = middle;
  }
  // The verifier knows the root of the older tree, so no hash is needed for that tree as a whole.
  if (start > 0) path.unshift(hashOfRange(read, start, end));
  return Promise.all(path);
}

export function verifyInclusion(
  leaf: Hash,
  index: number,
  tree: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  if (index >= tree.size) return false;
  let [at, last] = [index, tree.size - 1];
  let reached = leaf;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      reached = nodeHash(sibling, reached);
      while (at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    } else {
      reached = nodeHash(reached, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && reached.equals(tree.root);
}

/** Returns whether the proof shows that the tree `to` begins with the leaves of the tree `from`. */
export function verifyConsistency(
  from: { readonly size: number; readonly root: Hash },
  to: { readonly size: number; readonly root: Hash },
  proof: readonly Hash[],
): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0;
  let [at, last] = [from.size - 1, to.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  const path = at === 0 ? [from.root, ...proof] : proof;
  const [seed, ...rest] = path;
  if (!seed) return false;
  let [older, newer] = [seed, seed];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (at % 2 === 1 || at === last) {
      older = nodeHash(sibling, older);
      newer = nodeHash(sibling, newer);
      while (at % 2 === 0 && at > 0) [at, last] = [half(at), half(last)];
    } else {
      newer = nodeHash(newer, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && older.equals(from.root) && newer.equals(to.root);
}

const half = (value: number): number => Math.floor(value / 2);
