import { BellhopError } from '../core/errors.ts';
import type { Request } from '../core/request.ts';
import { context, section, type Message } from './blocks.ts';
import { safeLine } from './escape.ts';
import { noticeLines } from './render-report.ts';
import { SlackError } from './slack-error.ts';

/** Slack's reasons that a person in the channel can mend. */
const mendable: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'I am not in this channel: type `/invite @Bellhop`.'],
  ['channel_not_found', 'I cannot see this channel: type `/invite @Bellhop`.'],
  ['is_archived', 'This channel is archived: ask in another one.'],
  ['restricted_action', 'I may not post in this channel: ask a workspace admin, or ask in another one.'],
]);

/** Tells the requester that the request stands but its card could not be shown. It goes on being tried. */
export function renderPostProblem(request: Request, problem: unknown, notices: readonly string[]): Message {
  const mend = whyNotPosted(problem);
  const text = `Nothing has run yet. Your request ${request.id} is written down, but its card could not be posted here.`;
  return {
    text,
    blocks: [
      section(`${text} ${mend} It is tried again by itself; \`/bellhop requests\` shows it too.`),
      ...(notices.length === 0 ? [] : [context(noticeLines(notices))]),
    ],
  };
}

/** Why something could not be posted, with what to do about it. As mrkdwn. */
export function whyNotPosted(problem: unknown): string {
  if (problem instanceof BellhopError) return safeLine(problem.message, 300);
  const code = problem instanceof SlackError ? problem.code : 'unexpected';
  return mendable.get(code) ?? `Slack answered “${safeLine(code, 60)}”.`;
}
