import type { Request } from '../../model/request.ts';
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
export function renderReview(request: Request, notices: readonly string[]): Message {
  const { id: requestId, requester, startedAt, createdAt, words, breakGlass, reviewClosed: closed } = request;
  const { rule = '', approvers = [], note } = request.review ?? {};
  const open = closed === undefined;
  const command = safeLine(words, 300);
  const again = request.reviewMessage !== undefined && open ? ' It is still open.' : '';
  const title = open ? '🚨 Break-glass: review open' : '✅ Break-glass: review closed';
  const skipped = `Skipped: approval by ${safeLine(approvers.join(' or '), 200)} (${safeLine(rule, 60)}).`;
  const asks = open
    ? [section(`Another person closes this review with a word on what came of it.${again}`)]
    : [section(closing(closed))];
  return {
    text: clipMrkdwn(`${title} · ${command} · request ${safeLine(requestId, 60)}`, limits.fallbackText),
    blocks: [
      header(title),
      section(
        `${mention(requester)} ran ${command} ${slackDateTime(startedAt ?? createdAt)} without the approval it needs.\n` +
          [
            `Why: “${safeLine(breakGlass ?? '', 500)}”`,
            ...(note === undefined ? [] : [safeLine(note, 500)]),
          ].join('\n'),
      ),
      ...asks,
      contextBlock([`${skipped} · request ${safeLine(requestId, 60)}`, ...noticeLines(notices)]),
      ...(open
        ? actions([button({ text: 'Close the review', action: reviewAction, value: requestId })])
        : []),
    ],
  };
}

const closing = ({ by, at, word }: NonNullable<Request['reviewClosed']>): string =>
  `Closed by ${mention(by)} ${slackDateTime(at)}: “${safeLine(word, 500)}”`;
