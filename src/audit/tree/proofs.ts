import type { Hash, ReadHashes } from '../../model/records/sealed-log.ts';
import { nodeHash, readSubtree } from './merkle.ts';

// RFC 9162, sections 2.1.3 and 2.1.4. Sizes are safe integers, so that halving them is exact.

/** The largest power of two below `size`. A tree of that size splits there. `size` is at least 2. */
const splitOf = (size: number): number => 2 ** (Math.ceil(Math.log2(size)) - 1);

async function hashOfRange(read: ReadHashes, start: number, end: number): Promise<Hash> {
  const size = end - start;
  const height = Math.log2(size);
  if (Number.isInteger(height)) return readSubtree(read, height, start / size);
  const middle = start + splitOf(size);
  const left = await hashOfRange(read, start, middle);
  return nodeHash(left, await hashOfRange(read, middle, end));
}

/** The sibling hashes along the path from the root to `index`, lowest first, and the range in which the path ends. */
function descend(
  read: ReadHashes,
  index: number,
  size: number,
  ends: (start: number, end: number) => boolean,
) {
  const path: Promise<Hash>[] = [];
  let [start, end] = [0, size];
  while (!ends(start, end)) {
    const middle = start + splitOf(end - start);
    const left = index < middle;
    path.unshift(left ? hashOfRange(read, middle, end) : hashOfRange(read, start, middle));
    if (left) end = middle;
    else start = middle;
  }
  return { path, start, end };
}

/**
 * Proves that the leaf at `index` is in the tree of the first `size` leaves, by the hashes from the leaf's sibling up.
 * @param index from 0, below `size`
 */
export const proveInclusion = (read: ReadHashes, index: number, size: number): Promise<readonly Hash[]> =>
  Promise.all(descend(read, index, size, (start, end) => end - start === 1).path);

/**
 * Proves that the tree of the first `size` leaves is consistent with the tree of the first `from` leaves.
 * @param from from 1 up to `size`; a tree without leaves needs no proof
 */
export function proveConsistency(read: ReadHashes, from: number, size: number): Promise<readonly Hash[]> {
  const { path, start, end } = descend(read, from - 1, size, (_, last) => last === from);
  // The verifier knows the root of the older tree, so no hash is needed for that tree as a whole.
  return Promise.all(start > 0 ? [hashOfRange(read, start, end), ...path] : path);
}

export function verifyInclusion(leaf: Hash, index: number, tree: Tree, proof: readonly Hash[]): boolean {
  if (index >= tree.size) return false;
  return climb(leaf, index, tree.size - 1, proof)?.newer.equals(tree.root) ?? false;
}

interface Tree {
  readonly size: number;
  readonly root: Hash;
}

/** Returns whether the proof shows that the tree `to` begins with the leaves of the tree `from`. */
export function verifyConsistency(from: Tree, to: Tree, proof: readonly Hash[]): boolean {
  if (from.size > to.size) return false;
  if (from.size === to.size) return proof.length === 0 && from.root.equals(to.root);
  if (from.size === 0) return proof.length === 0;
  return provenEdge(from, to, proof) !== undefined;
}

/**
 * Returns the edge of the tree `from`, from which the tree can grow, if the proof shows that the larger tree `to` begins
 * with it. Returns undefined otherwise.
 */
export function provenEdge(from: Tree, to: Tree, proof: readonly Hash[]): readonly Hash[] | undefined {
  let [at, last] = [from.size - 1, to.size - 1];
  while (at % 2 === 1) [at, last] = [half(at), half(last)];
  const path = at === 0 ? [from.root, ...proof] : proof;
  const [seed, ...rest] = path;
  const roots = seed && climb(seed, at, last, rest);
  return roots?.older.equals(from.root) && roots.newer.equals(to.root) ? roots.edge : undefined;
}

/**
 * Climbs from the node at position `at` of its level, whose last position is `last`, to the root. `older` is the root of
 * the tree that ends with the node, and `edge` has its complete subtrees, from the left. Returns undefined if the proof is too short or too long.
 */
function climb(
  node: Hash,
  at: number,
  last: number,
  proof: readonly Hash[],
): { readonly older: Hash; readonly newer: Hash; readonly edge: readonly Hash[] } | undefined {
  let [position, end, older, newer] = [at, last, node, node];
  const edge = [node];
  for (const sibling of proof) {
    if (end === 0) return undefined;
    if (position % 2 === 1 || position === end) {
      edge.unshift(sibling);
      older = nodeHash(sibling, older);
      newer = nodeHash(sibling, newer);
      while (position % 2 === 0 && position > 0) [position, end] = [half(position), half(end)];
    } else {
      newer = nodeHash(newer, sibling);
    }
    [position, end] = [half(position), half(end)];
  }
  return end === 0 ? { older, newer, edge } : undefined;
}

const half = (value: number): number => Math.floor(value / 2);
