import type * as fc from 'fast-check';

/**
 * How many samples a property is checked on (`FUZZ_RUNS=10000` for the long form), and how it fails: with its seed and path instead of the sample, which may be
 * megabytes of hostile text, and without shrinking it.
 */
export const runs = <Samples>(numRuns: number): fc.Parameters<Samples> => ({
  numRuns: Number(process.env['FUZZ_RUNS'] ?? numRuns),
  endOnFailure: true,
  reporter: ({ failed, seed, counterexamplePath, errorInstance }) => {
    if (!failed) return;
    throw new Error(`seed ${seed}, path "${counterexamplePath}": ${String(errorInstance).slice(0, 2_000)}`);
  },
});
