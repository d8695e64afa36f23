import { leafText } from '../../core/audit/leaf.ts';
import type { SealedLog, StoredCheckpoint, StoredLeaf } from '../../core/audit/sealed-log.ts';
import { parseCheckpoint } from '../../core/transparency/checkpoint.ts';
import { createTree, leafHash } from '../../core/transparency/merkle.ts';

export type Verdict =
  | { readonly intact: true; readonly size: number }
  | { readonly intact: false; readonly seq: number; readonly why: string };

type Found = Extract<Verdict, { intact: false }>;

/** Before any number that an entry can have, so that one put in front of the first is seen too. */
const beforeAll = -(2 ** 31);
const pageLength = 2000;

/**
 * Reads the sealed log once, page by page, and names the first entry that was edited, removed, inserted or reordered, or
 * whose columns to search by hide it. Every checkpoint must fit the tree that grows over the entries. Entries that are
 * sealed meanwhile do no harm.
 * @throws BellhopError `store-unavailable`
 */
export async function verifyAudit(
  log: Pick<SealedLog, 'leavesFrom' | 'checkpointsFrom' | 'newestCheckpoint'>,
): Promise<Verdict> {
  const size = (await log.newestCheckpoint())?.size ?? 0;
  const tree = createTree();
  const checkpoints = checkpointsOf(log);
  let checkpoint = await checkpoints.next();
  for await (const leaf of leavesOf(log)) {
    if (tree.size === size && leaf.number === size + 1) break;
    const why = faultOf(leaf, tree.size + 1);
    if (why !== undefined) return { intact: false, seq: tree.size + 1, why };
    tree.append(leafHash(leafText(leaf.number, leaf.draft)));
    for (; !checkpoint.done && checkpoint.value.size === tree.size; checkpoint = await checkpoints.next()) {
      const fault = contradiction(checkpoint.value, tree.root());
      if (fault) return fault;
    }
  }
  if (tree.size >= size) return { intact: true, size };
  const seq = tree.size + 1;
  return { intact: false, seq, why: `entries ${seq} to ${size} were removed from the end` };
}

function faultOf({ number, draft, hash, misleading }: StoredLeaf, expected: number): string | undefined {
  if (number !== expected) return `expected entry ${expected}, found ${number}`;
  if (!leafHash(leafText(number, draft)).equals(hash)) return `entry ${number} was edited`;
  return misleading === undefined
    ? undefined
    : `entry ${number} was edited: ${misleading}: does not say what the entry says`;
}

function contradiction({ number, size, note }: StoredCheckpoint, root: Buffer): Found | undefined {
  const text = note.slice(0, note.lastIndexOf('\n\n') + 1);
  return parseCheckpoint(text).root.equals(root)
    ? undefined
    : {
        intact: false,
        seq: size,
        why: `entries up to ${size} are not those that checkpoint ${number} was made of`,
      };
}

async function* leavesOf(log: Pick<SealedLog, 'leavesFrom'>): AsyncGenerator<StoredLeaf> {
  for (let after = beforeAll; ;) {
    const page = await log.leavesFrom(after, pageLength);
    yield* page;
    if (page.length < pageLength) return;
    after = page.at(-1)?.number ?? after;
  }
}

async function* checkpointsOf(log: Pick<SealedLog, 'checkpointsFrom'>): AsyncGenerator<StoredCheckpoint> {
  for (let after = 0; ;) {
    const page = await log.checkpointsFrom(after, pageLength);
    yield* page;
    if (page.length < pageLength) return;
    after = page.at(-1)?.number ?? after;
  }
}
