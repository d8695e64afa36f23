import type { CommandResult } from '../../run/run-command.ts';
import { BellhopError, type ErrorCode } from '../../model/errors.ts';
import { RequestInTheWayError } from '../../request/propose.ts';
import { openForm } from '../forms/open-form.ts';
import type { Message } from '../render/blocks.ts';
import { type RetryRead, renderPostProblem, renderRefusal } from './refusal.ts';
import { renderReport } from '../render/report/report.ts';
import { sendPrivately } from '../web-api/send-privately.ts';
import type { MessageRef } from '../../model/actor.ts';
import { type Recipient, type SlackContext, privateTo } from '../messages/context.ts';
import type { Clock } from '../../model/ports.ts';
import { SlackError } from '../web-api/slack-error.ts';

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

/** Workspaces that refused Slack's newer blocks, by team id, and when: epoch milliseconds. */
const plainOnly = new Map<string, number>();

/** Enough for every organisation that shares a channel with ours. */
const mostRemembered = 1_000;

/** A workspace is tried again after so long. In milliseconds. */
const plainForMs = 24 * 60 * 60_000;

/** False where the workspace refused charts or native tables less than a day ago. */
export function takesModernBlocks(team: string, now: number): boolean {
  const refusedAt = plainOnly.get(team);
  if (refusedAt === undefined) return true;
  // A clock that was set back would make the refusal seem fresh for as long.
  if (Math.abs(now - refusedAt) < plainForMs) return false;
  plainOnly.delete(team);
  return true;
}

/**
 * Sends what `render` gives. Where Slack refuses a message with newer blocks as invalid, sends it once more in plain ones.
 * That is remembered for the workspace where the message had a single newer block: of several the combination may be to
 * blame, and the next message is tried with its own.
 * @throws SlackError of the last try
 */
export async function withPlainBlocks<T>(
  team: string,
  clock: Pick<Clock, 'now'>,
  render: (modern: boolean) => Message,
  send: (message: Message) => Promise<T>,
): Promise<T> {
  const message = render(takesModernBlocks(team, clock.now()));
  const modern = message.blocks.filter(({ type }) => modernTypes.has(type)).length;
  try {
    return await send(message);
  } catch (error) {
    if (!isRefusal(error) || modern === 0) throw error;
  }
  const sent = await send(render(false));
  // Only now is it known that the blocks were to blame.
  if (modern === 1 && plainOnly.size < mostRemembered) plainOnly.set(team, clock.now());
  return sent;
}

const modernTypes = new Set(['data_table', 'data_visualization']);

/** Slack has a number of words for it: `invalid_blocks`, `invalid_attachments`, `invalid_arguments` … */
const isRefusal = (error: unknown): boolean =>
  error instanceof SlackError && error.slackCode.startsWith('invalid_') && error.slackCode !== 'invalid_auth';
