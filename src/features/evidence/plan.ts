import { leafText } from '../../audit/tree/merkle.ts';
import type { VerifierKey } from '../../audit/tree/signed-note.ts';
import { checkpointFor } from '../../audit/verify/prove.ts';
import { verifyAudit } from '../../audit/verify/verify-audit.ts';
import { pagesOf } from '../../audit/verify/verify-checkpoints.ts';
import type { StoredCheckpoint, StoredLeaf } from '../../model/records/sealed-log.ts';
import { badConfiguration } from '../../model/values/errors.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { createKinds, type PackEntry, readEntry } from './pack/changes.ts';
import { type Manifest, selectionOf } from './pack/manifest.ts';
import type { ShowProgress } from './progress.ts';

export interface Plan extends Pick<Manifest, 'period' | 'filter'> {
  readonly kinds: ReturnType<typeof createKinds>;
  readonly first: StoredCheckpoint;
  readonly last: StoredCheckpoint;
  /** In numbers.csv. */
  readonly begin: number;
  readonly users: ReadonlySet<string>;
}

interface Wanted extends Pick<Manifest, 'period' | 'filter'> {
  readonly keys: readonly VerifierKey[];
  readonly newest: StoredCheckpoint;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly onProgress: ShowProgress;
}

/** Verifies the whole log, too. Resolves to a sentence if there is nothing to prove. */
export async function planPack(log: AuditRecord, wanted: Wanted): Promise<Plan | string> {
  const { period, filter, keys, newest, now, onProgress } = wanted;
  const { from, until, ...selected } = selectionOf(wanted);
  const kinds = createKinds({ from, until, ...selected });
  const users = new Set<string>();
  let [seen, begin, end, hasChanges] = [0, Infinity, 0, false];
  const look = (leaf: StoredLeaf): void => {
    const entry = packEntryOf(leaf);
    if (entry.at < until) end = leaf.number;
    if (entry.at < until && entry.at >= from) begin = Math.min(begin, leaf.number);
    kinds.learn(entry);
    const kind = kinds.kindOf(entry);
    if (kind !== 'other' && entry.actor) users.add(entry.actor.user);
    hasChanges ||= kind === 'in';
  };
  const leavesFrom: AuditRecord['leavesFrom'] = async (number, limit) => {
    const leaves = await log.leavesFrom(number, limit);
    for (const leaf of leaves) {
      // A page begins with the last row of the page before.
      if (leaf.number > seen && leaf.number <= newest.size) look(leaf);
      seen = leaf.number;
    }
    onProgress(seen, newest.size);
    return leaves;
  };
  const verdict = await verifyAudit({ ...log, leavesFrom }, { keys });
  if (!verdict.intact) return `The audit log is broken: ${verdict.why}. No pack was made.`;
  if (!hasChanges) return 'No matching change was proposed in this period. No pack was made.';
  const last = await checkpointFor(log, end);
  const before = await newestBefore(log, begin);
  const first = before ?? (await log.checkpointsFrom(undefined, 1)).at(0);
  if (!last || !first) return 'The audit log has no checkpoint. No pack was made.';
  const [waiting] = await log.auditFrom(newest.size, 1);
  const isSealed = now >= until && (waiting === undefined || waiting.at >= until);
  const sealedUntil = new Date(Math.min(last.at, until)).toISOString();
  return {
    kinds,
    users,
    first,
    last,
    begin: before ? before.size + 1 : 1,
    period: isSealed ? period : { ...period, sealed_until: sealedUntil },
    filter,
  };
}

/** @throws BellhopError `configuration` if another version of Bellhop wrote the entry */
export function packEntryOf({ number, draft }: StoredLeaf): PackEntry {
  const entry = readEntry(leafText(number, draft));
  if (entry) return entry;
  throw badConfiguration(
    `This version of Bellhop can't read entry ${number}. "npm run audit -- verify" says whether it was altered.`,
  );
}

/** Both numbers are included. Default: all entries. */
export async function* leavesOf(
  log: Pick<AuditRecord, 'leavesFrom'>,
  begin = 1,
  last = Infinity,
): AsyncGenerator<StoredLeaf, undefined> {
  for await (const page of pagesOf((after, limit) => log.leavesFrom(after ?? begin - 1, limit)))
    for (const leaf of page)
      if (leaf.number <= last) yield leaf;
      else return;
}

async function newestBefore(log: AuditRecord, number: number): Promise<StoredCheckpoint | undefined> {
  let newest: StoredCheckpoint | undefined;
  for await (const page of pagesOf((after, limit) => log.checkpointsFrom(after, limit))) {
    newest = page.findLast(({ size }) => size < number) ?? newest;
    if (page.some(({ size }) => size >= number)) return newest;
  }
  return newest;
}
