import type { CommandResult } from '../../run/run-command.ts';
import { BellhopError, type ErrorCode } from '../../model/errors.ts';
import { RequestInTheWayError } from '../../request/propose.ts';
import { openForm } from '../forms/open-form.ts';
import type { Message } from '../render/blocks.ts';
import { withPlainBlocks } from '../web-api/plain-blocks.ts';
import { renderPostProblem, renderRefusal, type RetryRead } from './refusal.ts';
import { renderReport } from '../render/report/report.ts';
import { sendPrivately } from '../web-api/send-privately.ts';
import type { MessageRef } from '../../model/actor.ts';
import { privateTo, type Recipient, type SlackContext } from '../messages/context.ts';

/** Answers the caller privately. */
export const answerPrivately = (
  context: SlackContext,
  recipient: Recipient,
  render: (modern: boolean) => Message,
): Promise<void> =>
  answer(context, recipient, render, (message) =>
    sendPrivately(context.api, privateTo(recipient), message, { replaces: recipient.replaces }),
  );

/**
 * Blocks that the workspace refuses are rendered plainly once and remembered. What cannot be delivered is logged: the
 * command itself has run or been refused by then.
 */
async function answer(
  { clock, log }: SlackContext,
  { caller }: Recipient,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<unknown>,
): Promise<void> {
  try {
    await withPlainBlocks(caller.place.team, clock, render, send);
  } catch (error) {
    log.warn({ err: error, correlationId: caller.correlationId }, 'reply not delivered');
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
  const { correlationId, actor } = recipient.caller;
  context.log.info({ ...loggedReason(error), correlationId, user: actor.user }, 'command refused');
  await answerPrivately(context, recipient, () => message);
}

const quotesWords: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
]);

/** What people typed is not for the log: messages with these codes quote it. */
const loggedReason = (error: unknown) =>
  error instanceof BellhopError && quotesWords.has(error.code) ? { code: error.code } : { err: error };

/** Shows the result of a command: a private report, the request's card in the channel, or a form. */
export async function showResult(
  context: SlackContext,
  recipient: Recipient,
  triggerId: string | undefined,
  result: CommandResult,
): Promise<void> {
  switch (result.kind) {
    case 'report':
      return showReport(context, recipient, result);
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

/** For all where it was asked for in a thread; to the caller alone what has buttons for them, or else was asked for. */
async function showReport(context: SlackContext, recipient: Recipient, result: ReportResult): Promise<void> {
  const shareable = result.words !== undefined && result.report.items.length === 0;
  const rendering = (forAll: boolean) => (modern: boolean) =>
    renderReport(result.report, {
      words: result.words,
      shareable: shareable && !forAll,
      modern,
      now: context.clock.now(),
      notices: context.notices,
    });
  if (recipient.publicly !== true) return answerPrivately(context, recipient, rendering(false));
  if (shareable)
    return answer(context, recipient, rendering(true), (message) =>
      postPublicly(context.api, recipient, message),
    );
  const { replaces } = recipient;
  // All of them were told that Bellhop looks.
  if (typeof replaces === 'object') await context.api.deleteMessage(replaces);
  return answerPrivately(context, { ...recipient, replaces: false }, rendering(false));
}

/** In the channel or thread of the command, or in the place of what was said there. @throws SlackError */
export async function postPublicly(
  api: SlackContext['api'],
  { caller: { place }, replaces }: Recipient,
  message: Message,
): Promise<MessageRef> {
  if (typeof replaces !== 'object') return api.postMessage(place.channel, message, place.thread);
  await api.updateMessage(replaces, message);
  return replaces;
}
