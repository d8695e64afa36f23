import { leafHash } from '../../../audit/tree/merkle.ts';
import { formatProof, parseProof } from '../../../audit/tree/proof-file.ts';
import { verifyInclusion } from '../../../audit/tree/proofs.ts';
import type { Hash } from '../../../model/records/sealed-log.ts';
import { badInput } from '../../../model/values/errors.ts';
import { createKinds, createRows, readEntry } from './changes.ts';
import { type Content, progressEach } from './content.ts';
import { mostProofs, selectionOf } from './manifest.ts';
import { type Numbered, eachNumber } from './numbers.ts';
import { type Line, numberOfLine, readText } from './pack-files.ts';
import { createReasons, uncheckable } from './reasons.ts';

/** In epoch milliseconds: the times of the first and last entry that a pack has. */
export interface Shown {
  readonly from: number;
  readonly to: number;
}

export interface Entries {
  readonly rows: ReturnType<typeof createRows>;
  /** Entries that have another hash in numbers.csv. */
  readonly altered: Set<number>;
  /** The altered entries, and entries whose reason was altered. Rows can't be compared with them. */
  readonly untrusted: Set<number>;
  shown?: Shown;
}

/**
 * Resolves to undefined if an entry or a reason is missing.
 * @param fits whether the checkpoints signed the hashes in numbers.csv
 */
export async function readEntries(content: Content, fits: boolean): Promise<Entries | undefined> {
  const { faults, watch } = content;
  const { manifest, last } = content.seals;
  const told: Entries = { rows: createRows(manifest.names), altered: new Set(), untrusted: new Set() };
  const lines = faults.lines('entries.jsonl');
  const reasons = createReasons(faults, told);
  const proofs = createProofs(content);
  const kinds = createKinds(selectionOf(manifest));
  const add = async (line: Line, { number, hash }: Numbered): Promise<void> => {
    const leaf = leafHash(line.text);
    const isAltered = leaf.toString('hex') !== hash;
    if (isAltered) {
      told.altered.add(number);
      told.untrusted.add(number);
      if (fits) faults.add('entries.jsonl', `Entry ${number} was altered. ${uncheckable}`);
      else faults.add('numbers.csv', `The line of entry ${number} has a different hash than the entry.`);
    }
    await proofs.verify(number, fits ? Buffer.from(hash, 'hex') : leaf);
    const entry = readEntry(line.text);
    if (!entry) {
      if (!isAltered) faults.add('entries.jsonl', `This version of Bellhop can't read entry ${number}.`);
      return;
    }
    kinds.learn(entry);
    const reason = isAltered ? '' : await reasons.of(entry);
    if (!isAltered) told.shown = { from: told.shown?.from ?? entry.at, to: entry.at };
    if (fits && !told.untrusted.has(number)) watch.onEntry?.(line, number, reason);
    if (!told.rows.add(entry, reason) && told.altered.size === 0)
      faults.add('entries.jsonl', `Entry ${number} does not belong to a change in the pack.`);
  };
  await eachNumber(faults.lines('numbers.csv'), manifest, async (one) => {
    const { number, kind } = one;
    if (number % progressEach === 0) await watch.onProgress?.(number, last.size);
    if (kind !== 'in' || lines.failed) return;
    const line = await lines.next();
    const there = line && numberOfLine(line);
    if (!line) lines.fail(`It ends before entry ${number}.`);
    else if (there === number) await add(line, one);
    else
      lines.fail(
        `Instead of entry ${number}, there is ${Number.isNaN(there) ? 'something else' : `entry ${there}`}.`,
      );
  });
  if (await lines.next()) lines.fail('It has more entries than numbers.csv.');
  if (lines.failed || !(await reasons.end())) return undefined;
  proofs.end();
  for (const requestId of told.rows.ids())
    if (told.altered.size === 0 && kinds.kindOf({ requestId }) !== 'in')
      faults.add('manifest.json', `The change ${requestId} is outside of the period or the filter.`);
  return told;
}

export const proofName = (number: number): string => `proofs/${number}.tlog-proof`;

const frame: ReadonlySet<string> = new Set([
  'index.html',
  'README.txt',
  'manifest.json',
  'keys.txt',
  'changes.csv',
  'entries.jsonl',
  'reasons.jsonl',
  'numbers.csv',
  'checkpoints/first',
  'checkpoints/last',
  'proofs/consistency',
]);

/** Files that Windows, macOS and file managers add to each folder. */
const ofSystem = /(?:^|\/)(?:\.[^/]*|Thumbs\.db|desktop\.ini)$/u;

function createProofs({ files, seals: { manifest, last }, faults }: Content) {
  const spare = new Set([...files.names].filter((name) => !frame.has(name) && !ofSystem.test(name)));
  return {
    async verify(number: number, leaf: Hash): Promise<void> {
      if (manifest.count.in > mostProofs) return;
      const index = number - 1;
      await faults.in(proofName(number), async (name) => {
        spare.delete(name);
        const text = await readText(files, name);
        const { path } = parseProof(text);
        const isOfEntry = formatProof({ index, path, checkpoint: last.note }) === text;
        if (!isOfEntry || !verifyInclusion(leaf, index, last, path))
          throw badInput(`It does not prove entry ${number}.`);
      });
    },
    end(): void {
      for (const name of spare) faults.add(name, 'It is not part of the pack. Keep other files elsewhere.');
    },
  };
}
