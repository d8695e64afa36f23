import type { Asker } from '../../core/model/actor.ts';
import type { Message } from '../render/blocks.ts';
import { RequestInTheWayError } from '../../core/request/propose.ts';
import { permalink } from '../cards/permalink.ts';
import { withPlainBlocks } from '../render/plain-blocks.ts';
import { renderRefusal } from '../render/refusal.ts';
import type { Surface } from './context.ts';

/** Where a private answer goes: through the payload's `response_url`, else as an ephemeral message. */
export interface Recipient {
  readonly asker: Asker;
  readonly responseUrl: string | undefined;
}

/**
 * Answers privately to whoever asked. Blocks that the workspace refuses are rendered plainly once and remembered. What
 * cannot be delivered is logged: the ask itself has been done or refused by then.
 */
export async function answerPrivately(
  surface: Surface,
  recipient: Recipient,
  render: (modern: boolean) => Message,
  { replaceOriginal = false } = {},
): Promise<void> {
  const { asker, responseUrl } = recipient;
  const send = async (message: Message): Promise<void> => {
    if (responseUrl !== undefined) return surface.api.respond(responseUrl, { ...message, replaceOriginal });
    return surface.api.postEphemeral(asker.place.channel, asker.actor.user, message);
  };
  try {
    await withPlainBlocks(asker.place.team, surface.clock, render, send);
  } catch (error) {
    surface.log.warn({ err: error, correlationId: asker.correlationId }, 'an answer could not be delivered');
  }
}

/** Says privately why nothing was done, and logs what nobody foresaw. */
export async function refusePrivately(surface: Surface, recipient: Recipient, error: unknown): Promise<void> {
  const { notices, ownTeam, api, log } = surface;
  const other = error instanceof RequestInTheWayError ? await permalink(api, log, error.other) : undefined;
  const message = renderRefusal(error, { notices, ownTeam, ...(other !== undefined && { link: other }) });
  surface.log.info(
    { err: error, correlationId: recipient.asker.correlationId, user: recipient.asker.actor.user },
    'an ask was refused',
  );
  await answerPrivately(surface, recipient, () => message);
}
