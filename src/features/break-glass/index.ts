import type { Feature } from '../../host/feature.ts';
import { breakGlassAction, glassExtra } from './break-glass.ts';
import { reviewEvents, startEntries } from './events.ts';
import { forms, openBreakGlass, openReview } from './forms.ts';
import { listOpenReviews } from './open-reviews.ts';
import { createReviewHandler, reviewAction, reviewRule } from './review.ts';

/** Lets people skip an approval for a reason, which others review afterwards. */
export const breakGlass: Feature = {
  events: reviewEvents,
  startEntries,
  after: reviewRule,
  listing: listOpenReviews,
  buttons: { [reviewAction]: openReview, [breakGlassAction]: openBreakGlass },
  forms,
  cardExtra: glassExtra,
  start: (host) => ({ handlers: [createReviewHandler({ ...host, api: host.background })] }),
};
