import { type RawBuilder, type Selectable, sql } from 'kysely';

import type { AuditDraft } from '../../model/records/audit.ts';
import type { LogKeys } from '../../audit/tree/signing-key.ts';
import {
  originOf,
  parseCheckpoint,
  signCheckpoint,
  openCheckpoint,
  type Checkpoint,
} from '../../audit/tree/checkpoint.ts';
import {
  createTree,
  leafHash,
  type MerkleTree,
  leafText,
  readTree,
  treeOfEdge,
} from '../../audit/tree/merkle.ts';
import { noteText, verifierOf } from '../../audit/tree/signed-note.ts';
import type { Queries } from '../database/database.ts';
import type { AuditRow, Schema } from '../database/schema.ts';
import { stageEntries } from './audit.ts';
import type { SealedRound } from '../../audit/seal.ts';
import { newestCheckpoint, readHashes } from './sealed-log.ts';
import {
  type LastSealed,
  SealingStopped,
  type StoredCheckpoint,
  type Hash,
  type TreeNode,
} from '../../model/records/sealed-log.ts';
import { BellhopError, UnreadableRow } from '../../model/values/errors.ts';

type Head = Selectable<Schema['audit_head']>;

const headRow = 1;

/** A round has at most this many leaves, so that others do not wait long. */
const maxLeaves = 1000;

/**
 * Updates the head row, which blocks other writers of that row until this transaction ends. Such writers are another
 * sealer, and a step that must not overlap similar steps.
 */
export const lockHead = (queries: Queries): Promise<Head> =>
  queries
    .updateTable('audit_head')
    .set((is) => ({ seq: is.ref('seq') }))
    .where('id', '=', headRow)
    .returningAll()
    .executeTakeFirstOrThrow();

/**
 * Seals one round in one transaction. The round numbers the staged entries, oldest first, and grows the tree over them.
 * @param now the checkpoint's time in epoch milliseconds; the order does not depend on the time
 * @returns undefined if nothing waited
 * @throws SealingStopped
 */
export async function sealRound(
  queries: Queries,
  keys: LogKeys,
  now: number,
  last?: LastSealed,
): Promise<SealedRound | undefined> {
  const head = await lockHead(queries);
  const newest = await newestCheckpoint(queries);
  return growLog(queries, keys, now, {
    head,
    newest,
    tree: await trustedTree(queries, keys, newest, last, head.edge),
  });
}

/**
 * Verifies the newest checkpoint unless that is `last`. Resolves to undefined if the newest checkpoint is `last`.
 * @throws SealingStopped
 */
export async function followLog(
  queries: Queries,
  keys: LogKeys,
  checkpoint: StoredCheckpoint | undefined,
  last: LastSealed | undefined,
): Promise<SealedRound | undefined> {
  if (checkpoint?.note === last?.note) return undefined;
  const tree = await trustedTree(queries, keys, checkpoint, last);
  return checkpoint && { checkpoint, edge: tree.edge(), more: false };
}

/** Seals the entry on top of the stored tree. @throws SealingStopped if the stored tree is damaged */
export async function adoptLog(
  queries: Queries,
  keys: LogKeys,
  now: number,
  entry: AuditDraft,
): Promise<SealedRound> {
  const head = await lockHead(queries);
  const newest = await newestCheckpoint(queries);
  const tree = newest ? await storedTree(queries, parseCheckpoint(noteText(newest.note))) : createTree();
  await stageEntries(queries, [entry]);
  const sealed = await growLog(queries, keys, now, { head, newest, tree });
  if (sealed) return sealed;
  throw new SealingStopped('The “log adopted” entry was not recorded');
}

interface Base {
  readonly head: Head;
  readonly newest: StoredCheckpoint | undefined;
  readonly tree: MerkleTree;
}

async function growLog(
  queries: Queries,
  keys: LogKeys,
  now: number,
  { head, newest, tree }: Base,
): Promise<SealedRound | undefined> {
  const { size } = tree;
  if (head.seq !== size)
    throw new SealingStopped(`The audit log counts ${head.seq} entries, and its tree has ${size}`);
  const taken = await numberStaged(queries, head);
  if (taken.leaves.length === 0) return undefined;
  await insertNodes(
    queries,
    taken.leaves.flatMap((leaf) => tree.append(leaf)),
  );
  const edge = tree.edge();
  await queries
    .updateTable('audit_head')
    .set({ ...taken.head, edge: edge.map((hash) => hash.toString('hex')).join('') })
    .where('id', '=', headRow)
    .execute();
  const origin = newest ? originOf(newest.note) : keys[0].name;
  const checkpoint = {
    number: (newest?.number ?? 0) + 1,
    size: tree.size,
    at: now,
    note: signCheckpoint({ origin, size: tree.size, root: tree.root() }, keys),
  };
  await queries.insertInto('audit_checkpoints').values(checkpoint).execute();
  return { checkpoint, edge, more: taken.leaves.length === maxLeaves };
}

/** Whether there is anything to seal, or the head counts more than was sealed. */
export const anyUnsealed: RawBuilder<boolean> = sql`exists (select id from audit_staged)
  or exists (select id from audit_head where seq > coalesce((select max(size) from audit_checkpoints), 0))`;

interface Taken {
  readonly leaves: readonly Hash[];
  readonly head: Partial<Head>;
}

/** Moves staged, visible entries into the log. Entries that commit later get a later round and number. */
async function numberStaged(queries: Queries, head: Head): Promise<Taken> {
  const taken = await queries
    .deleteFrom('audit_staged')
    .where('id', 'in', (is) => is.selectFrom('audit_staged').select('id').orderBy('id').limit(maxLeaves))
    .returningAll()
    .execute();
  let { seq, latest_at } = head;
  const leaves: Hash[] = [];
  const rows: AuditRow[] = [];
  for (const { id: _, ...entry } of taken.toSorted((one, other) => one.id - other.id)) {
    seq += 1;
    latest_at = Math.max(latest_at, entry.at);
    const leaf = leafHash(leafText(seq, entry.draft));
    leaves.push(leaf);
    rows.push({ ...entry, seq, hash: leaf.toString('hex'), latest_at });
  }
  if (rows.length > 0) await queries.insertInto('audit').values(rows).execute();
  return { leaves, head: { seq, latest_at } };
}

/** PostgreSQL takes 65,535 values in a statement, SQLite 32,766. */
async function insertNodes(queries: Queries, nodes: readonly TreeNode[]): Promise<void> {
  if (nodes.length === 0) return;
  const rows = nodes.map(({ level, index, hash }) => ({ level, place: index, hash: hash.toString('hex') }));
  await queries.insertInto('audit_nodes').values(rows).execute();
}

/** To follow another replica's sealing, this many leaves are read at a time. */
const pageLength = 2000;

/**
 * Resolves to the tree of the newest checkpoint. The tree grows over new leaves, from the last tree that this replica
 * signed or verified. The first time, the signature alone decides. Either way, the root of the tree is the signed root.
 * @param edgeBeside the edge stored with the head, so that the edge need not be read from the tree; the edge of another
 * tree is ignored
 * @throws SealingStopped
 */
async function trustedTree(
  queries: Queries,
  keys: LogKeys,
  newest: StoredCheckpoint | undefined,
  last: LastSealed | undefined,
  edgeBeside = '',
): Promise<MerkleTree> {
  const before = last && parseCheckpoint(noteText(last.note));
  if (!newest) {
    if (before) throw setBack(before, 0);
    return createTree();
  }
  const signed = openNewest(newest, keys);
  if (!before) {
    const edge = (edgeBeside.match(/.{64}/gu) ?? []).map((hash) => Buffer.from(hash, 'hex'));
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

async function storedTree(queries: Queries, { size, root }: Checkpoint): Promise<MerkleTree> {
  const tree = await orStopped(readTree((...asked) => readHashes(queries, ...asked), size));
  if (tree.root().equals(root)) return tree;
  throw new SealingStopped(`The stored tree of the audit log differs from the one signed at ${size} entries`);
}

async function growTo(queries: Queries, tree: MerkleTree, size: number): Promise<void> {
  while (tree.size < size) {
    const count = Math.min(pageLength, size - tree.size);
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
