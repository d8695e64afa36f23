import type { Announcement } from '../../model/requests.ts';
import {
  actions,
  button,
  contextBlock,
  header,
  noticeLines,
  section,
  type Message,
} from '../render/blocks.ts';
import { clipMrkdwn, safeLine } from '../render/escape.ts';
import { limits } from '../render/limits.ts';
import { mention, slackDateTime } from '../render/text.ts';

/** Opens the form that closes a review. Its value: the request's id. */
export const reviewAction = 'review';

/** What everybody is told of broken glass, first, again each day, and once it is closed. */
export function renderReview(review: Announcement, notices: readonly string[]): Message {
  const { requestId, openedBy, openedAt, words, reason, rule, approvers, note, closedAt } = review;
  const open = closedAt === undefined;
  const command = safeLine(words, 300);
  const again = review.message !== undefined && open ? ' It is still open.' : '';
  const title = open ? '🚨 Break-glass: review open' : '✅ Break-glass: review closed';
  const skipped = `Skipped: approval by ${safeLine(approvers.join(' or '), 200)} (${safeLine(rule, 60)}).`;
  const asks = open
    ? [section(`Another person closes this review with a word on what came of it.${again}`)]
    : [section(closing(review))];
  return {
    text: clipMrkdwn(`${title} · ${command} · request ${safeLine(requestId, 60)}`, limits.fallbackText),
    blocks: [
      header(title),
      section(
        `${mention(openedBy)} ran ${command} ${slackDateTime(openedAt)} without the approval it needs.\n` +
          [`Why: “${safeLine(reason, 500)}”`, ...(note === undefined ? [] : [safeLine(note, 500)])].join(
            '\n',
          ),
      ),
      ...asks,
      contextBlock([`${skipped} · request ${safeLine(requestId, 60)}`, ...noticeLines(notices)]),
      ...(open
        ? actions([button({ text: 'Close the review', action: reviewAction, value: requestId })])
        : []),
    ],
  };
}

const closing = ({ closedBy, closedAt = 0, word = '' }: Announcement): string =>
  `Closed${closedBy ? ` by ${mention(closedBy)}` : ''} ${slackDateTime(closedAt)}: “${safeLine(word, 500)}”`;
