import { z } from 'zod';

import { dueKind } from '../../../model/records/due.ts';
import { actor } from '../../../model/values/actor.ts';
import { BellhopError } from '../../../model/values/errors.ts';
import { target } from '../../../model/rulebook/target.ts';

export const suggestionKind = dueKind('suggestion');

/** In UTF-16 units. */
export const longestSuggestion = 1_000;

/** A change that an agent proposes. The person who presses its button becomes the requester. Times are epoch milliseconds. */
const suggestion = z.object({
  id: z.string(),
  agent: z.string(),
  /** Equal for suggestions of the same operation with the same effective input on the same target. */
  key: z.string(),
  operation: z.string(),
  words: z.string(),
  input: z.record(z.string(), z.unknown()),
  target,
  targetKey: z.string(),
  /** The agent's own words, unescaped. */
  reason: z.string(),
  evidence: z.array(z.string()),
  at: z.number(),
  expiresAt: z.number(),
  /** The last suggestion with the same key. The outcome and the link are looked up whenever the message is drawn. */
  previous: z
    .object({
      state: z.string(),
      at: z.number(),
      id: z.string().optional(),
      requestId: z.string().optional(),
      outcome: z.string().optional(),
      link: z.string().optional(),
    })
    .optional(),
  ended: z
    .object({
      state: z.enum(['pressed', 'dismissed', 'expired']),
      at: z.number(),
      by: actor.optional(),
      requestId: z.string().optional(),
    })
    .optional(),
});
export type Suggestion = Readonly<z.output<typeof suggestion>>;

const content = z.object({ suggestion });

/** @returns undefined for content that another feature or an incompatible version wrote */
export const readSuggestion = (found: unknown): Suggestion | undefined =>
  content.safeParse(found).data?.suggestion;

export class SuggestionEndedError extends BellhopError {
  override readonly name = 'SuggestionEndedError';

  constructor() {
    super('bad-input', 'This suggestion is closed. See its message. Nothing was done.');
  }
}
