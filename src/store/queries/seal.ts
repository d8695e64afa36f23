import { chainBreak, genesisHash } from '../../core/audit/audit.ts';
import { leafText } from '../../core/audit/leaf.ts';
import type { LogKeys } from '../../core/audit/sealed-log.ts';
import { signCheckpoint } from '../../core/transparency/checkpoint.ts';
import { type Hash, leafHash, readTree, type TreeNode } from '../../core/transparency/merkle.ts';
import type { Queries } from '../database.ts';
import type { AuditHeadTable, AuditRow } from '../schema.ts';
import { stageEntries } from './audit.ts';
import type { SealedRound } from '../store.ts';
import { newestCheckpoint, readHashes } from './sealed-log.ts';

type Head = Omit<AuditHeadTable, 'taken_over'> & { readonly taken_over: number };

const headRow = 1;

/** Leaves of a round, so that nobody waits long behind it. */
const mostLeaves = 1000;

/**
 * Updating the head row makes everybody else who does so wait until this transaction ends: another sealer, a version that
 * numbers in its step, and a step that must not overlap others like it.
 */
export const lockHead = (queries: Queries): Promise<Head> =>
  queries
    .updateTable('audit_head')
    .set((is) => ({ seq: is.ref('seq') }))
    .where('id', '=', headRow)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * One round of sealing, in one transaction: numbers what is staged, oldest first, and grows the tree over it, or over what
 * is numbered and in no tree yet.
 * @param now of the checkpoint, in epoch milliseconds; the order does not hang on it
 * @returns undefined where nothing waited
 */
export async function sealRound(
  queries: Queries,
  keys: LogKeys,
  now: number,
): Promise<SealedRound | undefined> {
  const head = await lockHead(queries);
  const newest = await newestCheckpoint(queries);
  const size = newest?.size ?? 0;
  const takesOver = size < head.seq;
  const leaves = takesOver ? await takeOver(queries, head, size, now) : await numberStaged(queries, head);
  if (leaves.length === 0) return undefined;
  const tree = await readTree((...asked) => readHashes(queries, ...asked), size);
  await insertNodes(
    queries,
    leaves.flatMap((leaf) => tree.append(leaf)),
  );
  const origin = newest?.note.split('\n', 1)[0] ?? keys[0].name;
  const checkpoint = {
    number: (newest?.number ?? 0) + 1,
    size: tree.size,
    at: now,
    note: signCheckpoint({ origin, size: tree.size, root: tree.root() }, keys),
  };
  await queries.insertInto('audit_checkpoints').values(checkpoint).execute();
  return { checkpoint, more: leaves.length === mostLeaves || takesOver };
}

/** Moves what is staged and visible into the log. What commits late is in a later round, and gets a later number. */
async function numberStaged(queries: Queries, head: Head): Promise<readonly Hash[]> {
  const taken = await queries
    .deleteFrom('audit_staged')
    .where('id', 'in', (is) => is.selectFrom('audit_staged').select('id').orderBy('id').limit(mostLeaves))
    .returningAll()
    .execute();
  if (taken.length === 0) return [];
  let { seq, latest_at } = head;
  const leaves: Hash[] = [];
  const rows: AuditRow[] = [];
  for (const { id: _, ...entry } of taken.toSorted((one, other) => one.id - other.id)) {
    seq += 1;
    latest_at = Math.max(latest_at, entry.at);
    const leaf = leafHash(leafText(seq, entry.draft));
    leaves.push(leaf);
    rows.push({ ...entry, seq, previous_hash: '', hash: leaf.toString('hex'), latest_at });
  }
  await queries.insertInto('audit').values(rows).execute();
  const hash = rows.at(-1)?.hash ?? head.hash;
  await queries.updateTable('audit_head').set({ seq, hash, latest_at }).where('id', '=', headRow).execute();
  return leaves;
}

/** Stands in the tree for an entry that was removed before there was one. */
const missing = '{"missing":true}';

/**
 * Takes entries that a version before the tree wrote, with their own numbers, and verifies their chain as it goes. Once all
 * that stood there is in the tree, an entry says where the chain ended, and its first fault.
 */
async function takeOver(queries: Queries, head: Head, size: number, now: number): Promise<readonly Hash[]> {
  const end = Math.min(head.seq, size + mostLeaves);
  const rows = await queries
    .selectFrom('audit')
    .select(['seq', 'previous_hash as previousHash', 'hash', 'draft'])
    .where('seq', '>=', size)
    .where('seq', '<=', end)
    .orderBy('seq')
    .execute();
  const kept = new Map(rows.map((row) => [row.seq, row]));
  const leaves: Hash[] = [];
  let fault = head.chain_break;
  for (let seq = size + 1; seq <= end; seq += 1) {
    const row = kept.get(seq);
    const before = seq === 1 ? genesisHash : kept.get(seq - 1)?.hash;
    fault ??= row && before !== undefined ? (chainBreak(before, row) ?? null) : `entry ${seq} is missing`;
    leaves.push(leafHash(leafText(seq, row?.draft ?? missing)));
  }
  await insertNodes(
    queries,
    leaves.map((hash, index) => ({ level: 0, index: size + index, hash })),
  );
  const takenOver = head.taken_over === 0 && end === head.seq;
  await queries
    .updateTable('audit_head')
    .set({ chain_break: fault, taken_over: takenOver ? 1 : head.taken_over })
    .where('id', '=', headRow)
    .execute();
  if (takenOver) await stageEntries(queries, [takenOverEntry(head, fault, now)]);
  return leaves;
}

const takenOverEntry = ({ seq, hash }: Head, fault: string | null, now: number) => ({
  at: now,
  event: 'log taken over' as const,
  note: `The hash chain ended at ${seq}:${hash}; it was ${fault === null ? 'intact' : `broken: ${fault}`}.`,
  policyHash: '',
});

/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
async function insertNodes(queries: Queries, nodes: readonly TreeNode[]): Promise<void> {
  if (nodes.length === 0) return;
  const rows = nodes.map(({ level, index, hash }) => ({ level, place: index, hash: hash.toString('hex') }));
  await queries.insertInto('audit_nodes').values(rows).execute();
}
