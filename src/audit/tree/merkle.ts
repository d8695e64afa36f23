import { hash } from 'node:crypto';

import type { Hash, TreeNode, ReadHashes } from '../../model/records/sealed-log.ts';

/** In Node.js, hashing to a string is three times as fast as hashing to a Buffer. */
const sha256 = (bytes: string | Buffer): Hash => Buffer.from(hash('sha256', bytes, 'latin1'), 'latin1');

const leafPrefix = '\0';
const nodePrefix = Buffer.of(1);

export const emptyRoot: Hash = sha256(Buffer.alloc(0));

/**
 * Returns the leaf of an entry in the tree. The leaf is the number, then the fields of the draft (the entry without its number) sorted by name, as JSON without spaces. `npm run audit -- prove` writes the leaf as `<number>.json`. The hash of the leaf is
 * SHA-256 of 0x00 and the leaf's bytes in UTF-8. The entry's index is `number - 1`.
 * @param draft canonical JSON of the draft, as it is stored
 */
export const leafText = (number: number, draft: string): string => `{"number":${number},${draft.slice(1)}`;

export const leafHash = (leaf: string | Buffer): Hash =>
  sha256(typeof leaf === 'string' ? leafPrefix + leaf : Buffer.concat([Buffer.from(leafPrefix), leaf]));

export const nodeHash = (left: Hash, right: Hash): Hash => sha256(Buffer.concat([nodePrefix, left, right]));

/** Subtrees of a stored level have 2^8 times as many leaves as subtrees of the level below. */
const heightOfLevel = 8;

interface Peak {
  readonly height: number;
  readonly hash: Hash;
}

/** A tree that grows to the right, and has one hash for each bit set in its size. */
export interface MerkleTree {
  readonly size: number;
  edge(): readonly Hash[];
  /**
   * Appends a leaf by its hash. Returns the subtrees that the leaf completes and that have to be stored, mostly none.
   */
  append(leaf: Hash): readonly TreeNode[];
  root(): Hash;
}

export const createTree = (): MerkleTree => growing(0, []);

/** Returns the tree with this root, from the tree's edge, or undefined if the edge belongs to another tree. */
export function treeOfEdge(size: number, edge: readonly Hash[], root: Hash): MerkleTree | undefined {
  if (edge.length !== heightsOf(size).length) return undefined;
  const tree = growing(size, edge);
  return tree.root().equals(root) ? tree : undefined;
}

function growing(size: number, edge: readonly Hash[]): MerkleTree {
  const heights = heightsOf(size);
  const peaks = edge.map((one, at): Peak => ({ height: heights[at] ?? 0, hash: one }));
  let leaves = size;
  return {
    get size() {
      return leaves;
    },
    append(leaf) {
      leaves += 1;
      const nodes: TreeNode[] = [];
      let peak: Peak = { height: 0, hash: leaf };
      for (let left = peaks.at(-1); left?.height === peak.height; left = peaks.at(-1)) {
        peaks.pop();
        peak = { height: peak.height + 1, hash: nodeHash(left.hash, peak.hash) };
        if (peak.height % heightOfLevel === 0) {
          nodes.push({
            level: peak.height / heightOfLevel,
            index: leaves / 2 ** peak.height - 1,
            hash: peak.hash,
          });
        }
      }
      peaks.push(peak);
      return nodes;
    },
    edge: () => peaks.map((peak) => peak.hash),
    root: () => bag(peaks.map((peak) => peak.hash)),
  };
}

export async function readTree(read: ReadHashes, size: number): Promise<MerkleTree> {
  const edge: Hash[] = [];
  let start = 0;
  for (const height of heightsOf(size)) {
    edge.push(await readSubtree(read, height, start / 2 ** height));
    start += 2 ** height;
  }
  return growing(size, edge);
}

/**
 * Reads the hash of the `index`-th complete subtree of 2^height leaves, from the stored level at or below that height.
 */
export async function readSubtree(read: ReadHashes, height: number, index: number): Promise<Hash> {
  const width = 2 ** (height % heightOfLevel);
  let hashes = await read(Math.floor(height / heightOfLevel), index * width, width);
  while (hashes.length > 1) hashes = pairs(hashes);
  return bag(hashes);
}

/**
 * Returns the heights of the complete subtrees of a tree of this size, largest first. The heights are the bits set in
 * the size.
 */
function heightsOf(size: number): readonly number[] {
  const bits = size.toString(2).split('');
  return bits.flatMap((bit, at) => (bit === '1' ? [bits.length - 1 - at] : []));
}

function pairs(hashes: readonly Hash[]): readonly Hash[] {
  const parents: Hash[] = [];
  let left: Hash | undefined;
  for (const one of hashes) {
    if (left) parents.push(nodeHash(left, one));
    left = left ? undefined : one;
  }
  return parents;
}

const bag = (hashes: readonly Hash[]): Hash =>
  hashes.length === 0 ? emptyRoot : hashes.reduceRight((right, left) => nodeHash(left, right));
