import { readFileSync, writeFileSync } from 'node:fs';

import { z } from 'zod';

import { UsageError } from '../src/program/run-program.ts';
import { comparison, type Comparison, failedRow } from './comparison.ts';

/** The file that `--json` writes and `--compare` reads. */
const run = z.object({
  /** ISO 8601, when it ended. */
  at: z.string(),
  machine: z.string(),
  seconds: z.number(),
  comparisons: z.array(comparison),
  failures: z.array(failedRow),
});
export type Run = z.infer<typeof run>;

export const saveRun = (file: string, saved: Run): void =>
  writeFileSync(file, `${JSON.stringify(saved, null, 2)}\n`);

/** @throws UsageError if the file is not a saved run */
export function readRun(file: string): Run {
  try {
    return run.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new UsageError(`--compare takes a file that --json wrote; ${file} cannot be read as one.`, {
      cause,
    });
  }
}

/** The least change that counts, whatever A/A is; a larger one without A/A. */
const leastNoise = 0.05;
const unknownNoise = 0.15;

const noiseOf = ({ control }: Comparison): number =>
  control === undefined ? unknownNoise : Math.max(control, 1 / control) - 1;

const nameOf = ({ what, beside }: Comparison): string => `${what}, beside ${beside}`;

const round = (value: number): string => value.toFixed(2);

/** The lines that changed between two runs by more than either's A/A; then the others. */
export function compareRuns(before: Run, now: Pick<Run, 'machine' | 'comparisons'>): string {
  const known = new Map(before.comparisons.map((one) => [nameOf(one), one]));
  const lines: string[] = [];
  let [within, unknown] = [0, 0];
  for (const one of now.comparisons) {
    const then = known.get(nameOf(one));
    if (then === undefined) {
      unknown += 1;
      continue;
    }
    const noise = Math.max(leastNoise, noiseOf(one), noiseOf(then));
    const grown = one.ratio / then.ratio;
    if (Math.max(grown, 1 / grown) - 1 <= noise) {
      within += 1;
      continue;
    }
    const better = one.aim && 'atLeast' in one.aim ? grown > 1 : grown < 1;
    lines.push(
      `${better ? 'better' : 'WORSE'}: ${nameOf(one)}: ratio ${round(then.ratio)} → ${round(one.ratio)} (noise ± ${(noise * 100).toFixed(0)} %)`,
    );
  }
  return [
    `Compared with the run of ${before.at}:`,
    ...(before.machine === now.machine ? [] : [`That run was on a different machine: ${before.machine}.`]),
    ...lines,
    `${within} within noise, ${unknown} not in the saved run.`,
  ].join('\n');
}
