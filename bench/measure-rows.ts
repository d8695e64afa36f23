import type { Comparison, FailedRow } from './comparison.ts';

export interface RowRunner {
  /** @throws Error that says why there are no figures, even after a timeout in milliseconds */
  readonly measure: (row: string, withinMs: number) => Promise<readonly Comparison[]>;
  readonly say: (line: string) => void;
  /** The current time in milliseconds, from any origin. */
  readonly now: () => number;
}

/** In milliseconds. */
export interface TimeLimits {
  readonly row: number;
  readonly all: number;
}

/**
 * Measures one row after the other. A failing row does not stop the rest. Reports when each begins and ends. Rows without time
 * left fail.
 */
export async function measureRows(
  names: readonly string[],
  { measure, say, now }: RowRunner,
  limits: TimeLimits,
): Promise<{ readonly comparisons: readonly Comparison[]; readonly failures: readonly FailedRow[] }> {
  const comparisons: Comparison[] = [];
  const failures: FailedRow[] = [];
  const began = now();
  for (const [index, row] of names.entries()) {
    const from = now();
    const left = limits.all - (from - began);
    say(`${index + 1} of ${names.length}: ${row} …`);
    try {
      if (left <= 0)
        throw new Error(`the bench's ${limits.all / 1000} s were up; run it alone with --rows ${row}`);
      comparisons.push(...(await measure(row, Math.min(limits.row, left))));
      say(`${row}: ${((now() - from) / 1000).toFixed(0)} s`);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      failures.push({ row, why });
      say(`${row} FAILED: ${why}`);
    }
  }
  return { comparisons, failures };
}
