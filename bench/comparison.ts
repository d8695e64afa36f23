import { z } from 'zod';

/** Our figure beside another's of the same run: a line of the table. */
export const comparison = z.object({
  /** With `beside` the name of the line, the same in each run. */
  what: z.string(),
  /** What of this run alone belongs to it: how long a flush took, how idle the cores were. */
  note: z.string().optional(),
  ours: z.number(),
  beside: z.string(),
  other: z.number(),
  /** `µs CPU`, `ms`, `MB`, … of both figures. */
  unit: z.string(),
  /** Ours by the other's; where rounds are paired, the median of the pairs. */
  ratio: z.number(),
  /** What the ratio should be; nothing where the line only orients. */
  aim: z.union([z.object({ atMost: z.number() }), z.object({ atLeast: z.number() })]).optional(),
  /** The other one beside itself in the same rounds: how far chance alone moves the ratio. */
  control: z.number().optional(),
  /** What people feel, on the first page of the table. */
  felt: z.boolean().optional(),
});

export type Comparison = z.infer<typeof comparison>;

/** One row of the bench: a module of its own under `rows/`, run in a process of its own. */
export type Measure = () => Promise<readonly Comparison[]>;

/** A row that gave no figures. */
export const failedRow = z.object({ row: z.string(), why: z.string() });
export type FailedRow = z.infer<typeof failedRow>;

/** Undefined where nothing is aimed at. */
export function isMet({ ratio, aim }: Comparison): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atMost' in aim ? ratio <= aim.atMost : ratio >= aim.atLeast;
}
