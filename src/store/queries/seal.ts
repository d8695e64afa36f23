import { type RawBuilder, sql } from 'kysely';

import type { AuditDraft } from '../../model/records/audit.ts';
import type { LogKeys } from '../../audit/tree/signing-key.ts';
import { originOf, parseCheckpoint, signCheckpoint } from '../../audit/tree/checkpoint.ts';
import { createTree, leafHash, type MerkleTree, leafText } from '../../audit/tree/merkle.ts';
import { noteText } from '../../audit/tree/signed-note.ts';
import type { DueDraft } from '../../model/records/due.ts';
import type { Database, Queries, SharedClock } from '../database/database.ts';
import { type Arm, givenRows, numberMember, textMember, together } from '../database/together.ts';
import { headRow, lockHead, searchedColumns, stageEntries } from './audit.ts';
import { dueArms } from './due.ts';
import type { SealedRound } from '../../audit/seal.ts';
import { leavesAtOnce, storedTree, trustedTree } from './trusted-tree.ts';
import {
  type LastSealed,
  SealingStopped,
  type StoredCheckpoint,
  type Hash,
  type TreeNode,
} from '../../model/records/sealed-log.ts';
import { UnreadableRow } from '../../model/values/errors.ts';

/** Per round, so that other statements do not wait long. */
const maxLeaves = 1000;

interface StagedEntry {
  readonly id: number;
  readonly at: number;
  readonly draft: string;
}

/** The log as one round read it. */
interface Look {
  readonly head: { readonly seq: number; readonly latest_at: number; readonly edge: string };
  readonly newest: StoredCheckpoint | undefined;
  /** After those that this replica knows. */
  readonly leaves: readonly { readonly seq: number; readonly hash: Hash }[];
  /** Oldest first. */
  readonly staged: readonly StagedEntry[];
}

interface LookRow {
  readonly part: 'head' | 'checkpoint' | 'leaf' | 'staged';
  readonly number: number;
  readonly size: number;
  readonly at: number;
  readonly text: string;
}

/** The largest value of a PostgreSQL integer column. */
const greatestSeq = 2 ** 31 - 1;

/** @param known how many leaves this replica knows. Undefined if it trusts the stored tree */
async function look(queries: Queries, known = greatestSeq): Promise<Look> {
  const { rows } =
    await sql<LookRow>`select 'head' as part, seq as number, 0 as size, latest_at as at, edge as text
  from audit_head where id = ${sql.lit(headRow)}
union all select 'checkpoint', number, size, at, note
  from (select number, size, at, note from audit_checkpoints order by number desc limit 1) as newest
union all select 'leaf', seq, 0, 0, hash
  from (select seq, hash from audit where seq > ${known} order by seq limit ${sql.lit(leavesAtOnce)}) as leaves
union all select 'staged', id, 0, at, draft
  from (select id, at, draft from audit_staged order by id limit ${sql.lit(maxLeaves)}) as waiting`.execute(
      queries,
    );
  const parts = (part: LookRow['part']) =>
    rows.filter((row) => row.part === part).toSorted((one, other) => one.number - other.number);
  const [head] = parts('head');
  if (!head) throw new UnreadableRow('audit', headRow, 'seq', 'the row that counts the entries is missing');
  const [newest] = parts('checkpoint');
  return {
    head: { seq: head.number, latest_at: head.at, edge: head.text },
    newest: newest && { number: newest.number, size: newest.size, at: newest.at, note: newest.text },
    leaves: parts('leaf').map(({ number: seq, text: hash }) => ({ seq, hash: Buffer.from(hash, 'hex') })),
    staged: parts('staged').map(({ number: id, at, text: draft }) => ({ id, at, draft })),
  };
}

/** If other sealers were faster this often, the rest is left to the next round. */
const maxTries = 10;

/**
 * Numbers the staged entries, oldest first, and grows the tree over them. Reads without a lock. Writes, in one statement or transaction,
 * only if the head still has the count that was read.
 * @param now the checkpoint's time in epoch milliseconds; the order does not depend on it
 * @param due work that is set together with the checkpoint; its version is the size of the tree
 * @returns undefined if nothing waited and the newest checkpoint is `last`
 * @throws SealingStopped
 */
export async function sealRound(
  database: Pick<Database, 'read' | 'note' | 'dialect' | 'sharedNow'>,
  keys: LogKeys,
  now: number,
  last?: LastSealed,
  due: readonly DueDraft[] = [],
): Promise<SealedRound | undefined> {
  const known = last && parseCheckpoint(noteText(last.note)).size;
  for (let tries = 0; tries < maxTries; tries += 1) {
    const seen = await database.read((queries) => look(queries, known));
    const { head, newest, staged } = seen;
    const isNews = newest?.note !== last?.note;
    if (staged.length === 0 && !isNews && head.seq === (newest?.size ?? 0)) return undefined;
    const tree = await database.read((queries) => trustedTree(queries, keys, seen, last));
    const growth = growLog(keys, now, seen, tree);
    if (!growth) return newest && { checkpoint: newest, edge: tree.edge(), more: false };
    if (await database.note((queries) => writeGrowth(queries, database, growth, now, due)))
      return growth.round;
  }
  return undefined;
}

/**
 * Verifies the newest checkpoint. Undefined if that is `last`.
 * @throws SealingStopped
 */
export async function followLog(
  queries: Queries,
  keys: LogKeys,
  newest: StoredCheckpoint | undefined,
  last: LastSealed | undefined,
): Promise<SealedRound | undefined> {
  if (newest?.note === last?.note) return undefined;
  const tree = await trustedTree(queries, keys, { newest }, last);
  return newest && { checkpoint: newest, edge: tree.edge(), more: false };
}

/** Seals the entry on top of the stored tree. @throws SealingStopped if the tree is damaged */
export async function adoptLog(
  queries: Queries,
  clock: SharedClock,
  keys: LogKeys,
  now: number,
  entry: AuditDraft,
): Promise<SealedRound> {
  await lockHead(queries);
  await stageEntries(queries, clock, [entry]);
  const seen = await look(queries);
  const { newest } = seen;
  const tree = newest ? await storedTree(queries, parseCheckpoint(noteText(newest.note))) : createTree();
  const growth = growLog(keys, now, seen, tree);
  if (growth && (await writeGrowth(queries, clock, growth, now, []))) return growth.round;
  throw new SealingStopped('The “log adopted” entry was not recorded');
}

interface Growth {
  /** How many entries the head has to count. */
  readonly from: number;
  readonly head: Look['head'];
  readonly leaves: readonly {
    readonly id: number;
    readonly seq: number;
    readonly hash: string;
    readonly latestAt: number;
  }[];
  readonly nodes: readonly TreeNode[];
  readonly round: SealedRound;
}

/** Entries that commit later get a later round and number. */
function growLog(
  keys: LogKeys,
  now: number,
  { head, newest, staged }: Pick<Look, 'head' | 'newest' | 'staged'>,
  tree: MerkleTree,
): Growth | undefined {
  if (head.seq !== tree.size)
    throw new SealingStopped(`The audit log counts ${head.seq} entries, but its tree has ${tree.size}`);
  if (staged.length === 0) return undefined;
  let { seq, latest_at: latestAt } = head;
  const nodes: TreeNode[] = [];
  const leaves = staged.map(({ id, at, draft }) => {
    seq += 1;
    latestAt = Math.max(latestAt, at);
    const leaf = leafHash(leafText(seq, draft));
    nodes.push(...tree.append(leaf));
    return { id, seq, hash: leaf.toString('hex'), latestAt };
  });
  const edge = tree.edge();
  const origin = newest ? originOf(newest.note) : keys[0].name;
  const checkpoint = {
    number: (newest?.number ?? 0) + 1,
    size: tree.size,
    at: now,
    note: signCheckpoint({ origin, size: tree.size, root: tree.root() }, keys),
  };
  return {
    from: head.seq,
    head: { seq, latest_at: latestAt, edge: edge.map((hash) => hash.toString('hex')).join('') },
    leaves,
    nodes,
    round: { checkpoint, edge, more: leaves.length === maxLeaves },
  };
}

const movedColumns = sql.join(['draft', ...searchedColumns].map((column) => sql.ref(column)));

/** False, and nothing is written, if another sealer was faster. */
async function writeGrowth(
  queries: Queries,
  clock: SharedClock,
  { from, head, leaves, nodes, round }: Growth,
  now: number,
  due: readonly DueDraft[],
): Promise<boolean> {
  const { number: ordinal, size, at, note } = round.checkpoint;
  const move: Arm = {
    rows: leaves.length,
    statement: (applies) => sql`insert into audit (seq, hash, latest_at, ${movedColumns})
  select ${numberMember('seq')}, ${textMember('hash')}, ${numberMember('latestAt')}, ${movedColumns}
  from ${givenRows(clock, leaves)} join audit_staged as staged on staged.id = ${numberMember('id')} where ${applies}`,
  };
  const unstage: Arm = {
    rows: leaves.length,
    statement: (applies) => sql`delete from audit_staged
  where id in (select ${numberMember('id')} from ${givenRows(clock, leaves)}) and ${applies}`,
  };
  const rows = nodes.map(({ level, index, hash }) => ({ level, place: index, hash: hash.toString('hex') }));
  const grow: Arm = {
    rows: rows.length,
    statement: (applies) => sql`insert into audit_nodes (level, place, hash)
  select ${numberMember('level')}, ${numberMember('place')}, ${textMember('hash')} from ${givenRows(clock, rows)} where ${applies}`,
  };
  const sign: Arm = {
    rows: 1,
    statement: (applies) => sql`insert into audit_checkpoints (number, size, at, note)
  select ${numberMember('number')}, ${numberMember('size')}, ${numberMember('at')}, ${textMember('note')}
  from ${givenRows(clock, [{ number: ordinal, size, at, note }])} where ${applies}`,
  };
  const decided = await together(
    queries,
    clock,
    sql<object>`update audit_head set seq = ${head.seq}, latest_at = ${head.latest_at}, edge = ${head.edge}
  where id = ${sql.lit(headRow)} and seq = ${from} returning seq`,
    [
      move,
      unstage,
      ...(rows.length > 0 ? [grow] : []),
      sign,
      ...dueArms(
        clock,
        now,
        due.map((draft) => ({ ...draft, version: size })),
      ),
    ],
  );
  return decided !== undefined;
}

/** Whether there is anything to seal, or the head counts more than was sealed. */
export const anyUnsealed: RawBuilder<boolean> = sql`exists (select id from audit_staged)
  or exists (select id from audit_head where seq > coalesce((select max(size) from audit_checkpoints), 0))`;
