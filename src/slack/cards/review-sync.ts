import { growingPause } from '../../request/steps/growing-pause.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { Review } from '../../model/requests.ts';
import { renderReview } from './render-review.ts';
import type { Announcement, MessageRef } from '../../model/outbox.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isHeldBack, SlackError } from '../web-api/slack-error.ts';

/** The reviews that are to be announced. */
interface ReviewOutbox {
  /** Those that are due, claimed for `claimMs`. */
  claimReviews(now: number, claimMs: number, limit: number): Promise<readonly Announcement[]>;
  /**
   * `announced` was announced in `message`, or could not be where undefined; again at `againAt`, or never where undefined.
   * Where it was closed meanwhile, the closing stays due.
   */
  markReviewAnnounced(
    announced: Review,
    message: MessageRef | undefined,
    againAt: number | undefined,
  ): Promise<void>;
}

interface ReviewSyncPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly store: ReviewOutbox;
  readonly clock: Clock;
  readonly log: Log;
  /** The channel that is told of broken glass; undefined: where it was broken. */
  readonly channel: () => string | undefined;
  readonly notices: readonly string[];
}

export interface ReviewSync {
  /** Tells what is due: new reviews, open ones each day, closed ones. Called about once a second. */
  reconcile(): Promise<void>;
}

const dayMs = 24 * 60 * 60_000;
const atOnce = 10;
/** They are told one after another, each in at most two calls to Slack of at most 10 s. */
const claimMs = atOnce * 20_000 + 10_000;
const firstPauseMs = 2000;
const longestPauseMs = 5 * 60_000;

/** Announces broken glass until it gets through, and again each day until another person closed the review. */
export function createReviewSync(ports: ReviewSyncPorts): ReviewSync {
  return {
    async reconcile() {
      const { store, clock } = ports;
      for (const due of await store.claimReviews(clock.now(), claimMs, atOnce)) await tell(ports, due);
    },
  };
}

async function tell(ports: ReviewSyncPorts, review: Announcement): Promise<void> {
  const { store, clock, log } = ports;
  try {
    const message = await post(ports, review);
    const closed = review.closedAt !== undefined;
    await store.markReviewAnnounced(review, message, closed ? undefined : clock.now() + dayMs);
  } catch (error) {
    if (isGone(error)) {
      log.error(
        { err: error, requestId: review.requestId },
        'the channel of a review is gone: nobody is told of it there; /bellhop requests lists it',
      );
      await store.markReviewAnnounced(review, undefined, undefined);
      return;
    }
    if (!isHeldBack(error))
      log.warn(
        { err: error, requestId: review.requestId },
        'a review could not be told of; it is tried again',
      );
    await store.markReviewAnnounced(review, undefined, clock.now() + pause(clock.now(), review, error));
  }
}

/** An open review is a message of its own each time: an edit would wake nobody. A closed one is edited. */
async function post({ api, channel, notices }: ReviewSyncPorts, review: Announcement): Promise<MessageRef> {
  const message = renderReview(review, notices);
  if (review.message && review.closedAt !== undefined) {
    await api.updateMessage(review.message, message);
    return review.message;
  }
  const announced = channel();
  const { place } = review;
  if (announced === undefined) return api.postMessage(place.channel, message, place.thread);
  try {
    return await api.postMessage(announced, message);
  } catch (error) {
    if (announced === place.channel || !isGone(error)) throw error;
    return api.postMessage(place.channel, message, place.thread);
  }
}

/** What Slack says of a channel that no message will ever reach again. */
const goneCodes = new Set(['channel_not_found', 'is_archived']);

const isGone = (error: unknown): boolean => error instanceof SlackError && goneCodes.has(error.slackCode);

/** Grows with the time since it should have been told, so that no count needs to be kept. */
function pause(now: number, { openedAt, closedAt }: Review, error: unknown): number {
  const asked = error instanceof SlackError ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const age = now - (closedAt ?? openedAt);
  return Math.max(asked, growingPause(age, firstPauseMs, longestPauseMs));
}
