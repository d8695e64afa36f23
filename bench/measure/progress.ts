import { z } from 'zod';

/** A row's progress, reported to the process that started it. */
export const progress = z.object({ round: z.number(), of: z.number() });

export const reportProgress = (round: number, of: number): void =>
  void process.send?.({ round, of } satisfies z.infer<typeof progress>);
