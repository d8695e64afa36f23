import { z } from 'zod';

/** How far a row is, told to whoever started it in a process of its own. */
export const progress = z.object({ round: z.number(), of: z.number() });

export const reportProgress = (round: number, of: number): void =>
  void process.send?.({ round, of } satisfies z.infer<typeof progress>);
