import type { StoredCheckpoint, Hash, ReadHashes } from '../../../src/model/records/sealed-log.ts';
import { signCheckpoint } from '../../../src/audit/tree/checkpoint.ts';
import { createTree, leafHash } from '../../../src/audit/tree/merkle.ts';
import { verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { makeSigningKey } from '../../../src/audit/tree/signing-key.ts';

/** A log of up to 255 leaves in memory. Tests ask other programs about it, and check their answers. */
export function growingLog(origin = 'bellhop.example.com/audit', key = makeSigningKey(origin)) {
  const leaves: Hash[] = [];
  const tree = createTree();
  let number = 0;
  const readHashes: ReadHashes = async (_, first, count) => leaves.slice(first, first + count);
  return {
    key,
    verifier: verifierOf(key, origin),
    readHashes,
    /** Appends this many leaves, and seals them. */
    grow(by: number, what = 'leaf'): StoredCheckpoint {
      for (let left = by; left > 0; left -= 1) {
        const leaf = leafHash(`${what} ${leaves.length}`);
        leaves.push(leaf);
        tree.append(leaf);
      }
      number += 1;
      const note = signCheckpoint({ origin, size: tree.size, root: tree.root() }, [key]);
      return { number, size: tree.size, at: 0, note };
    },
  };
}
