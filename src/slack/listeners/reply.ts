import type { Caller } from '../../core/model/actor.ts';
import type { Message } from '../render/blocks.ts';
import { RequestInTheWayError } from '../../core/request/propose.ts';
import { permalink } from '../cards/permalink.ts';
import { withPlainBlocks } from '../render/plain-blocks.ts';
import { renderRefusal } from '../render/refusal.ts';
import type { SlackContext } from './context.ts';

/** Where a private answer goes: through the payload's `response_url`, else as an ephemeral message. */
export interface Recipient {
  readonly caller: Caller;
  readonly responseUrl: string | undefined;
}

/**
 * Answers privately to whoever asked. Blocks that the workspace refuses are rendered plainly once and remembered. What
 * cannot be delivered is logged: the ask itself has been done or refused by then.
 */
export async function answerPrivately(
  context: SlackContext,
  recipient: Recipient,
  render: (modern: boolean) => Message,
  { replaceOriginal = false } = {},
): Promise<void> {
  const { caller, responseUrl } = recipient;
  const send = async (message: Message): Promise<void> => {
    if (responseUrl !== undefined) return context.api.respond(responseUrl, { ...message, replaceOriginal });
    return context.api.postEphemeral(caller.place.channel, caller.actor.user, message);
  };
  try {
    await withPlainBlocks(caller.place.team, context.clock, render, send);
  } catch (error) {
    context.log.warn({ err: error, correlationId: caller.correlationId }, 'an answer could not be delivered');
  }
}

/** Says privately why nothing was done, and logs what nobody foresaw. */
export async function refusePrivately(
  context: SlackContext,
  recipient: Recipient,
  error: unknown,
): Promise<void> {
  const { notices, ownTeam, api, log } = context;
  const other = error instanceof RequestInTheWayError ? await permalink(api, log, error.other) : undefined;
  const message = renderRefusal(error, { notices, ownTeam, ...(other !== undefined && { link: other }) });
  context.log.info(
    { err: error, correlationId: recipient.caller.correlationId, user: recipient.caller.actor.user },
    'an ask was refused',
  );
  await answerPrivately(context, recipient, () => message);
}
