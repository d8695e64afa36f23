import type { ModalView } from '@slack/types';

import { inspectRequest, type InspectedRequest } from '../../run/items.ts';
import { runTypedCommand } from '../../run/run-command.ts';
import type { Caller } from '../../model/actor.ts';
import { type Request, rolloutActions } from '../../model/request.ts';
import { breakGlassAction, cardButtons, cardOptions, isOver, renderCard } from '../cards/render-card.ts';
import { renderDetails } from '../cards/render-details.ts';
import { writeFormMetadata } from '../receive/form-metadata.ts';
import type { Click } from '../receive/payloads.ts';
import { renderReport } from '../render/report/report.ts';
import type { SlackContext } from '../messages/context.ts';
import { showHome } from './home.ts';
import { answerPrivately } from './reply.ts';

/** “Review…” in a list: everything on the card and in Details, with the buttons that this person may click. */
export async function openInspection(
  context: SlackContext,
  { action, body, responseUrl }: Click,
  caller: Caller,
): Promise<void> {
  const inspected = await inspectRequest(context, caller.actor, action.value ?? '');
  await context.api.openView(body.trigger_id, inspectionView(context, caller, inspected, responseUrl));
}

function inspectionView(
  { registry, rulebook, notices }: SlackContext,
  { actor, place }: Caller,
  { request, actions }: InspectedRequest,
  responseUrl: string | undefined,
): ModalView {
  const options = cardOptions({ registry, rulebook, notices }, request);
  const own = request.requester.user === actor.user && request.requester.team === actor.team;
  const offered = new Set<string>([
    ...actions,
    ...(own ? [breakGlassAction, ...rolloutActions] : []),
    ...(request.state === 'unknown' ? ['check', 'settle', 'again'] : []),
  ]);
  const lead = renderCard(request, options).blocks.filter(({ type }) => type !== 'actions');
  return {
    ...renderDetails(request, {
      ...options,
      lead: isOver(request) ? undefined : lead,
      buttons: cardButtons(request, options).filter(({ action_id: id = '' }) => offered.has(id)),
    }),
    private_metadata: writeFormMetadata({ requestId: request.id, place, responseUrl }),
  };
}

const words = '/bellhop requests';

/** After a click in the view, refreshes it and the list that it was opened from. */
export async function refreshReview(
  context: SlackContext,
  { body, metadata, responseUrl }: Click,
  caller: Caller,
  request: Request,
): Promise<void> {
  const { view } = body;
  if (view?.type !== 'modal' || metadata === undefined || !('requestId' in metadata)) return;
  const shown = inspectionView(context, caller, { request, actions: [] }, responseUrl);
  await context.api.updateView(view.id, undefined, shown);
  if (responseUrl === undefined) return showHome(context, caller);
  const result = await runTypedCommand(context, caller, 'bellhop', 'requests');
  if (result.kind !== 'report') return;
  const { clock, notices } = context;
  const options = { words, shareable: false, now: clock.now(), notices };
  await answerPrivately(context, { caller, responseUrl, replaces: true }, (modern) =>
    renderReport(result.report, { ...options, modern }),
  );
}
