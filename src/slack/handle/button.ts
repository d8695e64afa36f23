import { dismissSuggestion, pressAlertButton } from '../../run/from-message.ts';
import type { Caller } from '../../model/actor.ts';
import { clickActions, rolloutActions } from '../../model/request.ts';
import { alertActions, parseAlertValue } from '../messages/render-alert.ts';
import { breakGlassAction, detailsAction } from '../cards/render-card.ts';
import { reviewAction } from '../cards/review.ts';
import { dismissAction } from '../messages/render-suggestion.ts';
import { redrawForm } from '../forms/open-form.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { Click } from '../receive/payloads.ts';
import { nextActions, readActionIds } from '../render/report/report.ts';
import { callerOf, type Recipient, type SlackContext } from '../messages/context.ts';
import { answerCommand } from './command.ts';
import { refusePrivately, showResult } from './reply.ts';
import {
  handleCardButton,
  handleCheckNow,
  handleRolloutButton,
  handleRunAgain,
  openDetails,
} from './card-button.ts';
import { openInspection } from './inspect-button.ts';
import { handleReadButton, openAnswer, runNext } from './read-button.ts';
import { homeActions } from './home.ts';
import { signInAction } from '../forms/request/sign-in.ts';
import { openSettle } from '../forms/request/settle.ts';
import { openBreakGlass, openReview } from '../forms/request/text-forms.ts';

type Listener = (context: SlackContext, click: Click, caller: Caller) => Promise<void>;

/** The listener of each button. Any other click in a modal changes its form. */
const listeners = new Map<string, Listener>([
  ...clickActions.map((id): [string, Listener] => [
    id,
    (context, click, caller) => handleCardButton(context, click, caller, id),
  ]),
  ...readActionIds.options.map((id): [string, Listener] => [
    id,
    (context, click, caller) => handleReadButton(context, click, caller, id),
  ]),
  ...nextActions.map((id): [string, Listener] => [id, runNext]),
  ...alertActions.map((id): [string, Listener] => [id, handleAlertButton]),
  ...homeActions.map((id): [string, Listener] => [id, openAnswer]),
  [dismissAction, handleDismissal],
  ...rolloutActions.map((id): [string, Listener] => [
    id,
    (context, click, caller) => handleRolloutButton(context, click, caller, id),
  ]),
  ['inspect', openInspection],
  ['again', handleRunAgain],
  ['check', handleCheckNow],
  ['settle', openSettle],
  [reviewAction, openReview],
  [detailsAction, openDetails],
  [breakGlassAction, openBreakGlass],
  [signInAction, () => Promise.resolve()],
]);

/**
 * Handles an acknowledged click. A click that does nothing gets a private answer with the reason, unless it is the
 * requester's own double click.
 */
export async function handleButton(
  context: SlackContext,
  click: Click,
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

/**
 * A button under an alert runs its command as if the person had typed it in the alert's thread. Private answers go to the
 * thread too, but to the channel while the thread has no replies, because Slack would not show them there.
 */
async function handleAlertButton(
  context: SlackContext,
  { action, body, clicked, responseUrl }: Click,
  caller: Caller,
): Promise<void> {
  const press = parseAlertValue(action.value);
  const { place } = caller;
  const recipient: Recipient = {
    caller: { ...caller, place: { ...place, thread: place.thread ?? clicked?.ts } },
    responseUrl,
    opensThread: place.thread === undefined && clicked?.hasReplies !== true,
  };
  await answerCommand(context, recipient, {
    run: (as) => pressAlertButton(context, as, press),
    show: (to, result) => showResult(context, to, body.trigger_id, result),
  });
}

/** “Dismiss” under a suggestion. The message itself says that it is. */
function handleDismissal(context: SlackContext, { action }: Click, caller: Caller): Promise<void> {
  return context.inProgress.run(caller.actor, () => dismissSuggestion(context, caller, action.value ?? ''));
}
