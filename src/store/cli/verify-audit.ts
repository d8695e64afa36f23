import { leafText } from '../../core/audit/leaf.ts';
import type { SealedLog, StoredCheckpoint, StoredLeaf } from '../../core/audit/sealed-log.ts';
import { BellhopError } from '../../core/model/errors.ts';
import { type Checkpoint, parseCheckpoint } from '../../core/transparency/checkpoint.ts';
import { createTree, type Hash, leafHash, type MerkleTree } from '../../core/transparency/merkle.ts';
import { noteText, openNote, type VerifierKey } from '../../core/transparency/signed-note.ts';

export type Verdict =
  | { readonly intact: true; readonly size: number }
  | {
      readonly intact: false;
      /** The first entry that is concerned. */
      readonly seq: number;
      readonly why: string;
    };

type Found = Extract<Verdict, { intact: false }>;

export interface VerifyOptions {
  /** Of the log. Left out: nobody's signature is looked at. */
  readonly keys?: readonly VerifierKey[] | undefined;
  /** What the log was at earlier times, from elsewhere. */
  readonly handed?: readonly Checkpoint[] | undefined;
}

type Log = Pick<
  SealedLog,
  'leavesFrom' | 'countEntries' | 'checkpointsFrom' | 'newestCheckpoint' | 'nodesFrom'
>;

/** Before any number that an entry can have, so that one put in front of the first is seen too. */
const beforeAll = -(2 ** 31);
const pageLength = 2000;

/** Signatures are slow, and each checkpoint stands for all before it: only those of the newest are looked at. */
const signaturesLookedAt = 1000;

/**
 * Reads the sealed log once, page by page, and names the first entry that was edited, removed, inserted or reordered, or
 * whose columns to search by hide it. The tree that grows over the entries must have every root that the stored checkpoints
 * and those handed out earlier say, and every hash that is stored of it. Entries that are sealed meanwhile do no harm.
 * @throws BellhopError `store-unavailable`
 */
export async function verifyAudit(log: Log, options: VerifyOptions = {}): Promise<Verdict> {
  const newest = await log.newestCheckpoint();
  const size = newest?.size ?? 0;
  const tree = createTree();
  const nodes = new Map<string, Hash>();
  const [first] = await log.checkpointsFrom(0, 1);
  const origin = first && originOf(first);
  const checkpoints = checkpointChecker(log, { newest, origin, keys: options.keys });
  const stranger = (options.handed ?? []).find((handed) => origin !== undefined && handed.origin !== origin);
  if (stranger) return broken(1, `it calls itself ${origin}, not ${stranger.origin}`);
  for await (const leaf of pagesOf((after) => log.leavesFrom(after, pageLength), beforeAll)) {
    if (tree.size === size && leaf.number === size + 1) {
      const inserted = await insertedAfter(log, leaf);
      if (inserted) return inserted;
      break;
    }
    const why = faultOf(leaf, tree.size + 1);
    if (why !== undefined) return broken(tree.size + 1, why);
    const hash = leafHash(leafText(leaf.number, leaf.draft));
    for (const node of tree.append(hash)) nodes.set(`${node.level} ${node.index}`, node.hash);
    const fault = (await checkpoints.at(tree)) ?? changedSince(options.handed, tree);
    if (fault) return fault;
  }
  const known = Math.max(size, ...(options.handed ?? []).map((handed) => handed.size));
  if (tree.size < known) {
    const seq = tree.size + 1;
    return broken(seq, `entries ${seq} to ${known} were removed from the end`);
  }
  const counted = await log.countEntries(size);
  // Pages begin at a number and go on after one: what stands below them, or twice, is in none.
  if (counted !== size) return broken(1, `there are ${counted} entries with numbers up to ${size}`);
  return (await checkpoints.rest()) ?? (await changedNode(log, nodes, size)) ?? { intact: true, size };
}

const broken = (seq: number, why: string): Found => ({ intact: false, seq, why });

/** Its first line, whether or not it is a checkpoint. */
const originOf = ({ note }: StoredCheckpoint): string => note.split('\n', 1)[0] ?? '';

function faultOf({ number, draft, hash, misleading }: StoredLeaf, expected: number): string | undefined {
  if (number !== expected) return `expected entry ${expected}, found ${number}`;
  if (!leafHash(leafText(number, draft)).equals(hash)) return `entry ${number} was edited`;
  return misleading === undefined
    ? undefined
    : `entry ${number} was edited: ${misleading}: does not say what the entry says`;
}

/** An entry beyond the newest checkpoint has come with another one meanwhile, or from a version that seals later. */
async function insertedAfter(log: Log, { number, hash }: StoredLeaf): Promise<Found | undefined> {
  if (hash.length === 0) return undefined;
  const newest = await log.newestCheckpoint();
  if (newest && newest.size >= number) return undefined;
  return broken(number, `entry ${number} was inserted: no checkpoint covers it`);
}

function changedSince(handed: readonly Checkpoint[] = [], tree: MerkleTree): Found | undefined {
  const other = handed.find(({ size, root }) => size === tree.size && !root.equals(tree.root()));
  return (
    other &&
    broken(
      other.size,
      `it does not continue the checkpoint of ${other.size} entries that was handed out: one of them was changed`,
    )
  );
}

interface Expected {
  readonly newest: StoredCheckpoint | undefined;
  /** The name in the first checkpoint, which all others bear too. */
  readonly origin: string | undefined;
  readonly keys: VerifyOptions['keys'];
}

/** Compares the stored checkpoints with the tree as it grows, in their order. */
function checkpointChecker(log: Log, { newest, origin, keys }: Expected) {
  const stored = pagesOf((after) => log.checkpointsFrom(after, pageLength), 0);
  let last: StoredCheckpoint | undefined;
  let next: StoredCheckpoint | undefined;
  let begun = false;

  const advance = async (): Promise<void> => {
    last = next;
    next = last && last.number === newest?.number ? undefined : (await stored.next()).value;
    begun = true;
  };
  const check = (checkpoint: StoredCheckpoint, tree: MerkleTree): string | undefined => {
    const { number, size, note } = checkpoint;
    if (number !== (last?.number ?? 0) + 1) return `checkpoint ${(last?.number ?? 0) + 1} was removed`;
    const read = readCheckpoint(note);
    if (!read || !newest || read.origin !== origin || read.size !== size) {
      return `checkpoint ${number} was edited`;
    }
    if (!read.root.equals(tree.root())) {
      const first = (last?.size ?? 0) + 1;
      return `entries ${first} to ${size} are not those that checkpoint ${number} was made of`;
    }
    if (!keys || number <= newest.number - signaturesLookedAt) return undefined;
    return signatureFault(checkpoint, keys, number === newest.number);
  };
  return {
    /** The fault of the checkpoint of this size, where there is one. */
    async at(tree: MerkleTree): Promise<Found | undefined> {
      if (!begun) await advance();
      if (next && next.size < tree.size) return broken(tree.size, `checkpoint ${next.number} was edited`);
      if (next?.size !== tree.size) return undefined;
      const why = check(next, tree);
      if (why !== undefined) return broken((last?.size ?? 0) + 1, why);
      await advance();
      return undefined;
    },
    /** Up to the newest all were met. */
    async rest(): Promise<Found | undefined> {
      if (!begun) await advance();
      if (!newest || !next || next.number > newest.number) return undefined;
      return broken((last?.size ?? 0) + 1, `checkpoint ${next.number} was edited`);
    },
  };
}

function readCheckpoint(note: string): Checkpoint | undefined {
  try {
    return parseCheckpoint(noteText(note));
  } catch (error) {
    if (error instanceof BellhopError) return undefined;
    throw error;
  }
}

/** Older ones may be signed by keys that were replaced since; the newest must be signed by one that is known. */
function signatureFault(
  { number, note }: StoredCheckpoint,
  keys: readonly VerifierKey[],
  newest: boolean,
): string | undefined {
  try {
    const signed = openNote(note, keys).signatures.length > 0;
    return signed || !newest ? undefined : `checkpoint ${number} is not signed by a key that is known here`;
  } catch (error) {
    if (error instanceof BellhopError) return `the signature of checkpoint ${number} was edited`;
    throw error;
  }
}

/** The first stored hash that is not that of the tree, or is missing. */
async function changedNode(log: Log, nodes: Map<string, Hash>, size: number): Promise<Found | undefined> {
  let [level, index] = [0, -1];
  for (;;) {
    const page = await log.nodesFrom(level, index, pageLength);
    for (const node of page) {
      [level, index] = [node.level, node.index];
      const hash = nodes.get(`${level} ${index}`);
      const first = index * 256 ** level + 1;
      nodes.delete(`${level} ${index}`);
      // What is beyond the newest checkpoint was sealed since.
      if (first + 256 ** level - 1 > size) continue;
      if (!hash?.equals(node.hash)) return broken(first, nodeFault(level, index));
    }
    if (page.length < pageLength) break;
  }
  const [missing] = nodes.keys();
  if (missing === undefined) return undefined;
  const [at = 0, place = 0] = missing.split(' ').map(Number);
  return broken(place * 256 ** at + 1, nodeFault(at, place));
}

const nodeFault = (level: number, index: number): string =>
  `a stored hash of the tree was edited or removed: level ${level}, place ${index}`;

/** Rows page by page, each from after the last number of the one before. */
async function* pagesOf<T extends { readonly number: number }>(
  read: (after: number) => Promise<readonly T[]>,
  before: number,
): AsyncGenerator<T, undefined> {
  for (let after = before; ;) {
    const page = await read(after);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageLength) return undefined;
    after = last.number;
  }
}
