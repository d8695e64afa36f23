import {
  type AuditEntry,
  type AuditHead,
  breakAt,
  genesisHash,
  type KeptEntry,
  type AuditLog,
} from '../../core/audit/audit.ts';
import { UnreadableRow } from '../queries/parse-row.ts';

export type Verdict =
  | { readonly intact: true; readonly head: AuditHead }
  | { readonly intact: false; readonly seq: number; readonly why: string };

type Found = Extract<Verdict, { intact: false }>;
type Page = { readonly kept: readonly KeptEntry[]; readonly unreadable?: Found };

/** Before any number that an entry can have, so that one put in front of the first is seen too. */
const beforeAll = -(2 ** 31);
const pageLength = 2000;

/**
 * Reads the whole record once, page by page, and names the first entry that was edited, removed, inserted or
 * reordered. A tail that was cut leaves no trace in the chain itself: it is found by a head known from elsewhere, here
 * the one that the store keeps, and `known`, from the log. Entries appended meanwhile do no harm.
 * @throws BellhopError `store-unavailable`
 */
export async function verifyAudit(
  record: Pick<AuditLog, 'keptFrom' | 'auditHead'>,
  known?: AuditHead,
): Promise<Verdict> {
  const stated = await record.auditHead();
  const heads = known ? [stated, known] : [stated];
  let head: AuditHead = { seq: 0, hash: genesisHash };
  let after = beforeAll;
  for (;;) {
    const page = await readPage(record, after);
    for (const { entry, text } of page.kept) {
      const why = breakAt(head, entry, text) ?? contradiction(entry, heads);
      if (why !== undefined) return { intact: false, seq: head.seq + 1, why };
      head = { seq: entry.seq, hash: entry.hash };
      after = entry.seq;
    }
    if (page.unreadable) return page.unreadable;
    if (page.kept.length === 0) return cutTail(head, heads) ?? { intact: true, head };
  }
}

/** A page; where a row in it cannot be read, the entries before that row, which are found by halving. */
async function readPage(record: Pick<AuditLog, 'keptFrom'>, after: number): Promise<Page> {
  for (let limit = pageLength; ; limit = Math.floor(limit / 2)) {
    try {
      return { kept: await record.keptFrom(after, limit) };
    } catch (error) {
      if (!(error instanceof UnreadableRow)) throw error;
      if (limit > 1) continue;
      const seq = Number(error.row);
      return {
        kept: [],
        unreadable: { intact: false, seq, why: `entry ${seq} was edited: ${error.why}` },
      };
    }
  }
}

function contradiction(entry: AuditEntry, heads: readonly AuditHead[]): string | undefined {
  const other = heads.some((head) => head.seq === entry.seq && head.hash !== entry.hash);
  return other ? `entry ${entry.seq} is not the one that was recorded: its hash was another` : undefined;
}

function cutTail(last: AuditHead, heads: readonly AuditHead[]): Found | undefined {
  const furthest = Math.max(...heads.map(({ seq }) => seq));
  if (furthest <= last.seq) return undefined;
  const seq = last.seq + 1;
  return { intact: false, seq, why: `entries ${seq} to ${furthest} were removed from the end` };
}
