import type { CommandResult } from '../../run/run-command.ts';
import { BellhopError, type ErrorCode, ServiceError } from '../../model/values/errors.ts';
import { RequestInTheWayError } from '../../request/in-the-way.ts';
import { openForm } from '../forms/open-form.ts';
import { type Message, textMessage } from '../render/blocks.ts';
import { type RefusalOptions, renderPostProblem, renderRefusal } from './refusal.ts';
import { type ReportOptions, renderReport } from '../render/report.ts';
import type { Report } from '../../model/values/report.ts';
import { sendPrivately, sendPublicly } from '../web-api/deliver.ts';
import { type Recipient, type SlackContext, privateTo } from '../messages/context.ts';
import type { Clock } from '../../model/ports.ts';
import { refusesContent } from '../web-api/slack-error.ts';

export const answerPrivately = (
  context: SlackContext,
  recipient: Recipient,
  render: (modern: boolean) => Message,
): Promise<void> =>
  answer(context, recipient, render, (message) => sendPrivately(context.api, privateTo(recipient), message));

export const sayPrivately = (context: SlackContext, recipient: Recipient, text: string): Promise<void> =>
  answerPrivately(context, recipient, () => textMessage(text, context.disclaimers));

/** An answer that does not arrive is only logged, because the command has already run or been refused. */
async function answer(
  { clock, log }: SlackContext,
  { caller }: Recipient,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<unknown>,
): Promise<void> {
  try {
    await withPlainBlocks(clock, render, send);
  } catch (error) {
    log.warn({ err: error, correlationId: caller.correlationId }, 'reply not delivered');
  }
}

type MoreOfRefusal = Pick<RefusalOptions, 'again' | 'typed'>;

export async function refusePrivately(
  context: SlackContext,
  recipient: Recipient,
  error: unknown,
  options?: MoreOfRefusal,
): Promise<void> {
  const message = await refusalMessage(context, recipient.caller, error, options);
  await answerPrivately(context, recipient, () => message);
}

/** Also logs the reason. */
export async function refusalMessage(
  context: SlackContext,
  { correlationId, actor }: Recipient['caller'],
  error: unknown,
  options?: MoreOfRefusal,
): Promise<Message> {
  const { disclaimers } = context;
  const link = error instanceof RequestInTheWayError ? await context.cards.link(error.other) : undefined;
  const level = error instanceof BellhopError && error.code === 'configuration' ? 'error' : 'info';
  context.log[level]({ ...loggedReason(error), correlationId, user: actor.user }, 'command refused');
  return renderRefusal(error, { ...options, disclaimers, link });
}

const quotesWords: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'bad-input',
  'unknown-command',
  'unknown-target',
]);

/** Messages that quote what people typed are never logged. They have one of these codes, or come from an operation's `refused`. */
const loggedReason = (error: unknown) =>
  error instanceof BellhopError && (quotesWords.has(error.code) || isWordOfOperation(error))
    ? { code: error.code }
    : { err: error };

/** All other errors name their call, their cause, or a temporary obstacle. */
const isWordOfOperation = (error: BellhopError): boolean =>
  error.code === 'rejected' &&
  !(error instanceof ServiceError) &&
  error.cause === undefined &&
  !error.retryable;

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
        renderPostProblem(result.request, problem, context.disclaimers),
      );
    }
    case 'form':
      return openForm(context, recipient, triggerId, result);
  }
}

export const reportMessage =
  (
    { clock, disclaimers }: SlackContext,
    report: Report,
    options: Omit<ReportOptions, 'modern' | 'now' | 'disclaimers'>,
  ) =>
  (modern: boolean): Message =>
    renderReport(report, { ...options, modern, now: clock.now(), disclaimers });

/** Posts for everyone if the command was typed in a thread, unless the answer has buttons for the caller. */
async function showReport(
  context: SlackContext,
  recipient: Recipient,
  { report, words }: Extract<CommandResult, { kind: 'report' }>,
): Promise<void> {
  const shareable = words !== undefined && report.items.length === 0;
  const message = reportMessage(context, report, { words, shareable: shareable && !recipient.publicly });
  if (!recipient.publicly) return answerPrivately(context, recipient, message);
  if (shareable)
    return answer(context, recipient, message, (shown) =>
      sendPublicly(context.api, recipient.caller.place, recipient.replaces, shown),
    );
  const { replaces } = recipient;
  // “Looking…” was visible to everyone, so a private answer can't replace it.
  if (typeof replaces === 'object')
    await context.api.deleteMessage(replaces).catch((error: unknown) => {
      context.log.warn({ err: error }, 'could not remove that a read is in progress');
    });
  return answerPrivately(context, { ...recipient, replaces: false }, message);
}

/** In epoch milliseconds. */
let rejectedAt = NaN;

/** In milliseconds. */
const plainForMs = 24 * 60 * 60_000;

/**
 * False for a day after the workspace rejected charts or native tables. The difference is absolute, because after the clock was set back
 * the rejection is in the future.
 */
export const takesModernBlocks = (now: number): boolean => !(Math.abs(now - rejectedAt) < plainForMs);

/**
 * If Slack rejects newer blocks, sends plain ones. The rejection is remembered only for a message with a single newer block, because
 * several may fail only in combination.
 * @throws SlackError of the last attempt
 */
export async function withPlainBlocks<T>(
  clock: Pick<Clock, 'now'>,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const message = render(takesModernBlocks(clock.now()));
  const modern = message.blocks.filter(({ type }) => modernTypes.has(type)).length;
  try {
    return await send(message);
  } catch (error) {
    if (!refusesContent(error) || modern === 0) throw error;
  }
  const sent = await send(render(false));
  // The plain message was accepted, so the newer block was the problem.
  if (modern === 1) rejectedAt = clock.now();
  return sent;
}

const modernTypes = new Set(['data_table', 'data_visualization']);
