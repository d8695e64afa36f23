import type { AuditDraft } from '../audit/audit.ts';
import type { Actor } from '../model/actor.ts';
import type { Review } from './review.ts';

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
