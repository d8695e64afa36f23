import { hash } from 'node:crypto';

import { z } from 'zod';

import { leafHash } from '../../../audit/tree/merkle.ts';
import type { Hash } from '../../../model/records/sealed-log.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import { parseJson } from '../../../text/words.ts';
import { createKinds, createRows, type Mark, type PackEntry, packEntry, type PackRow } from './changes.ts';
import type { Faults } from './faults.ts';
import { type Manifest, mostProofs, selectionOf } from './manifest.ts';
import { type Line, linesOf, type PackFiles } from './pack-files.ts';

export interface Watch {
  readonly onProgress?: ((done: number, all: number) => unknown) | undefined;
  /** Called with each entry of the pack, and what was typed, or ''. */
  readonly onEntry?: ((line: Line, number: number, reason: string) => void) | undefined;
  /** Called with each row as its entries make it. If they can't, called with the row in changes.csv. */
  readonly onRow?: ((row: PackRow, mark?: Mark) => void) | undefined;
}

/** The times of the first and last entry that a pack has, in epoch milliseconds. */
export interface Shown {
  readonly from: number;
  readonly to: number;
}

export interface EntryReader {
  readonly failed: boolean;
  /** Resolves to undefined at the end of the file, and once it failed. */
  next(): Promise<Line | undefined>;
  /** Reads no further, because each later line would be a fault, too. */
  fail(text: string): void;
}

/** Reads a file line by line, and reports once why it can't be read on. */
export function createReader(files: PackFiles, file: string, faults: Faults): EntryReader {
  const isThere = files.names.has(file);
  const lines = linesOf(files, file);
  let failed = false;
  const fail = (text: string): void => {
    if (!failed) faults.add(file, text);
    failed = true;
  };
  if (!isThere) fail('It is missing.');
  return {
    get failed() {
      return failed;
    },
    async next() {
      if (failed) return undefined;
      try {
        return await lines.next();
      } catch (error) {
        if (!(error instanceof BellhopError)) throw error;
        fail(error.message);
        return undefined;
      }
    },
    fail,
  };
}

const reasonLine = z.union([
  z.strictObject({ number: z.number(), salt: z.string(), text: z.string() }),
  z.strictObject({ number: z.number(), removed: z.literal(true) }),
]);
export type ReasonLine = z.output<typeof reasonLine>;

/** A row shows this in place of a text that was removed. */
const removed = 'removed';

export const reasonOf = (line: ReasonLine): string => ('removed' in line ? removed : line.text);

export const uncheckable = "The row of its change can't be checked.";

interface Content {
  readonly files: PackFiles;
  readonly manifest: Manifest;
  readonly faults: Faults;
  readonly onEntry: Watch['onEntry'];
}

interface Altered {
  /** The hash that numbers.csv has for each entry whose own hash is different. */
  readonly differing: Map<number, string>;
  /** Entries that rows can't be compared with, because they or their reasons are not what their hashes say. */
  readonly untrusted: Set<number>;
}

const numberOf = (line: Line): number => Number(/^\{"number":([1-9]\d{0,15}),/u.exec(line.text)?.[1]);

/** Reads what was typed, entry by entry. An entry that was altered may have gained or lost its reason, so that line is skipped. */
function createReasons(lines: EntryReader, faults: Faults, { differing, untrusted }: Altered) {
  const next = async (): Promise<Line | undefined> => {
    for (;;) {
      const line = await lines.next();
      if (!line || !differing.has(numberOf(line))) return line;
    }
  };
  const reasonOfEntry = async ({ number, reason }: PackEntry): Promise<string> => {
    if (!reason || lines.failed) return '';
    const line = await next();
    const { data } = reasonLine.safeParse(parseJson(line?.text ?? ''));
    if (data?.number !== number || JSON.stringify(data) !== line?.text) {
      lines.fail(`Instead of the reason of entry ${number}, there is ${line ? 'another text' : 'nothing'}.`);
      return '';
    }
    if ('text' in data && hash('sha256', `${data.salt}\n${data.text}`) !== reason.sha256) {
      untrusted.add(number);
      faults.add('reasons.jsonl', `The reason of entry ${number} was altered. ${uncheckable}`);
    }
    return reasonOf(data);
  };
  return { next, reasonOfEntry };
}

/** Reads the entries of a pack and what was typed, and makes rows from them. */
export function readEntries({ files, manifest, faults, onEntry }: Content) {
  const entries = createReader(files, 'entries.jsonl', faults);
  const reasons = createReader(files, 'reasons.jsonl', faults);
  const kinds = createKinds(selectionOf(manifest));
  const rows = createRows(manifest.names);
  const leaves = new Map<number, Hash>();
  const differing = new Map<number, string>();
  const untrusted = new Set<number>();
  let shown: Shown | undefined;
  const keepsLeaves = manifest.count.in <= mostProofs;

  const typed = createReasons(reasons, faults, { differing, untrusted });
  return {
    rows,
    leaves,
    differing,
    untrusted,
    get shown() {
      return shown;
    },
    /** @param expected the hash in numbers.csv, in hexadecimal */
    async add(number: number, expected: string): Promise<void> {
      const line = await entries.next();
      if (!line) return entries.fail(`It ends before entry ${number}.`);
      const leaf = leafHash(line.text);
      const there = numberOf(line);
      if (there !== number)
        return entries.fail(
          `Instead of entry ${number}, there is ${Number.isNaN(there) ? 'something else' : `entry ${there}`}.`,
        );
      if (keepsLeaves) leaves.set(number, leaf);
      const { data } = packEntry.safeParse(parseJson(line.text));
      if (leaf.toString('hex') !== expected) {
        differing.set(number, expected);
        untrusted.add(number);
      } else if (!data) faults.add('entries.jsonl', `This version of Bellhop can't read entry ${number}.`);
      if (!data) return undefined;
      kinds.learn(data);
      const reason = differing.has(number) ? '' : await typed.reasonOfEntry(data);
      if (!differing.has(number)) shown = { from: shown?.from ?? data.at, to: data.at };
      if (!untrusted.has(number)) onEntry?.(line, number, reason);
      if (!rows.add(data, reason) && differing.size === 0)
        faults.add('entries.jsonl', `Entry ${number} belongs to no change of the pack.`);
      return undefined;
    },
    /**
     * Reports what follows the last entry. Resolves to whether the rows are those of all entries.
     * @param isComplete whether all numbers have been read
     */
    async end(isComplete: boolean): Promise<boolean> {
      if (!isComplete) return false;
      if (await entries.next()) entries.fail('It has more entries than numbers.csv.');
      if (!entries.failed && (await typed.next())) reasons.fail('It has more reasons than the entries.');
      for (const id of rows.ids())
        if (differing.size === 0 && kinds.kindOf(id) !== 'in')
          faults.add('manifest.json', `The change ${id} is not within its period and filter.`);
      return !entries.failed && !reasons.failed;
    },
  };
}
