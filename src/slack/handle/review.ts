import type { ModalView } from '@slack/types';

import { sameActor } from '../../model/values/actor.ts';
import { type InspectedRequest, inspectRequest } from '../../run/items.ts';
import { runCommandLine } from '../../run/run-command.ts';
import { cardButtons, cardOptions, isOver, renderCard } from '../cards/render-card.ts';
import { renderDetails } from '../cards/render-details.ts';
import { channelNameOf, requestMetadata } from '../forms/request-form.ts';
import type { SlackContext } from '../messages/context.ts';
import type { Click } from '../receive/dispatch.ts';
import type { Message } from '../render/blocks.ts';
import { answerPrivately, reportMessage } from './reply.ts';

/** “Review…” shows everything on the card and in Details, with the buttons that this person may click. */
export async function openInspection(context: SlackContext, click: Click): Promise<void> {
  const { action, body, context: received } = click;
  const inspected = await inspectRequest(context, received.caller.actor, action.value ?? '');
  await context.api.openView(body.trigger_id, await inspectionView(context, click, inspected));
}

async function inspectionView(
  context: SlackContext,
  click: Click,
  { request, actions }: InspectedRequest,
  said?: Message['blocks'],
): Promise<ModalView> {
  const { caller, responseUrl } = click.context;
  const channelName = channelNameOf(click);
  const link = request.state === 'running' ? await context.cards.link(request) : undefined;
  const options = { ...cardOptions(context, request), ...(await context.beside(request)), card: { link } };
  const offered = new Set<string>([
    ...actions,
    ...(sameActor(request.requester, caller.actor) ? Object.keys(context.buttons) : []),
    'check',
    'settle',
    ...(request.state === 'unknown' ? ['again'] : []),
  ]);
  const lead = renderCard(request, options).blocks.filter(({ type }) => type !== 'actions');
  return {
    ...renderDetails(request, {
      ...options,
      said,
      lead: isOver(request) ? undefined : lead,
      buttons: cardButtons(request, options).filter(({ action_id: id = '' }) => offered.has(id)),
    }),
    private_metadata: requestMetadata.write({
      requestId: request.id,
      place: caller.place,
      responseUrl,
      channelName,
    }),
  };
}

/**
 * Redraws the review that was clicked in, and the list below it. Never rejects.
 * @param said what the click did not do, as the first lines
 * @returns false if the click was elsewhere, or the review could not be redrawn
 */
export async function showInReview(
  context: SlackContext,
  click: Click,
  said?: Message['blocks'],
): Promise<boolean> {
  const { view } = click.body;
  const { caller, responseUrl } = click.context;
  const about = view?.type === 'modal' ? requestMetadata.read(view) : undefined;
  if (!view || !about) return false;
  try {
    const inspected = await inspectRequest(context, caller.actor, about.requestId);
    await context.api.updateView(view.id, undefined, await inspectionView(context, click, inspected, said));
    if (responseUrl !== undefined) await renewList(context, click);
    return true;
  } catch (error) {
    // The person may have closed the view.
    context.log.warn({ err: error, correlationId: caller.correlationId }, 'review not drawn again');
    return false;
  }
}

async function renewList(context: SlackContext, { context: { caller, responseUrl } }: Click): Promise<void> {
  const words = '/bellhop requests';
  const result = await runCommandLine(context, caller, words);
  if (result.kind !== 'report') return;
  const list = reportMessage(context, result.report, { words, shareable: false });
  await answerPrivately(context, { caller, responseUrl, replaces: true }, list);
}

/** In the review, if the click was in one, otherwise privately. */
export async function answerPress(context: SlackContext, click: Click, message: Message): Promise<void> {
  if (await showInReview(context, click, message.blocks)) return;
  await answerPrivately(context, click.context, () => message);
}
