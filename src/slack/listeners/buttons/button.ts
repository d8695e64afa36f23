import type { Caller } from '../../../core/model/actor.ts';
import { IgnoredClickError, isDoubleClick } from '../../../core/request/click.ts';
import { actionLabelOf } from '../../../core/registry.ts';
import { clickActions, type ClickAction } from '../../../core/request/request.ts';
import type { MessageRef } from '../../web-api/slack-api.ts';
import { breakGlassAction, detailsAction } from '../../cards/render-card.ts';
import { renderDetails } from '../../cards/render-details.ts';
import { reviewAction } from '../../cards/render-review.ts';
import { alertActions } from '../../alerts/alert-buttons.ts';
import { pressAlertButton } from './alert-button.ts';
import { openBreakGlass } from '../../forms/break-glass.ts';
import { openDenial } from '../../forms/denial.ts';
import { redrawForm } from '../../forms/open-form.ts';
import { openTypeName } from '../../forms/type-name.ts';
import type { AcceptedDelivery } from '../../receive/inbox.ts';
import type { ClickPayload } from '../../receive/payloads.ts';
import { nextActions, readActionIds } from '../../render/report/read-actions.ts';
import { renderReport } from '../../render/report/report.ts';
import { callerOf, type SlackContext } from '../context.ts';
import { showHome } from '../home.ts';
import { handleReadButton } from './read-button.ts';
import { answerCommand } from '../looking.ts';
import { answerPrivately, refusePrivately, showResult } from '../reply.ts';
import { openReview } from './review.ts';
import { openSettle } from './settle.ts';
import { renderCheck } from '../../cards/render-check.ts';

type Listener = (context: SlackContext, click: ClickPayload, caller: Caller) => Promise<void>;

/** What each button of ours does. Any other click in a modal is a change of its form. */
const listeners = new Map<string, Listener>([
  ...clickActions.map((id): [string, Listener] => [
    id,
    (context, click, caller) => handleClick(context, click, caller, id),
  ]),
  ...readActionIds.options.map((id): [string, Listener] => [
    id,
    (context, click, caller) => handleReadButton(context, click, caller, id),
  ]),
  ...nextActions.map((id): [string, Listener] => [id, runNext]),
  ...alertActions.map((id): [string, Listener] => [id, pressAlertButton]),
  ['again', runAgain],
  ['check', checkNow],
  ['settle', openSettle],
  [reviewAction, openReview],
  [detailsAction, openDetails],
  [breakGlassAction, openBreakGlass],
]);

/**
 * A click, after it was acknowledged. One that does nothing is answered privately, with the reason, unless it is the
 * requester's own double click: the card says it all.
 */
export async function handleButton(
  context: SlackContext,
  click: ClickPayload,
  accepted: AcceptedDelivery,
): Promise<void> {
  const caller = callerOf(context, click, accepted);
  const { action, body, responseUrl } = click;
  try {
    const listener = listeners.get(action.action_id);
    if (listener) await listener(context, click, caller);
    else if (body.view?.type === 'modal') await redrawForm(context, caller, body.view, click);
    else context.log.warn({ actionId: action.action_id }, 'click on an unknown button');
  } catch (error) {
    await refusePrivately(context, { caller, responseUrl }, error);
  }
}

/** Confirm, Cancel, Approve, Deny. The card sync changes the card itself. */
async function handleClick(
  context: SlackContext,
  click: ClickPayload,
  caller: Caller,
  action: ClickAction,
): Promise<void> {
  const { actor, place, correlationId } = caller;
  const requestId = click.action.value ?? '';
  const card = cardOf(click, requestId);
  if (card) await context.cards.adopt(requestId, card);
  try {
    const asks = { requestId, action, actor, place, correlationId, denial: 'ask' as const };
    const { kind, request } = await context.bellhop.click(asks);
    if (kind === 'type-name') return await openTypeName(context, click.body.trigger_id, request);
    if (kind === 'denial') return await openDenial(context, click.body.trigger_id, request, place);
    if (card) await context.cards.removeIfStray(requestId, card);
    await refreshList(context, click, caller);
  } catch (error) {
    const { request } = error instanceof IgnoredClickError ? error : {};
    if (!request) throw error;
    if (card) await context.cards.removeIfStray(requestId, card);
    if (!isDoubleClick(request, { actor, action }, context.clock.now())) throw error;
  }
}

/** The message that was clicked, where it is a card of the request: another list may offer the same buttons. */
function cardOf({ body, place }: ClickPayload, requestId: string): MessageRef | undefined {
  const ts = body.container?.message_ts;
  if (ts === undefined || body.container?.is_ephemeral === true) return undefined;
  if (requestId === '' || body.message?.text?.includes(requestId) !== true) return undefined;
  return { channel: place.channel, ts, thread: place.thread };
}

/** “Run it again” under an ended request: the same makes a new request, authorized anew. */
async function runAgain(
  context: SlackContext,
  { action, body, responseUrl }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const result = await context.bellhop.runAgain(caller, action.value ?? '');
  await showResult(context, { caller, responseUrl }, body.trigger_id, result);
}

/** “Check now” under an unknown outcome. The card shows what was seen; whoever clicked is told that it was looked at. */
async function checkNow(
  context: SlackContext,
  { action, responseUrl }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const request = await context.bellhop.checkNow(caller, action.value ?? '');
  await answerPrivately(context, { caller, responseUrl }, () => renderCheck(request, context.notices));
}

/** “Details” under a card: a view with what the card has no room for. */
async function openDetails(
  context: SlackContext,
  { action, body }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const request = await context.bellhop.requestHere(caller, action.value ?? '');
  const verb = actionLabelOf(context.bellhop.registry.find(request.operation), request);
  if (body.trigger_id === undefined) return;
  await context.api.openView(body.trigger_id, renderDetails(request, { verb, notices: context.notices }));
}

/** A command that follows from an answer: the same as typed by whoever clicks, confirmation and all. */
async function runNext(
  context: SlackContext,
  { action, body, responseUrl }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const to = { caller, responseUrl };
  await answerCommand(context, to, {
    run: (as) => context.bellhop.runCommandLine(as, action.value ?? ''),
    show: (where, result) => showResult(context, where, body.trigger_id, result),
  });
}

const words = '/bellhop requests';

/** After a click in a list, private or on the Home tab, the list shows what is true now. */
async function refreshList(
  context: SlackContext,
  { body, responseUrl }: ClickPayload,
  caller: Caller,
): Promise<void> {
  if (body.view?.type === 'home') return showHome(context, caller);
  if (body.container?.is_ephemeral !== true) return;
  const result = await context.bellhop.runTypedCommand(caller, 'bellhop', 'requests');
  if (result.kind !== 'report') return;
  const { clock, notices } = context;
  const options = { words, shareable: false, now: clock.now(), notices };
  await answerPrivately(context, { caller, responseUrl, replaces: true }, (modern) =>
    renderReport(result.report, { ...options, modern }),
  );
}
