import type { BadPayloadsResult } from './run-bad-payloads.ts';

/** The allowed growth of the heap after a garbage collection: caches of the last minutes. */
const mayGrowBytes = 6 * 1024 * 1024;

const others = (statuses: Readonly<Record<string, number>>, expected: readonly string[]): readonly string[] =>
  Object.entries(statuses)
    .filter(([status]) => !expected.includes(status))
    .map(([status, times]) => `${times} answered ${status}`);

/** All problems in words. Empty if all is well. */
export const wrongIn = ({ signed, unsigned, before, after, harm }: BadPayloadsResult): readonly string[] => [
  ...others(signed, ['200', '400']).map((what) => `signed: ${what}`),
  ...others(unsigned, ['401']).map((what) => `not signed: ${what}`),
  ...(after.heapUsed - before.heapUsed > mayGrowBytes
    ? [`the heap grew from ${before.heapUsed} to ${after.heapUsed} bytes`]
    : []),
  ...harm,
];
