import { z } from 'zod';

/** Our figure compared with another's in the same run: a line of the table. */
export const comparison = z.object({
  /** The name of the line, together with `beside`. The same in each run. */
  what: z.string(),
  /** A note about this run: how long a flush took, how idle the cores were. */
  note: z.string().optional(),
  ours: z.number(),
  beside: z.string(),
  other: z.number(),
  /** `µs CPU`, `ms`, `MB`, … of both figures. */
  unit: z.string(),
  /** Our figure divided by the other's. If rounds are paired, the median of the pairs. */
  ratio: z.number(),
  /** The aim of the ratio; undefined if the line is only for orientation. */
  aim: z.union([z.object({ atMost: z.number() }), z.object({ atLeast: z.number() })]).optional(),
  /** The other one compared with itself in the same rounds, which shows the effect of chance. */
  control: z.number().optional(),
  /** People feel this, so it is in the first part of the table. */
  felt: z.boolean().optional(),
});

export type Comparison = z.infer<typeof comparison>;

/** One row of the bench: a module under `rows/`, run in a separate process. */
export type Measure = () => Promise<readonly Comparison[]>;

/** A row without figures. */
export const failedRow = z.object({ row: z.string(), why: z.string() });
export type FailedRow = z.infer<typeof failedRow>;

/** Undefined without an aim. */
export function isMet({ ratio, aim }: Comparison): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atMost' in aim ? ratio <= aim.atMost : ratio >= aim.atLeast;
}
