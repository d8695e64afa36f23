import { z } from 'zod';

import type {
  Cosignature,
  EntrySeal,
  StoredCheckpoint,
  StoredLeaf,
  Hash,
  TreeNode,
} from '../../model/sealed-log.ts';
import type { Request } from '../../model/request.ts';
import type { Queries } from '../database/database.ts';
import type { AuditRow } from '../database/schema.ts';
import { misleadingColumn } from './audit.ts';
import { sanitizeText, UnreadableRow } from './parse-row.ts';

const checkpoints = (queries: Queries) =>
  queries.selectFrom('audit_checkpoints').select(['number', 'size', 'at', 'note']);

/** Undefined before the first. */
export const newestCheckpoint = (queries: Queries): Promise<StoredCheckpoint | undefined> =>
  checkpoints(queries).orderBy('number', 'desc').limit(1).executeTakeFirst();

/** Entries of a request that are looked at; it has a handful. */
const mostEntries = 20;

/** Where the step that led to a request's state is sealed; undefined where it is not yet. */
export async function sealOf(
  queries: Queries,
  { id, state }: Pick<Request, 'id' | 'state'>,
): Promise<EntrySeal | undefined> {
  const entries = await queries
    .selectFrom('audit')
    .select((is) => [
      'seq',
      'draft',
      is
        .selectFrom('audit_checkpoints')
        .select('number')
        .whereRef('size', '>=', 'audit.seq')
        .orderBy('size')
        .limit(1)
        .as('checkpoint'),
    ])
    .where('request_id', '=', sanitizeText(id))
    .orderBy('seq', 'desc')
    .limit(mostEntries)
    .execute();
  const step = entries.findLast(({ draft }) => outcomeOf(draft) === state);
  return step && step.checkpoint !== null ? { number: step.seq, checkpoint: step.checkpoint } : undefined;
}

const stepDraft = z.object({ outcome: z.string() });

/** Undefined also where somebody edited the entry into no JSON. */
function outcomeOf(draft: string): string | undefined {
  try {
    return stepDraft.safeParse(JSON.parse(draft)).data?.outcome;
  } catch {
    return undefined;
  }
}

/** Those after `number`, oldest first; undefined is before all, whatever number they have. */
export const checkpointsFrom = (
  queries: Queries,
  number: number | undefined,
  limit: number,
): Promise<readonly StoredCheckpoint[]> =>
  checkpoints(queries)
    .$if(number !== undefined, (all) => all.where('number', '>', number ?? 0))
    .orderBy('number')
    .limit(limit)
    .execute();

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

/** Leaves after the entry `number`, oldest first; undefined is before all. None is left out. */
export async function leavesFrom(
  queries: Queries,
  number: number | undefined,
  limit: number,
): Promise<readonly StoredLeaf[]> {
  const rows = await queries
    .selectFrom('audit')
    .selectAll()
    .$if(number !== undefined, (all) => all.where('seq', '>', number ?? 0))
    .orderBy('seq')
    .limit(limit)
    .execute();
  const besides = await leavesBeside(queries, rows);
  let latestAt = number === undefined ? 0 : await latestUpTo(queries, number);
  return rows.map((row) => {
    const { seq, draft, hash, previous_hash: previousHash } = row;
    const chained = previousHash !== '';
    latestAt = Math.max(latestAt, row.at);
    return {
      number: seq,
      draft,
      hash: chained ? besides.get(seq - 1) : hash,
      chained: chained ? { previousHash, hash } : undefined,
      misleading: misleadingColumn(row) ?? (row.latest_at === latestAt ? undefined : 'latest_at'),
    };
  });
}

async function latestUpTo(queries: Queries, number: number): Promise<number> {
  const row = await queries
    .selectFrom('audit')
    .select('latest_at')
    .where('seq', '<=', number)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.latest_at ?? 0;
}

/** The hashes that stand beside the tree for those of a page that a version before it wrote. */
async function leavesBeside(
  queries: Queries,
  page: readonly AuditRow[],
): Promise<ReadonlyMap<number, string>> {
  const chained = page.filter((row) => row.previous_hash !== '');
  const [first, last] = [chained[0], chained.at(-1)];
  if (!first || !last) return new Map();
  const rows = await hashesAt(queries, 0, first.seq - 1, last.seq - first.seq + 1);
  return new Map(rows.map(({ place, hash }) => [place, hash]));
}

/** How many leaves have a hash beside the tree, of those up to this size, before the first, or beyond any checkpoint. */
export async function countLeavesBeside(queries: Queries, size: number): Promise<number> {
  const { count } = await queries
    .selectFrom('audit_nodes')
    .select((is) => is.fn.countAll<number>().as('count'))
    .where('level', '<=', 0)
    .where((is) =>
      is.or([
        is('level', '<', 0),
        is('place', '<', size),
        is(
          'place',
          '>=',
          is
            .selectFrom('audit_checkpoints')
            .select((of) => of.fn.coalesce(of.fn.max('size'), is.lit(0)).as('size')),
        ),
      ]),
    )
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
