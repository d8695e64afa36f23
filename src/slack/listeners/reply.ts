import type { CommandResult } from '../../core/command/run-command.ts';
import { RequestInTheWayError } from '../../core/request/propose.ts';
import { openForm } from '../forms/open-form.ts';
import { type Message, section } from '../render/blocks.ts';
import { withPlainBlocks } from '../render/plain-blocks.ts';
import { renderPostProblem, whyNotPosted, renderRefusal, type RetryRead } from '../render/refusal.ts';
import { renderReport } from '../render/report/report.ts';
import { sendPrivately } from '../web-api/send-privately.ts';
import { privateTo, type Recipient, type SlackContext } from './context.ts';

/**
 * Answers the caller privately. Blocks that the workspace refuses are rendered plainly once and remembered. What
 * cannot be delivered is logged: the command itself has run or been refused by then.
 */
export async function answerPrivately(
  context: SlackContext,
  recipient: Recipient,
  render: (modern: boolean) => Message,
): Promise<void> {
  const { caller, replaces } = recipient;
  const to = privateTo(recipient);
  const send = (message: Message) => sendPrivately(context.api, to, message, { replaces });
  try {
    await withPlainBlocks(caller.place.team, context.clock, render, send);
  } catch (error) {
    context.log.warn({ err: error, correlationId: caller.correlationId }, 'private reply not delivered');
  }
}

/** Says privately why nothing was done, and logs it. */
export async function refusePrivately(
  context: SlackContext,
  recipient: Recipient,
  error: unknown,
  again?: RetryRead,
): Promise<void> {
  const { notices } = context;
  const link = error instanceof RequestInTheWayError ? await context.cards.link(error.other) : undefined;
  const message = renderRefusal(error, { notices, link, again });
  context.log.info(
    { err: error, correlationId: recipient.caller.correlationId, user: recipient.caller.actor.user },
    'command refused',
  );
  await answerPrivately(context, recipient, () => message);
}

/** Shows the result of a command: a private report, the request's card in the channel, or a form. */
export async function showResult(
  context: SlackContext,
  recipient: Recipient,
  triggerId: string | undefined,
  result: CommandResult,
): Promise<void> {
  switch (result.kind) {
    case 'report':
      return result.follow === undefined
        ? showReport(context, recipient, result)
        : followReport(context, recipient, result);
    case 'request': {
      const problem = await context.cards.shown(result.request.id);
      if (problem === undefined) return undefined;
      return answerPrivately(context, recipient, () =>
        renderPostProblem(result.request, problem, context.notices),
      );
    }
    case 'form':
      return openForm(context, recipient, triggerId, result);
  }
}

type ReportResult = Extract<CommandResult, { kind: 'report' }>;

const showReport = (context: SlackContext, recipient: Recipient, result: ReportResult, status?: string) =>
  answerPrivately(context, recipient, (modern) =>
    renderReport(result.report, {
      words: result.words,
      shareable: result.words !== undefined && result.report.items.length === 0,
      modern,
      now: context.clock.now(),
      status,
      notices: context.notices,
    }),
  );

/** In the channel where that can be; else the one look, privately, with the reason. */
async function followReport(
  context: SlackContext,
  recipient: Recipient,
  result: ReportResult,
): Promise<void> {
  const { words } = result;
  if (words === undefined) return showReport(context, recipient, result);
  try {
    await context.followedReports.follow(recipient.caller, { ...result, words });
    if (recipient.replaces !== undefined && recipient.replaces !== false)
      await sayFollowed(context, recipient);
  } catch (error) {
    context.log.warn({ err: error, words }, 'report not followed');
    await showReport(context, recipient, result, `Not followed: ${whyNotPosted(error)}`);
  }
}

/** In the place of “Looking…”. */
function sayFollowed(context: SlackContext, recipient: Recipient): Promise<void> {
  const text = 'The answer is in the channel, and is kept up to date there.';
  return answerPrivately(context, recipient, () => ({ text, blocks: [section(text)] }));
}
