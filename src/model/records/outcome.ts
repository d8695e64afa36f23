import { z } from 'zod';

import { actor } from '../values/actor.ts';
import { report } from '../values/report.ts';

/** Searches for the task of a change whose answer was lost. Times are epoch milliseconds. */
const taskSearch = z.object({
  sent: z.object({ from: z.number(), to: z.number() }),
  seen: z.string().optional(),
  suggests: z.enum(['succeeded', 'failed']).optional(),
  /** Set if a task was created when the change was sent, and may be the task of this change. */
  mayHaveRun: z.literal(true).optional(),
  /** Set if a person's _Check now_ found `seen`. */
  asked: z.literal(true).optional(),
  /** When `seen` was found, and whether the newest check could not confirm it. */
  at: z.number().optional(),
  unconfirmed: z.literal(true).optional(),
});

/** A report, or an error with secrets masked. */
export const requestOutcome = z.object({
  report: report.optional(),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      summary: z.string().optional(),
    })
    .optional(),
  serviceRequestId: z.string().optional(),
  /** The target's state after an unknown outcome. Not proof. */
  sighting: report.optional(),
  /** The state that `sighting` describes, as read. */
  sighted: z.record(z.string(), z.string()).optional(),
  sightedAt: z.number().optional(),
  /** The newest check of the target. `isSighting` if it found the state that `sighting` describes. */
  look: z.object({ at: z.number(), title: z.string(), isSighting: z.literal(true).optional() }).optional(),
  /** The tasks in the service's answer, their user once known, and whether all finished without a failure. */
  tasks: z
    .object({
      ids: z.array(z.string()),
      user: z.string().optional(),
      finished: z.literal(true).optional(),
    })
    .optional(),
  search: taskSearch.optional(),
  /** Set if the service's answer, or a read right after it, showed that the target was already changing. */
  moved: z.enum(['read', 'answer']).optional(),
  settledByHand: z.object({ by: actor, at: z.number(), reason: z.string() }).optional(),
  /** Set if the process that ended the request had started after the proposal. Then only the store shows that nothing was sent. */
  unwitnessed: z.literal(true).optional(),
  settledBy: z.string().optional(),
});

export type RequestOutcome = Readonly<z.output<typeof requestOutcome>>;
