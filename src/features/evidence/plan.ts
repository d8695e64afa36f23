import { leafText } from '../../audit/tree/merkle.ts';
import type { VerifierKey } from '../../audit/tree/signed-note.ts';
import { checkpointFor } from '../../audit/verify/prove.ts';
import { verifyAudit } from '../../audit/verify/verify-audit.ts';
import { pagesOf } from '../../audit/verify/verify-checkpoints.ts';
import type { StoredCheckpoint, StoredLeaf } from '../../model/records/sealed-log.ts';
import { badConfiguration } from '../../model/values/errors.ts';
import type { AuditRecord } from '../../store/open-store.ts';
import { parseJson } from '../../text/words.ts';
import type { ShowProgress } from './progress.ts';
import type { ReasonLine } from './pack/read-entries.ts';
import { createKinds, type PackEntry, packEntry, type Selection } from './pack/changes.ts';

/** The content of a pack before it is written. */
export interface Plan {
  readonly kinds: ReturnType<typeof createKinds>;
  readonly first: StoredCheckpoint;
  readonly last: StoredCheckpoint;
  /** The number of the first entry in numbers.csv. */
  readonly begin: number;
  /** Set if the log is not sealed to the end of the period, in epoch milliseconds. */
  readonly sealedUntil?: number | undefined;
  /** The people in the changes. */
  readonly users: ReadonlySet<string>;
}

interface Wanted {
  readonly selection: Selection;
  readonly keys: readonly VerifierKey[];
  readonly newest: StoredCheckpoint;
  /** In epoch milliseconds. */
  readonly now: number;
  readonly onProgress: ShowProgress;
}

/** Verifies the whole log, and finds the changes in it. Resolves to a sentence if there is nothing to prove. */
export async function planPack(log: AuditRecord, wanted: Wanted): Promise<Plan | string> {
  const { selection, keys, newest, now, onProgress } = wanted;
  const found = createFinder(selection);
  const leavesFrom: AuditRecord['leavesFrom'] = async (number, limit) => {
    const leaves = await log.leavesFrom(number, limit);
    for (const leaf of leaves) if (leaf.number <= newest.size) found.look(leaf);
    onProgress(leaves.at(-1)?.number ?? newest.size, newest.size);
    return leaves;
  };
  const verdict = await verifyAudit({ ...log, leavesFrom }, { keys });
  if (!verdict.intact) return `The audit log is broken: ${verdict.why}. No pack was made.`;
  const { begin, end, kinds, users } = found;
  if (begin === undefined || !found.hasChanges)
    return 'No change was proposed in this period that the filter selects. No pack was made.';
  const last = await checkpointFor(log, end);
  const before = await newestBefore(log, begin);
  const first = before ?? (await log.checkpointsFrom(undefined, 1)).at(0);
  if (!last || !first) return 'The audit log has no checkpoint. No pack was made.';
  const [waiting] = await log.auditFrom(newest.size, 1);
  const isSealed = now >= selection.until && (waiting === undefined || waiting.at >= selection.until);
  return {
    kinds,
    users,
    first,
    last,
    begin: before ? before.size + 1 : 1,
    sealedUntil: isSealed ? undefined : Math.min(last.at, selection.until),
  };
}

function createFinder(selection: Selection) {
  const kinds = createKinds(selection);
  const users = new Set<string>();
  let [seen, hasChanges]: [number, boolean] = [0, false];
  const found = {
    kinds,
    users,
    begin: undefined as number | undefined,
    end: 0,
    get hasChanges() {
      return hasChanges;
    },
    look(leaf: StoredLeaf): void {
      // A page begins with the last row of the page before.
      if (leaf.number <= seen) return;
      seen = leaf.number;
      const entry = packEntryOf(leaf);
      if (entry.at < selection.until) found.end = leaf.number;
      if (entry.at >= selection.from && entry.at < selection.until) found.begin ??= leaf.number;
      if (found.begin === undefined) return;
      kinds.learn(entry);
      const kind = kinds.kindOf(entry.requestId ?? '');
      if (kind !== 'other' && entry.actor) users.add(entry.actor.user);
      hasChanges ||= kind === 'in';
    },
  };
  return found;
}

/** @throws BellhopError `configuration` if another version of Bellhop wrote the entry */
export function packEntryOf({ number, draft }: StoredLeaf): PackEntry {
  const { data } = packEntry.safeParse(parseJson(leafText(number, draft)));
  if (data) return data;
  throw badConfiguration(
    `This version of Bellhop can't read entry ${number}. "npm run audit -- verify" says whether it was altered.`,
  );
}

/** Reads the sealed entries between two numbers, in order. */
export async function eachLeaf(
  log: Pick<AuditRecord, 'leavesFrom'>,
  { begin, last }: { readonly begin: number; readonly last: number },
  look: (leaf: StoredLeaf) => void | Promise<void>,
): Promise<void> {
  for await (const page of pagesOf((after, limit) => log.leavesFrom(after ?? begin - 1, limit)))
    for (const leaf of page) {
      if (leaf.number > last) return;
      await look(leaf);
    }
}

/** Resolves to the newest checkpoint that does not cover this entry. */
async function newestBefore(log: AuditRecord, number: number): Promise<StoredCheckpoint | undefined> {
  let newest: StoredCheckpoint | undefined;
  for await (const page of pagesOf((after, limit) => log.checkpointsFrom(after, limit)))
    for (const one of page) {
      if (one.size >= number) return newest;
      newest = one;
    }
  return newest;
}

/** Returns what was typed with an entry, as reasons.jsonl has it. */
export function reasonLine({ number, reason }: StoredLeaf): ReasonLine | undefined {
  if (!reason) return undefined;
  const { typed } = reason;
  if (typed === undefined) return { number, removed: true };
  const [salt = ''] = typed.split('\n', 1);
  return { number, salt, text: typed.slice(salt.length + 1) };
}
