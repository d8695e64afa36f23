import { z } from 'zod';

import type { AuditDraft } from '../audit/audit.ts';
import { type Actor, actor, place } from '../model/actor.ts';
import type { Request } from '../request/request.ts';

/** A change that was run past an approval. Open until another person has closed it with a word. Times: epoch ms. */
export const review = z.object({
  requestId: z.string(),
  openedAt: z.number(),
  /** Who broke the glass. */
  openedBy: actor,
  place,
  /** The command in words, with its options. */
  words: z.string(),
  /** Why it could not wait. */
  reason: z.string(),
  /** The rule whose approval was skipped. */
  rule: z.string(),
  /** Roles that would have had to approve. */
  approvers: z.array(z.string()),
  /** What a guard said against the change. */
  note: z.string().optional(),
  closedAt: z.number().optional(),
  closedBy: actor.optional(),
  word: z.string().optional(),
});
export type Review = Readonly<z.output<typeof review>>;

/** The review of a request that is about to run with its approval skipped by the decision of `rule`. */
export const openedReview = (
  request: Request,
  { rule, approvers, note }: { rule: string; approvers: readonly string[]; note?: string | undefined },
  now: number,
): Review => ({
  requestId: request.id,
  openedAt: now,
  openedBy: request.requester,
  place: request.place,
  words: request.words,
  reason: request.breakGlass ?? '',
  rule,
  approvers: [...approvers],
  note,
});

/** A person closes a review with a word. */
export interface ReviewClosing {
  readonly requestId: string;
  readonly by: Actor;
  readonly at: number;
  readonly word: string;
  readonly audit: readonly AuditDraft[];
}

/** Break-glass reviews: opened by a step of a request, closed by another person. */
export interface Reviews {
  findReview(requestId: string): Promise<Review | undefined>;
  /** Oldest first. */
  openReviews(limit: number): Promise<readonly Review[]>;
  /** The review as closed, or undefined where it was not open: then nothing is written. */
  closeReview(closing: ReviewClosing): Promise<Review | undefined>;
}
