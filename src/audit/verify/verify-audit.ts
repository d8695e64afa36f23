import { type Checkpoint, originOf } from '../tree/checkpoint.ts';
import { createTree, leafHash, type MerkleTree, leafText } from '../tree/merkle.ts';
import type { VerifierKey } from '../tree/signed-note.ts';
import {
  type CheckpointChecker,
  type Found,
  type Verdict,
  broken,
  checkCheckpoints,
  pageLength,
  pagesOf,
} from './verify-checkpoints.ts';
import type { SealedLog, StoredLeaf, Hash, TreeNode } from '../../model/records/sealed-log.ts';

export interface VerifyOptions {
  /** Keys of the log. By default, signatures are not verified. */
  readonly keys?: readonly VerifierKey[] | undefined;
  /** Checkpoints up to this number need no signature by these keys. By default, every checkpoint needs a signature. */
  readonly unsignedUntil?: number | undefined;
  readonly handed?: readonly Checkpoint[] | undefined;
}

type Log = Pick<SealedLog, 'leavesFrom' | 'checkpointsFrom' | 'newestCheckpoint' | 'nodesFrom'>;

/**
 * Reads the sealed log once, page by page. Names the first entry that was edited, removed, inserted or reordered, or
 * that differs from its search columns. The tree over the entries must match every stored hash, and every root in the
 * stored and the given earlier checkpoints. Entries that are sealed in the meantime do no harm.
 * @throws BellhopError `store-unavailable`
 */
export async function verifyAudit(
  log: Log,
  { keys, unsignedUntil, handed = [] }: VerifyOptions = {},
): Promise<Verdict> {
  const newest = await log.newestCheckpoint();
  const size = newest?.size ?? 0;
  const [first] = await log.checkpointsFrom(0, 1);
  const origin = first && originOf(first.note);
  const stranger = handed.find((one) => origin !== undefined && one.origin !== origin);
  if (stranger) return broken(1, `its origin is ${origin}, not ${stranger.origin}`);
  const checkpoints = await checkCheckpoints(log, { newest, origin, keys, unsignedUntil });
  const grown = growTree({ checkpoints, handed });
  let removedReasons = 0;
  const rest = async (): Promise<Verdict> =>
    cutTail(grown.tree, Math.max(size, ...handed.map((one) => one.size))) ??
    (await checkpoints.rest()) ??
    (await changedNode(log, grown, size)) ?? {
      intact: true,
      size,
      ...(removedReasons > 0 && { removedReasons }),
    };

  for await (const page of pagesOf((after, limit) => log.leavesFrom(after, limit))) {
    for (const leaf of page) {
      if (grown.tree.size === size && leaf.number === size + 1) {
        return (await insertedAfter(log, leaf)) ?? (await rest());
      }
      if (leaf.reason && leaf.reason.typed === undefined) removedReasons += 1;
      const fault = grown.add(leaf);
      const found = fault instanceof Promise ? await fault : fault;
      if (found) return found;
    }
  }
  return rest();
}

interface Checks {
  readonly checkpoints: CheckpointChecker;
  readonly handed: readonly Checkpoint[];
}

interface Grown {
  readonly tree: MerkleTree;
  /** The hashes are texts, because a Buffer would keep the whole pool that it was cut from in memory. */
  readonly nodes: Map<string, string>;
}

function growTree({ checkpoints, handed }: Checks) {
  const tree = createTree();
  const nodes = new Map<string, string>();
  const ask = async (): Promise<Found | undefined> =>
    (await checkpoints.at(tree)) ?? changedSince(handed, tree);
  return {
    tree,
    nodes,
    /**
     * Adds the next entry and returns what is wrong with that entry. Returns synchronously if possible, because there
     * are millions of entries.
     */
    add(leaf: StoredLeaf): Found | Promise<Found | undefined> | undefined {
      const expected = tree.size + 1;
      const hash = leafHash(leafText(leaf.number, leaf.draft));
      const why = faultOf(leaf, hash, expected);
      if (why !== undefined) return broken(expected, why);
      for (const node of tree.append(hash)) nodes.set(keyOf(node), textOf(node.hash));
      return tree.size >= checkpoints.due ? ask() : changedSince(handed, tree);
    },
  };
}

function faultOf({ number, hash, misleading }: StoredLeaf, made: Hash, expected: number): string | undefined {
  if (number !== expected) return `expected entry ${expected}, found ${number}`;
  if (made.toString('hex') !== hash) return `entry ${number} was edited`;
  return misleading === undefined
    ? undefined
    : `entry ${number} was edited: its column ${misleading} contradicts it`;
}

/** An entry beyond the newest checkpoint means that a newer checkpoint exists by now. */
async function insertedAfter(log: Log, { number }: StoredLeaf): Promise<Found | undefined> {
  const newest = await log.newestCheckpoint();
  if (newest && newest.size >= number) return undefined;
  return broken(number, `entry ${number} was inserted: no checkpoint covers it`);
}

function cutTail({ size }: MerkleTree, known: number): Found | undefined {
  if (size >= known) return undefined;
  return broken(size + 1, `entries ${size + 1} to ${known} were removed from the end`);
}

function changedSince(handed: readonly Checkpoint[], tree: MerkleTree): Found | undefined {
  const other = handed.find(({ size, root }) => size === tree.size && !root.equals(tree.root()));
  return (
    other &&
    broken(
      other.size,
      `it is not consistent with the published checkpoint of ${other.size} entries, so one of them was changed`,
    )
  );
}

const textOf = (hash: Hash): string => hash.toString('latin1');

const keyOf = ({ level, index }: Omit<TreeNode, 'hash'>): string => `${level} ${index}`;

async function changedNode(log: Log, { nodes }: Grown, size: number): Promise<Found | undefined> {
  let last: TreeNode | undefined;
  let beyond: Omit<TreeNode, 'hash'> | undefined;
  for (let more = true; more;) {
    const page = await log.nodesFrom(last, pageLength);
    for (const node of page) {
      last = node;
      if (endOf(node) > size) {
        if (!beyond || endOf(node) > endOf(beyond)) beyond = node;
      } else if (nodes.get(keyOf(node)) !== textOf(node.hash)) return changedHash(node);
      nodes.delete(keyOf(node));
    }
    more = page.length === pageLength;
  }
  const [missing] = nodes.keys();
  if (missing !== undefined) {
    const [at = 0, place = 0] = missing.split(' ').map(Number);
    return changedHash({ level: at, index: place });
  }
  // Entries beyond the newest checkpoint were sealed in the meantime, with a newer checkpoint.
  const sealed = beyond && (await log.newestCheckpoint())?.size;
  return beyond && endOf(beyond) > (sealed ?? 0) ? changedHash(beyond) : undefined;
}

const endOf = ({ level, index }: Omit<TreeNode, 'hash'>): number => (index + 1) * 256 ** level;

const changedHash = ({ level, index }: Omit<TreeNode, 'hash'>): Found =>
  broken(
    Math.max(1, Math.floor(index * 256 ** level) + 1),
    `a stored hash of the tree was edited, removed or inserted: level ${level}, index ${index}`,
  );
