import type { Checkpoint } from '../../../audit/tree/checkpoint.ts';
import { createTree, treeOfEdge } from '../../../audit/tree/merkle.ts';
import { formatProof, parseProof } from '../../../audit/tree/proof-file.ts';
import { verifyInclusion } from '../../../audit/tree/proofs.ts';
import type { Hash } from '../../../model/records/sealed-log.ts';
import { badInput } from '../../../model/values/errors.ts';
import { abridged } from '../../../text/words.ts';
import { columns, isKind, kinds, type Mark, type PackRow, rowOfCells } from './changes.ts';
import { cellsOf, csvHeader, csvRecord, nextRecord } from './csv.ts';
import type { Faults } from './faults.ts';
import { filterOf, type Manifest } from './manifest.ts';
import { type PackFiles, readText } from './pack-files.ts';
import { createHidden, type Hidden } from './hidden.ts';
import { createReader, readEntries, type Shown, uncheckable, type Watch } from './read-entries.ts';
import type { Seals } from './seals.ts';

interface Content {
  readonly files: PackFiles;
  readonly seals: Seals;
  readonly faults: Faults;
  /** Checkpoints of the log that the reader has kept. */
  readonly handed: readonly Checkpoint[];
  readonly watch: Watch;
}

type Entries = ReturnType<typeof readEntries>;

export const numbersHeader = 'number,leaf_hash,kind\r';
const numberLine = /^([1-9]\d{0,15}),([0-9a-f]{64}),(\w+)\r$/u;
const progressEach = 2000;
const mostShown = 100;

/** The result of reading the numbers of a pack, once all of them have been read. */
interface Grown {
  /** The checkpoints that the tree over them agrees with. */
  readonly agreed: readonly Checkpoint[];
  readonly hidden: Hidden;
}

interface Verified extends Grown {
  /** Whether the checkpoints signed the hashes in numbers.csv. */
  readonly fits: boolean;
  readonly shown: Shown | undefined;
}

/**
 * Verifies what is in a pack: grows the log's tree over all numbers, and makes the rows from the entries.
 * @returns the checkpoints of `handed` that the tree agrees with
 */
export async function verifyContent(content: Content): Promise<Verified | undefined> {
  const { files, seals, faults, watch } = content;
  const entries = readEntries({ files, manifest: seals.manifest, faults, onEntry: watch.onEntry });
  const grown = await growTree(content, entries);
  const isReadable = await entries.end(grown !== undefined);
  if (!grown) return undefined;
  const { agreed, hidden } = grown;
  const { leaves, differing } = entries;
  const fits = agreed.includes(seals.first) && agreed.includes(seals.last);
  for (const [number, hex] of differing) {
    if (fits) {
      faults.add('entries.jsonl', `Entry ${number} was altered. ${uncheckable}`);
      if (leaves.has(number)) leaves.set(number, Buffer.from(hex, 'hex'));
    } else faults.add('numbers.csv', `The line of entry ${number} has another hash than the entry.`);
  }
  if (!fits)
    faults.add(
      'numbers.csv',
      'A line was altered: the hashes of the lines are not those that the checkpoints signed. No row can be checked.',
    );
  if (isReadable) {
    if (fits) await compareRows(content, entries);
    await verifyProofs(content, leaves);
  }
  return {
    hidden,
    fits,
    shown: fits ? entries.shown : undefined,
    agreed: fits ? content.handed.filter((one) => agreed.includes(one)) : [],
  };
}

/** Resolves to undefined if a number is missing. */
async function growTree(
  { files, seals, faults, handed, watch }: Content,
  entries: Entries,
): Promise<Grown | undefined> {
  const { manifest, first, last, edge } = seals;
  const { first: begin, last: end } = manifest.entries;
  const tree = begin === 1 ? createTree() : treeOfEdge(begin - 1, edge, first.root);
  if (!tree) return faults.add('proofs/consistency', 'It does not fit checkpoints/first.');
  const known = [first, last, ...handed];
  const agreeing = () => known.filter(({ size, root }) => size === tree.size && root.equals(tree.root()));
  const sizes = new Set(known.map(({ size }) => size));
  const agreed = agreeing();
  const count = { in: 0, change: 0, other: 0 };
  const hidden = createHidden();
  const numbers = createReader(files, 'numbers.csv', faults);
  if ((await numbers.next())?.text !== numbersHeader) numbers.fail('Its first line was altered.');
  for (let number = begin; number <= end && !numbers.failed; number += 1) {
    const line = await numbers.next();
    const [, found, hex = '', kind = ''] = numberLine.exec(line?.text ?? '') ?? [];
    if (found === String(number) && isKind(kind)) {
      count[kind] += 1;
      if (kind === 'in') await entries.add(number, hex);
      else hidden.add(number);
      tree.append(Buffer.from(hex, 'hex'));
      if (sizes.has(number)) agreed.push(...agreeing());
      if (number % progressEach === 0) await watch.onProgress?.(number - begin, end - begin);
    } else if (line) numbers.fail(`The line of entry ${number} was altered, or is missing.`);
    else numbers.fail(`It ends before entry ${number}.`);
  }
  if (await numbers.next()) numbers.fail(`It continues after entry ${end}.`);
  if (numbers.failed) return undefined;
  if (count.change > 0 && filterOf(manifest) === '')
    faults.add(
      'numbers.csv',
      'It marks entries as “change”, omitted by a filter, but the pack has no filter.',
    );
  for (const kind of kinds)
    if (count[kind] !== manifest.count[kind])
      faults.add(
        'numbers.csv',
        `It has ${count[kind]} entries as “${kind}”, and manifest.json counts ${manifest.count[kind]}.`,
      );
  return { agreed, hidden };
}

const idOf = (record: string): string => cellsOf(record)[0] ?? '';

/** Compares each row with what its entries say, and names the column. A row with entries that were altered is not verified. */
async function compareRows(
  { files, seals, faults, watch }: Content,
  { rows, untrusted, differing: altered }: Entries,
): Promise<void> {
  const file = 'changes.csv';
  const records = createReader(files, file, faults);
  if ((await records.next())?.text !== csvHeader) records.fail('Its first line was altered.');
  const passed = new Set<string>();
  const isUncheckable = (text: string): boolean =>
    untrusted.size > 0 && numbersIn(text).some((number) => untrusted.has(number));
  const show = (row: PackRow, mark?: Mark): void => watch.onRow?.(row, mark);
  /** Skips records that belong to no change, or to a change whose row has been read. */
  const nextKnown = async (): Promise<string | undefined> => {
    for (;;) {
      const record = await nextRecord(records);
      if (record === undefined) return undefined;
      const id = idOf(record);
      if (rows.has(id) && !passed.has(id)) return record;
      const isDoubtful = isUncheckable(record);
      if (!rows.has(id))
        // Its entries are those of other changes, if there are any.
        if (isDoubtful) show(rowOfCells(cellsOf(record)), 'unverified');
        else show({ ...rowOfCells(cellsOf(record)), entries: '' }, 'invented');
      if (isDoubtful) continue;
      faults.add(
        file,
        `The row of “${id.slice(0, 64)}” is ${rows.has(id) ? 'out of place' : 'not of a change in entries.jsonl'}.`,
      );
    }
  };
  let made = 0;
  let record = await nextKnown();
  for (const row of rows.rows()) {
    made += 1;
    passed.add(row.change);
    if (made % progressEach === 0) await watch.onProgress?.(made, seals.manifest.changes);
    const expected = csvRecord(row);
    if (record !== undefined && idOf(record) === row.change) {
      const isDoubtful = isUncheckable(record) || isUncheckable(expected);
      const isAltered = record !== expected && !isDoubtful;
      if (isAltered)
        faults.add(
          file,
          `The row of ${titleOf(row)} was altered: ${differences(record, expected, seals.manifest)}.`,
        );
      show(row, isDoubtful ? 'unverified' : isAltered ? 'altered' : undefined);
      record = await nextKnown();
    } else if (records.failed) show(row);
    else if (altered.size > 0) show(row, 'unverified');
    else {
      faults.add(file, `The row of ${titleOf(row)} is missing, or out of place.`);
      show(row, 'missing');
    }
  }
  if (altered.size === 0 && made !== seals.manifest.changes)
    faults.add('manifest.json', `It counts ${seals.manifest.changes} changes, and the entries have ${made}.`);
}

const numbersIn = (record: string): readonly number[] =>
  (cellsOf(record)[columns.indexOf('entries')] ?? '').split(' ').map(Number);

const titleOf = ({ change, operation, target, at, requester }: PackRow): string =>
  `${change} (${operation} ${target}, ${at.slice(0, 16).replace('T', ' ')}, ${requester})`;

const people: ReadonlySet<string> = new Set(['requester', 'approvers', 'reviewer', 'settled_by']);

const quoted = (cell: string): string => (cell === '' ? 'empty' : `“${abridged(cell, mostShown)}”`);

/** Names the columns that differ, each with what the table says and what the entries say. Names are in no entry. */
function differences(record: string, expected: string, { names }: Manifest): string {
  const [are, were] = [cellsOf(record), cellsOf(expected)];
  const hasNames = Object.keys(names).length > 0;
  const named = columns.flatMap((column, at) => {
    const [is = '', was = ''] = [are[at], were[at]];
    const by =
      hasNames && people.has(column) ? 'by its entries and the names in manifest.json' : 'by its entries';
    return is === was ? [] : `${column} is ${quoted(is)}, and ${by} ${quoted(was)}`;
  });
  return named.join('; ') || 'its punctuation';
}

const proofName = (number: number): string => `proofs/${number}.tlog-proof`;

async function verifyProofs(
  { files, seals, faults }: Content,
  leaves: ReadonlyMap<number, Hash>,
): Promise<void> {
  for (const [number, leaf] of leaves)
    await faults.in(proofName(number), async (name) => {
      const text = await readText(files, name);
      const proof = parseProof(text);
      const isWhole = formatProof(proof) === text && proof.checkpoint === seals.last.note;
      if (
        !isWhole ||
        proof.index !== number - 1 ||
        !verifyInclusion(leaf, proof.index, seals.last, proof.path)
      )
        throw badInput(`It does not prove entry ${number}.`);
    });
  const proofs = new Set([...leaves.keys()].map(proofName));
  for (const name of files.names)
    if (name.endsWith('.tlog-proof') && !proofs.has(name))
      faults.add(name, 'It belongs to no entry of the pack.');
}
