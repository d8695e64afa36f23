import type { Handler } from '../../model/records/due.ts';
import type { MessageRef } from '../../model/values/actor.ts';
import type { Request } from '../../model/records/request.ts';
import { type Outbox, type Requests, reviewKind } from '../../model/records/requests.ts';
import type { Log } from '../../model/ports.ts';
import { editOrPost } from '../web-api/deliver.ts';
import type { SlackApi } from '../web-api/slack-api.ts';
import { isRefusal } from '../web-api/slack-error.ts';
import {
  type Message,
  actions,
  button,
  contextBlock,
  header,
  disclaimerLines,
  section,
} from '../render/blocks.ts';
import { clipMrkdwn, mention, safeLine, slackDateTime } from '../render/text.ts';
import { limits } from '../render/limits.ts';

interface ReviewPorts {
  readonly api: Pick<SlackApi, 'postMessage' | 'updateMessage'>;
  readonly store: Pick<Requests, 'find'> & Pick<Outbox, 'keepAnnouncement'>;
  readonly log: Log;
  /** The channel for break-glass announcements. Undefined means the request's channel. */
  readonly channel: () => string | undefined;
  readonly disclaimers: readonly string[];
}

const dayMs = 24 * 60 * 60_000;

/**
 * Announces a break-glass until the message gets through, then each day until someone other than the requester closes the review.
 */
export const createReviewHandler = (ports: ReviewPorts): Handler => ({
  kind: reviewKind,
  atOnce: 10,
  trouble: 'a review could not be announced',
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
        'the channel for a review is gone; only /bellhop requests lists the review now',
      );
      return { done: true };
    }
    return request.reviewClosed === undefined ? { againIn: dayMs } : { done: true };
  },
});

/** Posts an open review as a new message each time, because an edit notifies no one. Closing the review edits the message. */
function post({ api, channel, disclaimers }: ReviewPorts, request: Request): Promise<MessageRef> {
  const message = renderReview(request, disclaimers);
  const { place, reviewMessage, reviewClosed } = request;
  return editOrPost(api, reviewClosed && reviewMessage, message, async () => {
    const announced = channel();
    if (announced === undefined) return api.postMessage(place.channel, message, place.thread);
    try {
      return await api.postMessage(announced, message);
    } catch (error) {
      if (announced === place.channel || !isGone(error)) throw error;
      return api.postMessage(place.channel, message, place.thread);
    }
  });
}

const isGone = (error: unknown): boolean => isRefusal(error, 'channel_not_found', 'is_archived');

/** The button that opens the form for closing a review. Its value is the request's id. */
export const reviewAction = 'review';

/**
 * The public message about a break-glass. It is posted when the break-glass happens and each day while the review is open. It is
 * edited once the review is closed.
 */
export function renderReview(request: Request, disclaimers: readonly string[]): Message {
  const { id: requestId, requester, startedAt, createdAt, words, target, reviewClosed: closed } = request;
  const { rule = '', approvers = [], note } = request.review ?? {};
  const open = closed === undefined;
  const command = safeLine(words, 900);
  const again = request.reviewMessage !== undefined && open ? ' This review is still open.' : '';
  const title = open ? '🚨 Break-glass: review open' : '✅ Break-glass: review closed';
  const skipped = `Skipped: approval by ${safeLine(approvers.join(' or '), 200)} (${safeLine(rule, 60)})`;
  const asks = open
    ? [section(`Someone other than ${mention(requester)} must review this and record the outcome.${again}`)]
    : [section(closing(closed))];
  return {
    text: clipMrkdwn(`${title} · ${command} · request ${safeLine(requestId, 60)}`, limits.fallbackText),
    blocks: [
      header(title),
      section(
        `${mention(requester)} ran ${command} on ${slackDateTime(startedAt ?? createdAt)} without the required approval.` +
          (target.kind === 'rollout' ? `\nTargets: ${safeLine(target.name, 500)}` : '') +
          (note === undefined ? '' : `\n${safeLine(note, 500)}`),
      ),
      ...asks,
      contextBlock([`${skipped} · request ${safeLine(requestId, 60)}`, ...disclaimerLines(disclaimers)]),
      ...(open
        ? actions([button({ text: 'Close the review', action: reviewAction, value: requestId })])
        : []),
    ],
  };
}

const closing = ({ by, at, word }: NonNullable<Request['reviewClosed']>): string =>
  `Closed by ${mention(by)} on ${slackDateTime(at)}: “${safeLine(word, 500)}”`;
