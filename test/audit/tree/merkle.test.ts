import { assert as checked, asyncProperty, integer } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createTree, emptyRoot, leafHash, readTree } from '../../../src/audit/tree/merkle.ts';
import type { Hash, ReadHashes } from '../../../src/model/records/sealed-log.ts';
import {
  proveConsistency,
  proveInclusion,
  verifyConsistency,
  verifyInclusion,
} from '../../../src/audit/tree/proofs.ts';
import { consistencies, emptyTree, inclusions, leaves, roots } from './vectors.ts';

/** A tree of these leaves, its stored hashes, and its root at each size. */
function grown(all: readonly Buffer[]) {
  const tree = createTree();
  const levels: Hash[][] = [[]];
  const rootAt: Hash[] = [tree.root()];
  for (const leaf of all) {
    levels[0]?.push(leafHash(leaf));
    for (const { level, index, hash } of tree.append(leafHash(leaf))) {
      expect((levels[level] ??= []).push(hash)).toBe(index + 1);
    }
    rootAt.push(tree.root());
  }
  const read: ReadHashes = async (level, first, count) => {
    const hashes = (levels[level] ?? []).slice(first, first + count);
    expect(hashes).toHaveLength(count);
    return hashes;
  };
  return { read, rootAt, levels, at: (size: number) => ({ size, root: rootAt[size] ?? emptyRoot }) };
}

const hex = (hashes: readonly Hash[]) => hashes.map((hash) => hash.toString('hex'));
const bytes = (path: readonly string[]) => path.map((one) => Buffer.from(one, 'hex'));
const numbered = (count: number) => Array.from({ length: count }, (_, index) => Buffer.from(`leaf ${index}`));

describe('the vectors of RFC 6962', () => {
  const { rootAt, read, at } = grown(leaves);

  it('give the root at each size', () => {
    expect(hex(rootAt)).toEqual([emptyTree, ...roots]);
  });

  it.each(inclusions)('give the inclusion of leaf $index of $size', async ({ index, size, path }) => {
    expect(hex(await proveInclusion(read, index, size))).toEqual(path);
    const leaf = leafHash(leaves[index] ?? '');
    expect(verifyInclusion(leaf, index, at(size), bytes(path))).toBe(true);
  });

  it.each(consistencies)('give the consistency of $to with $from', async ({ from, to, path }) => {
    expect(hex(await proveConsistency(read, from, to))).toEqual(path);
    expect(verifyConsistency(at(from), at(to), bytes(path))).toBe(true);
  });
});

describe('a tree of 70,000 leaves', () => {
  const most = 70_000;
  const all = numbered(most);
  const { read, at, levels } = grown(all);
  const size = integer({ min: 1, max: most });

  it('stores one hash for each leaf and each full subtree', () => {
    expect(levels.map((level) => level.length)).toEqual([70_000, 273, 1]);
  });

  it('is read back at any size and grows on to the same root', async () => {
    await checked(
      asyncProperty(size, integer({ min: 0, max: 600 }), async (from, more) => {
        const tree = await readTree(read, from);
        expect(tree.root()).toEqual(at(from).root);
        const to = Math.min(most, from + more);
        for (const leaf of all.slice(from, to)) tree.append(leafHash(leaf));
        expect({ size: tree.size, root: tree.root() }).toEqual(at(to));
      }),
      { numRuns: 60 },
    );
  });

  it('proves each leaf at each size, and no other leaf, place or tree', async () => {
    await checked(
      asyncProperty(size, size, async (one, other) => {
        const [index, to] = [Math.min(one, other) - 1, Math.max(one, other)];
        const leaf = leafHash(all[index] ?? '');
        const path = await proveInclusion(read, index, to);
        expect(verifyInclusion(leaf, index, at(to), path)).toBe(true);
        expect(verifyInclusion(leafHash('another'), index, at(to), path)).toBe(false);
        expect(verifyInclusion(leaf, (index + 1) % to, at(to), path)).toBe(to === 1);
        expect(verifyInclusion(leaf, to, at(to), path)).toBe(false);
        expect(verifyInclusion(leaf, index, { size: to, root: emptyRoot }, path)).toBe(false);
        expect(verifyInclusion(leaf, index, at(to), [...path, emptyRoot])).toBe(false);
        expect(verifyInclusion(leaf, index, at(to), path.slice(1))).toBe(to === 1);
      }),
      { numRuns: 100 },
    );
  });

  it('proves that it continues each smaller one, and no other tree of that size', async () => {
    await checked(
      asyncProperty(size, size, async (one, other) => {
        const [from, to] = [Math.min(one, other), Math.max(one, other)];
        const path = await proveConsistency(read, from, to);
        expect(verifyConsistency(at(from), at(to), path)).toBe(true);
        const rewritten = { size: from, root: leafHash('rewritten') };
        expect(verifyConsistency(rewritten, at(to), path)).toBe(false);
        expect(verifyConsistency(at(from), { size: to, root: emptyRoot }, path)).toBe(false);
        expect(verifyConsistency(at(from), at(to), [...path, emptyRoot])).toBe(false);
        expect(verifyConsistency(at(to), at(from), path)).toBe(from === to);
      }),
      { numRuns: 100 },
    );
  });

  it('continues the empty tree without a proof', () => {
    expect(verifyConsistency(at(0), at(most), [])).toBe(true);
    expect(verifyConsistency(at(0), at(most), [emptyRoot])).toBe(false);
  });
});
