import { BellhopError } from '../../core/model/errors.ts';
import type { Request } from '../../core/request/request.ts';
import { contextBlock, section, type Message } from './blocks.ts';
import { safeLine } from './escape.ts';
import { noticeLines } from './report/report.ts';

/** Tells the requester that the request stands but its card could not be shown. It goes on being tried. */
export function renderPostProblem(request: Request, problem: unknown, notices: readonly string[]): Message {
  const mend = whyNotPosted(problem);
  const text = `Nothing has run yet. Your request ${request.id} is written down, but its card could not be posted here.`;
  return {
    text,
    blocks: [
      section(`${text} ${mend} It is tried again by itself; \`/bellhop requests\` shows it too.`),
      ...(notices.length === 0 ? [] : [contextBlock(noticeLines(notices))]),
    ],
  };
}

/** Why something could not be posted, with what to do about it. As mrkdwn. */
export const whyNotPosted = (problem: unknown): string =>
  problem instanceof BellhopError ? safeLine(problem.message, 300) : 'Something went wrong inside Bellhop.';
