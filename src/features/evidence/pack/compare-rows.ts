import { abridged } from '../../../text/words.ts';
import { type Content, type Mark, progressEach } from './content.ts';
import { columns, csvHeader, csvRecord, nextRecord, type PackRow, rowOfRecord } from './csv.ts';
import type { Manifest } from './manifest.ts';
import type { Entries } from './read-entries.ts';

const file = 'changes.csv';

/** A row as changes.csv has it. */
interface Claim {
  readonly record: string;
  readonly row: PackRow;
}

/** Compares each row with what its entries say. A row with entries that were altered is not verified. */
export async function compareRows(
  { seals: { manifest }, faults, watch }: Content,
  { rows, altered, untrusted }: Entries,
): Promise<void> {
  const records = faults.lines(file);
  if ((await records.next())?.text !== csvHeader) records.fail('Its first line was altered.');
  const passed = new Set<string>();
  const isDoubtful = ({ entries }: PackRow): boolean =>
    untrusted.size > 0 && entries.split(' ').some((number) => untrusted.has(Number(number)));
  /** Reports the rows of no change, and of changes whose row has been read. */
  const nextClaim = async (): Promise<Claim | undefined> => {
    for (;;) {
      const record = await nextRecord(records);
      if (record === undefined) return undefined;
      const row = rowOfRecord(record);
      const isKnown = rows.has(row.change);
      if (isKnown && !passed.has(row.change)) return { record, row };
      const isUnsure = isDoubtful(row);
      // The entries of an invented row are those of other changes, if there are any.
      if (!isKnown)
        watch.onRow?.(isUnsure ? row : { ...row, entries: '' }, isUnsure ? 'unverified' : 'invented');
      if (!isUnsure)
        faults.add(
          file,
          `The row of “${row.change.slice(0, 64)}” is ${isKnown ? 'out of place' : 'not of a change in entries.jsonl'}.`,
        );
    }
  };
  const markOf = (row: PackRow, claim: Claim | undefined): Mark | undefined => {
    if (isDoubtful(row) || (claim && isDoubtful(claim.row))) return 'unverified';
    if (claim) return claim.record === csvRecord(row) ? undefined : 'altered';
    if (altered.size > 0) return 'unverified';
    return records.failed ? undefined : 'missing';
  };
  let made = 0;
  let next = await nextClaim();
  for (const row of rows.rows()) {
    made += 1;
    passed.add(row.change);
    if (made % progressEach === 0) await watch.onProgress?.(made, manifest.changes);
    const claim = next?.row.change === row.change ? next : undefined;
    const mark = markOf(row, claim);
    if (mark === 'altered' || mark === 'missing') {
      const how = claim
        ? `was altered: ${differences(claim.record, csvRecord(row), manifest)}`
        : 'is missing, or out of place';
      faults.add(file, `The row of ${titleOf(row)} ${how}.`);
    }
    watch.onRow?.(row, mark);
    if (claim) next = await nextClaim();
  }
  if (altered.size === 0 && made !== manifest.changes)
    faults.add('manifest.json', `It counts ${manifest.changes} changes, and the entries have ${made}.`);
}

const titleOf = ({ change, operation, target, at, requester }: PackRow): string =>
  `${change} (${operation} ${target}, ${at.slice(0, 16).replace('T', ' ')}, ${requester})`;

const people: ReadonlySet<string> = new Set(['requester', 'approvers', 'reviewer', 'settled_by']);

const mostShown = 100;

const quoted = (cell: string): string => (cell === '' ? 'empty' : `“${abridged(cell, mostShown)}”`);

/** Names the columns that differ, each with what the table says and what the entries say. Names are in no entry. */
function differences(record: string, expected: string, { names }: Pick<Manifest, 'names'>): string {
  const hasNames = Object.keys(names).length > 0;
  const [claimed, told] = [rowOfRecord(record), rowOfRecord(expected)];
  const named = columns.flatMap((column) => {
    const by =
      hasNames && people.has(column) ? 'by its entries and the names in manifest.json' : 'by its entries';
    const [is, was] = [claimed[column], told[column]];
    return is === was ? [] : `${column} is ${quoted(is)}, and ${by} ${quoted(was)}`;
  });
  return named.join('; ') || 'its punctuation';
}
