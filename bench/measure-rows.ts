import type { Comparison } from './comparison.ts';

/** A row that gave no figures. */
export interface FailedRow {
  readonly row: string;
  readonly why: string;
}

/** Measures one row after the other; one that fails does not stop the rest. Each is said when it begins and when it ends. */
export async function measureRows(
  names: readonly string[],
  measure: (name: string) => Promise<readonly Comparison[]>,
  say: (line: string) => void,
): Promise<{ readonly comparisons: readonly Comparison[]; readonly failures: readonly FailedRow[] }> {
  const comparisons: Comparison[] = [];
  const failures: FailedRow[] = [];
  for (const [index, row] of names.entries()) {
    say(`${index + 1} of ${names.length}: ${row} …`);
    const from = performance.now();
    try {
      comparisons.push(...(await measure(row)));
      say(`${row}: ${((performance.now() - from) / 1000).toFixed(0)} s`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures.push({ row, why });
      say(`${row} FAILED: ${why}`);
    }
  }
  return { comparisons, failures };
}
