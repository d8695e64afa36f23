import { sql } from 'kysely';
import { z } from 'zod';

import { parseJson } from '../../text/words.ts';
import type {
  Cosignature,
  EntrySeal,
  SealedLog,
  StoredCheckpoint,
  StoredLeaf,
  Hash,
  TreeNode,
} from '../../model/records/sealed-log.ts';
import { type Request, type Stated, stateWord } from '../../model/records/request.ts';
import type { Database, Queries } from '../database/database.ts';
import { shareInTurn } from '../database/share-in-turn.ts';
import { misleadingColumn, typedBeside } from './audit.ts';
import { sanitizeText } from './parse-row.ts';
import { UnreadableRow } from '../../model/values/errors.ts';

const checkpoints = (queries: Queries) =>
  queries.selectFrom('audit_checkpoints').select(['number', 'size', 'at', 'note']);

/** Undefined before the first checkpoint. */
export const newestCheckpoint = (queries: Queries): Promise<StoredCheckpoint | undefined> =>
  checkpoints(queries).orderBy('number', 'desc').limit(1).executeTakeFirst();

/** As `verifyAudit` reads it. */
export const sealedLogReads = (
  read: Database['read'],
): Pick<SealedLog, 'newestCheckpoint' | 'checkpointsFrom' | 'leavesFrom' | 'nodesFrom'> => ({
  newestCheckpoint: shareInTurn<void, StoredCheckpoint | undefined>(() => read(newestCheckpoint)),
  checkpointsFrom: (number, limit) => read((queries) => checkpointsFrom(queries, number, limit)),
  leavesFrom: (number, limit) => read((queries) => leavesFrom(queries, number, limit)),
  nodesFrom: (after, limit) => read((queries) => nodesFrom(queries, after, limit)),
});

/** More steps than a request normally has. */
const maxEntries = 20;

/** Of the request's last step. Undefined before sealing. */
export async function sealOf(
  queries: Queries,
  request: Pick<Request, 'id'> & Stated,
): Promise<EntrySeal | undefined> {
  const { rows } = await sql<{ seq: number; draft: string; checkpoint: number | null }>`
    select seq, draft,
      (select number from audit_checkpoints where size >= audit.seq order by size limit 1) as checkpoint
    from audit where request_id = ${sanitizeText(request.id)} and event <> 'ignored click' order by seq desc limit ${maxEntries}`.execute(
    queries,
  );
  // An ignored click has the state of the request, but did not change it.
  // Some steps are recorded as the word that people read, such as `done`.
  const ends = new Set<string | undefined>([request.state, stateWord(request)]);
  const step = rows.findLast(({ draft }) => ends.has(outcomeOf(draft)));
  return step && step.checkpoint !== null ? { number: step.seq, checkpoint: step.checkpoint } : undefined;
}

const stepDraft = z.object({ outcome: z.string() });

/** Undefined also if someone edited the entry into invalid JSON. */
const outcomeOf = (draft: string): string | undefined => stepDraft.safeParse(parseJson(draft)).data?.outcome;

const checkpointsFrom = (
  queries: Queries,
  number: number | undefined,
  limit: number,
): Promise<readonly StoredCheckpoint[]> =>
  checkpoints(queries)
    .$if(number !== undefined, (all) => all.where('number', '>', number ?? 0))
    .orderBy('number')
    .limit(limit)
    .execute();

/** The tree above the leaves, by level and position. */
async function nodesFrom(
  queries: Queries,
  after: Omit<TreeNode, 'hash'> | undefined,
  limit: number,
): Promise<readonly TreeNode[]> {
  const rows = await queries
    .selectFrom('audit_nodes')
    .selectAll()
    .$if(after !== undefined, (all) =>
      all.where(sql<boolean>`(level, place) > (${after?.level ?? 0}, ${after?.index ?? 0})`),
    )
    .orderBy('level')
    .orderBy('place')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ level: row.level, index: row.place, hash: Buffer.from(row.hash, 'hex') }));
}

/** @throws UnreadableRow if a hash is missing */
export async function readHashes(
  queries: Queries,
  level: number,
  first: number,
  count: number,
): Promise<readonly Hash[]> {
  const { rows } = await sql<{ place: number; hash: string }>`${
    level === 0
      ? sql`select seq - 1 as place, hash from audit where seq > ${first} and seq <= ${first + count}`
      : sql`select place, hash from audit_nodes where level = ${level} and place >= ${first} and place < ${first + count}`
  }`.execute(queries);
  const hashes = new Map(rows.map(({ place, hash }) => [place, Buffer.from(hash, 'hex')]));
  return Array.from({ length: count }, (_, at) => {
    const hash = hashes.get(first + at);
    if (hash?.length === 32) return hash;
    throw new UnreadableRow('audit', first + at + 1, `level ${level}`, 'its hash is missing in the tree');
  });
}

/** Oldest first, without gaps. */
async function leavesFrom(
  queries: Queries,
  number: number | undefined,
  limit: number,
): Promise<readonly StoredLeaf[]> {
  const rows = await queries
    .selectFrom('audit')
    .selectAll()
    .select(typedBeside('audit'))
    .$if(number !== undefined, (all) => all.where('seq', '>', number ?? 0))
    .orderBy('seq')
    .limit(limit)
    .execute();
  let latestAt = number === undefined ? 0 : await latestUpTo(queries, number);
  return rows.map((row) => {
    const { seq, draft, hash, typed, reason_hash } = row;
    latestAt = Math.max(latestAt, row.at);
    return {
      number: seq,
      draft,
      hash,
      reason: reason_hash === null ? undefined : { typed: typed ?? undefined },
      misleading: misleadingColumn(row) ?? (row.latest_at === latestAt ? undefined : 'latest_at'),
    };
  });
}

async function latestUpTo(queries: Queries, number: number): Promise<number> {
  const { rows } = await sql<{ latest_at: number }>`select latest_at from audit where seq <= ${number}
    order by seq desc limit 1`.execute(queries);
  return rows[0]?.latest_at ?? 0;
}

/** Keeps only the first cosignature of each witness for a checkpoint. */
export async function keepCosignature(queries: Queries, cosignature: Cosignature): Promise<void> {
  await queries
    .insertInto('audit_cosignatures')
    .values(cosignature)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Of the first cosigned checkpoint that covers this many entries. */
export async function cosignaturesOf(queries: Queries, size: number): Promise<readonly Cosignature[]> {
  const { rows } = await sql<Cosignature>`select * from audit_cosignatures where number = (
      select covers.number from audit_checkpoints as covers
      join audit_cosignatures as signed on signed.number = covers.number
      where covers.size >= ${size} order by covers.size limit 1)
    order by witness`.execute(queries);
  return rows;
}
