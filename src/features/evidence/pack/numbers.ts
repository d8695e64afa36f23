import type { Checkpoint } from '../../../audit/tree/checkpoint.ts';
import { type Kind, kinds } from './changes.ts';
import { type Content, progressEach } from './content.ts';
import type { Lines } from './faults.ts';
import { filterOf, type Manifest } from './manifest.ts';

/** Lines of a pack keep the carriage return. */
export const numbersHeader = 'number,leaf_hash,kind\r';

export const numbersLine = (number: number, hash: string, kind: Kind): string =>
  `${number},${hash},${kind}\r`;

export interface Numbered {
  readonly number: number;
  /** The hash of the leaf, in hexadecimal. */
  readonly hash: string;
  readonly kind: Kind;
}

const numberLine = /^(\d+),([0-9a-f]{64}),(\w+)\r$/u;

/** Stops at the first line that was altered. `use` may return a promise. */
export async function eachNumber(
  lines: Lines,
  { entries: { first, last } }: Manifest,
  use: (one: Numbered) => unknown,
): Promise<void> {
  if ((await lines.next())?.text !== numbersHeader) lines.fail('Its first line was altered.');
  for (let number = first; number <= last && !lines.failed; number += 1) {
    const line = await lines.next();
    const [, found, hash = '', named] = numberLine.exec(line?.text ?? '') ?? [];
    const kind = kinds.find((one) => one === named);
    if (kind && found === String(number)) {
      const used = use({ number, hash, kind });
      if (used instanceof Promise) await used;
    } else if (line) lines.fail(`The line of entry ${number} was altered, or is missing.`);
    else lines.fail(`It ends before entry ${number}.`);
  }
  if (await lines.next()) lines.fail(`It continues after entry ${last}.`);
}

/**
 * Compares the tree of the log, grown by the hashes in numbers.csv, with the checkpoints. Resolves to undefined if a number is missing.
 * @param handed the reader's own checkpoints
 */
export async function growTree<C extends Checkpoint>(
  { seals: { manifest, first, last, tree }, faults, watch }: Content,
  handed: readonly C[],
) {
  const known: readonly Checkpoint[] = [first, last, ...handed];
  const sizes = new Set(known.map(({ size }) => size));
  const agreed = new Set<Checkpoint>();
  const compare = (): void => {
    for (const one of known) if (one.size === tree.size && one.root.equals(tree.root())) agreed.add(one);
  };
  const count = { in: 0, change: 0, other: 0 };
  const hidden: Range[] = [];
  compare();
  const lines = faults.lines('numbers.csv');
  await eachNumber(lines, manifest, ({ number, hash, kind }) => {
    count[kind] += 1;
    if (kind !== 'in') include(hidden, number);
    tree.append(Buffer.from(hash, 'hex'));
    if (sizes.has(number)) compare();
    // Numbers are read faster than entries, so progress is shown less often.
    return number % (10 * progressEach) === 0 ? watch.onProgress?.(number, last.size) : undefined;
  });
  if (lines.failed) return undefined;
  const fits = agreed.has(first) && agreed.has(last);
  if (!fits)
    faults.add(
      'numbers.csv',
      'A line was altered: the hashes of the lines are not those that the checkpoints signed. No row can be checked.',
    );
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
  return {
    /** Whether the checkpoints of the pack signed the hashes. Otherwise no entry is proved. */
    fits,
    agreed: fits ? handed.filter((one) => agreed.has(one)) : [],
    /** Such as `3–7, 9`. A long list ends with `…`. */
    hidden: rangesText(hidden),
  };
}

interface Range {
  readonly from: number;
  to: number;
}

/** Numbers must come in order. */
function include(ranges: Range[], number: number): void {
  const range = ranges.at(-1);
  if (range?.to === number - 1) range.to = number;
  else ranges.push({ from: number, to: number });
}

const mostNamed = 10;

const rangesText = (ranges: readonly Range[]): string =>
  ranges
    .slice(0, mostNamed + 1)
    .map(({ from, to }, at) => (at === mostNamed ? '…' : from === to ? String(from) : `${from}–${to}`))
    .join(', ');
