import { abridged } from '../../../text/words.ts';
import { type Content, type Mark, progressEach } from './content.ts';
import { columns, csvHeader, csvRecord, nextRecord, type PackRow, rowOfRecord } from './csv.ts';
import type { Manifest } from './manifest.ts';
import type { Entries } from './read-entries.ts';

const file = 'changes.csv';

/** A row is not verified if one of its entries was altered. */
export async function compareRows(
  { seals: { manifest }, faults, watch }: Content,
  { rows, altered, untrusted }: Entries,
): Promise<void> {
  const records = faults.lines(file);
  if ((await records.next())?.text !== csvHeader) records.fail('Its first line was altered.');
  const passed = new Set<string>();
  const isDoubtful = ({ entries }: PackRow): boolean =>
    untrusted.size > 0 && entries.split(' ').some((number) => untrusted.has(Number(number)));
  const compare = (record: string): void => {
    const claim = rowOfRecord(record);
    const row = rows.rowOf(claim.change);
    const isUnsure = isDoubtful(claim) || (row !== undefined && isDoubtful(row));
    const name = `The row of “${claim.change.slice(0, 64)}”`;
    if (!row) {
      // An invented row has no entries of its own. The entries that it lists belong to other changes.
      watch.onRow?.(isUnsure ? claim : { ...claim, entries: '' }, isUnsure ? 'unverified' : 'invented');
      if (!isUnsure) faults.add(file, `${name} is not a change in entries.jsonl.`);
    } else if (passed.has(row.change)) faults.add(file, `${name} appears twice.`);
    else {
      passed.add(row.change);
      const expected = csvRecord(row);
      const mark = isUnsure ? 'unverified' : record === expected ? undefined : 'altered';
      if (mark === 'altered')
        faults.add(
          file,
          `The row of ${titleOf(row)} was altered: ${differences(record, expected, manifest)}.`,
        );
      watch.onRow?.(row, mark);
    }
  };
  for (let read = 1; ; read += 1) {
    const record = await nextRecord(records);
    if (record === undefined) break;
    compare(record);
    if (read % progressEach === 0) await watch.onProgress?.(read, manifest.changes);
  }
  const inFile = passed.values();
  let [absent, isOrdered] = [0, altered.size === 0];
  for (const id of rows.ids()) {
    const row = passed.has(id) ? undefined : rows.rowOf(id);
    if (row) {
      absent += 1;
      const mark = absentMark(isDoubtful(row) || altered.size > 0, records.failed);
      if (mark === 'missing') faults.add(file, `The row of ${titleOf(row)} is missing.`);
      watch.onRow?.(row, mark);
    } else if (isOrdered && passed.has(id)) {
      const { value: next = id } = inFile.next();
      isOrdered = next === id;
      if (!isOrdered)
        faults.add(file, `Its rows are not in the order of their proposals, from the row of “${next}” on.`);
    }
  }
  const made = passed.size + absent;
  if (altered.size === 0 && made !== manifest.changes)
    faults.add('manifest.json', `It counts ${manifest.changes} changes, and the entries have ${made}.`);
}

const absentMark = (isUnsure: boolean, isUnread: boolean): Mark | undefined =>
  isUnsure ? 'unverified' : isUnread ? undefined : 'missing';

const titleOf = ({ change, operation, target, at, requester }: PackRow): string =>
  `${change} (${operation} ${target}, ${at.slice(0, 16).replace('T', ' ')}, ${requester})`;

const people: ReadonlySet<string> = new Set(['requester', 'approvers', 'reviewer', 'settled_by']);

const mostShown = 100;

const quoted = (cell: string): string => (cell === '' ? 'empty' : `“${abridged(cell, mostShown)}”`);

/**
 * Each column that differs, with the value in the table and the value by the entries. The manifest has the names of people, and no entry
 * has them.
 */
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
