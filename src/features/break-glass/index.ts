import type { Feature } from '../../host/feature.ts';
import { breakGlassAction, glassExtra } from './break-glass.ts';
import { createDraftHandler, draftRule } from './drafts.ts';
import { reviewEvents, startEntries } from './events.ts';
import { forms, openBreakGlass, openReview } from './forms.ts';
import { listOpenReviews } from './open-reviews.ts';
import { createReviewHandler, reviewAction, reviewRule } from './review.ts';
import { glassSection, skipKey } from './section.ts';

/** Lets people skip an approval. They give a reason, and someone else reviews it afterwards. */
export const breakGlass: Feature = {
  section: glassSection,
  skipKey,
  channels(rulebook) {
    const id = glassSection.of(rulebook);
    return id === undefined ? [] : [{ path: ['announce', 'break_glass'], id }];
  },
  events: reviewEvents,
  startEntries,
  after: [reviewRule, draftRule],
  listing: listOpenReviews,
  buttons: { [reviewAction]: openReview, [breakGlassAction]: openBreakGlass },
  forms,
  cardExtra: glassExtra,
  start: (host) => ({
    handlers: [createReviewHandler({ ...host, api: host.background }), createDraftHandler(host)],
  }),
};
