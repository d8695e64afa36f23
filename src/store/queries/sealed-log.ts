import { sql } from 'kysely';

import type { Cosignature, StoredCheckpoint, StoredLeaf } from '../../core/audit/sealed-log.ts';
import type { Hash, TreeNode } from '../../core/transparency/merkle.ts';
import type { Queries } from '../database.ts';
import { misleadingColumn } from './audit.ts';
import { UnreadableRow } from './parse-row.ts';

const checkpoints = (queries: Queries) =>
  queries.selectFrom('audit_checkpoints').select(['number', 'size', 'at', 'note']);

/** Undefined before the first. */
export const newestCheckpoint = (queries: Queries): Promise<StoredCheckpoint | undefined> =>
  checkpoints(queries).orderBy('number', 'desc').limit(1).executeTakeFirst();

/** The first that covers at least so many entries. */
export const checkpointOf = (queries: Queries, size: number): Promise<StoredCheckpoint | undefined> =>
  checkpoints(queries).where('size', '>=', size).orderBy('size').limit(1).executeTakeFirst();

/** Those after `number`, oldest first. */
export const checkpointsFrom = (
  queries: Queries,
  number: number,
  limit: number,
): Promise<readonly StoredCheckpoint[]> =>
  checkpoints(queries).where('number', '>', number).orderBy('number').limit(limit).execute();

/** Rows of the tree's levels above the leaves, by level and place, after this one. */
export async function nodesFrom(
  queries: Queries,
  level: number,
  index: number,
  limit: number,
): Promise<readonly TreeNode[]> {
  const rows = await queries
    .selectFrom('audit_nodes')
    .selectAll()
    .where('level', '>', 0)
    .where((is) =>
      is.or([is('level', '>', level), is.and([is('level', '=', level), is('place', '>', index)])]),
    )
    .orderBy('level')
    .orderBy('place')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ level: row.level, index: row.place, hash: Buffer.from(row.hash, 'hex') }));
}

/**
 * The hashes `first`, `first + 1` … of a level, `count` of them.
 * @throws UnreadableRow where one is missing
 */
export async function readHashes(
  queries: Queries,
  level: number,
  first: number,
  count: number,
): Promise<readonly Hash[]> {
  const rows =
    level === 0 ? await leafHashes(queries, first, count) : await hashesAt(queries, level, first, count);
  const hashes = new Map(rows.map(({ place, hash }) => [place, Buffer.from(hash, 'hex')]));
  return Array.from({ length: count }, (_, at) => {
    const hash = hashes.get(first + at);
    if (hash?.length === 32) return hash;
    throw new UnreadableRow('audit', first + at + 1, `level ${level}`, 'its hash is missing in the tree');
  });
}

/** Beside the entries, but for those that a version before the tree wrote. */
const leafHashes = (queries: Queries, first: number, count: number) =>
  queries
    .selectFrom('audit')
    .select((is) => [is('seq', '-', 1).as('place'), 'hash'])
    .where('seq', '>', first)
    .where('seq', '<=', first + count)
    .where('previous_hash', '=', '')
    .unionAll(hashesQuery(queries, 0, first, count))
    .execute();

const hashesAt = (queries: Queries, level: number, first: number, count: number) =>
  hashesQuery(queries, level, first, count).execute();

const hashesQuery = (queries: Queries, level: number, first: number, count: number) =>
  queries
    .selectFrom('audit_nodes')
    .select(['place', 'hash'])
    .where('level', '=', level)
    .where('place', '>=', first)
    .where('place', '<', first + count);

/** Leaves after the entry `number`, oldest first, also those put before the first. None is left out. */
export async function leavesFrom(
  queries: Queries,
  number: number,
  limit: number,
): Promise<readonly StoredLeaf[]> {
  const rows = await queries
    .selectFrom('audit as entry')
    .leftJoin('audit_nodes as node', (on) =>
      on.on('node.level', '=', 0).on('node.place', '=', sql<number>`entry.seq - 1`),
    )
    .selectAll('entry')
    .select('node.hash as leaf_hash')
    .where('seq', '>', number)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const before = await queries
    .selectFrom('audit')
    .select('latest_at')
    .where('seq', '<=', number)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  let latestAt = before?.latest_at ?? 0;
  return rows.map((row) => {
    latestAt = Math.max(latestAt, row.at);
    return {
      number: row.seq,
      draft: row.draft,
      hash: Buffer.from((row.previous_hash === '' ? row.hash : row.leaf_hash) ?? '', 'hex'),
      misleading: misleadingColumn(row) ?? (row.latest_at === latestAt ? undefined : 'latest_at'),
    };
  });
}

/** How many entries have a number up to this one: more than that where a page leaves one out. */
export async function countEntries(queries: Queries, number: number): Promise<number> {
  const { count } = await queries
    .selectFrom('audit')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('seq', '<=', number)
    .executeTakeFirstOrThrow();
  return count;
}

/** The first of a witness for a checkpoint stands. */
export async function keepCosignature(queries: Queries, cosignature: Cosignature): Promise<void> {
  await queries
    .insertInto('audit_cosignatures')
    .values(cosignature)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Of the first checkpoint that covers so many entries and was cosigned; empty where none was. */
export const cosignaturesOf = (queries: Queries, size: number): Promise<readonly Cosignature[]> =>
  queries
    .selectFrom('audit_cosignatures')
    .selectAll()
    .where('number', '=', (is) =>
      is
        .selectFrom('audit_checkpoints as covers')
        .innerJoin('audit_cosignatures as signed', 'signed.number', 'covers.number')
        .select('covers.number')
        .where('covers.size', '>=', size)
        .orderBy('covers.size')
        .limit(1),
    )
    .orderBy('witness')
    .execute();
