import { z } from 'zod';

import { actor } from './actor.ts';

/** Whoever waits for what comes of an acknowledged payload: told, should the process at work on it be gone. */
export const waiting = z.object({
  actor,
  /** Where it was asked. */
  channel: z.string(),
  /** A command as its first word, `/cloud`, or nothing more than that it was a click or a form. */
  what: z.string(),
  /** When it arrived, in epoch milliseconds. */
  at: z.number(),
  /** Where Slack takes a private answer, for 30 minutes. */
  responseUrl: z.string().optional(),
});
export type Waiting = Readonly<z.output<typeof waiting>>;
