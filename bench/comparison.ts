import { z } from 'zod';

/** Our figure beside another's of the same run: a line of the table. */
export const comparison = z.object({
  what: z.string(),
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
});

export type Comparison = z.infer<typeof comparison>;

/** One row of the bench: a module of its own under `rows/`, run in a process of its own. */
export type Measure = () => Promise<readonly Comparison[]>;

/** Undefined where nothing is aimed at. */
export function isMet({ ratio, aim }: Comparison): boolean | undefined {
  if (aim === undefined) return undefined;
  return 'atMost' in aim ? ratio <= aim.atMost : ratio >= aim.atLeast;
}
