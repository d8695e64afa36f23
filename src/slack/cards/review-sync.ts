import type { Handler } from '../../due/work.ts';
import type { MessageRef } from '../../model/outbox.ts';
import type { Request } from '../../model/request.ts';
import type { Outbox, Requests } from '../../model/requests.ts';
import type { Log } from '../../model/ports.ts';
import { renderReview } from './render-review.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { SlackError } from '../web-api/slack-error.ts';

interface ReviewPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly store: Pick<Requests, 'find'> & Pick<Outbox, 'keepAnnouncement'>;
  readonly log: Log;
  /** The channel that is told of broken glass; undefined: where it was broken. */
  readonly channel: () => string | undefined;
  readonly notices: readonly string[];
}

const dayMs = 24 * 60 * 60_000;

/** Announces broken glass until it gets through, and again each day until another person closed the review. */
export const createReviewHandler = (ports: ReviewPorts): Handler => ({
  atOnce: 10,
  trouble: 'a review could not be told of',
  async handle({ key }) {
    const { store, log } = ports;
    const request = await store.find(key);
    if (!request) return { done: true };
    try {
      await store.keepAnnouncement(key, await post(ports, request));
    } catch (error) {
      if (!isGone(error)) throw error;
      log.error(
        { err: error, requestId: key },
        'the channel of a review is gone: nobody is told of it there; /bellhop requests lists it',
      );
      return { done: true };
    }
    return request.reviewClosed === undefined ? { againIn: dayMs } : { done: true };
  },
});

/** An open review is a message of its own each time: an edit would wake nobody. A closed one is edited. */
async function post({ api, channel, notices }: ReviewPorts, request: Request): Promise<MessageRef> {
  const message = renderReview(request, notices);
  const { place, reviewMessage, reviewClosed } = request;
  if (reviewMessage && reviewClosed) {
    await api.updateMessage(reviewMessage, message);
    return reviewMessage;
  }
  const announced = channel();
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
