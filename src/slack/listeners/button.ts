import type { Caller } from '../../core/model/actor.ts';
import { IgnoredClickError } from '../../core/request/click.ts';
import { clickActions, type ClickAction, type Card, type Request } from '../../core/request/request.ts';
import { reviewAction } from '../cards/render-review.ts';
import { redrawForm } from '../forms/open-form.ts';
import { openTypeName } from '../forms/type-name.ts';
import { clickDelivery } from '../receive/delivery.ts';
import { blockActions, type BlockActions } from '../receive/payloads.ts';
import { readActionIds } from '../render/report/read-actions.ts';
import { renderReport } from '../render/report/report.ts';
import type { Clicked } from './button-click.ts';
import type { SlackContext } from './context.ts';
import { showHome } from './home.ts';
import { handleReadButton } from './read-button.ts';
import { answerPrivately, refusePrivately, showResult, type Recipient } from './reply.ts';
import { openReview } from './review.ts';

type Listener = (context: SlackContext, clicked: Clicked) => Promise<void>;

/** What each button of ours does. Whatever else is clicked in a modal is a change of its form. */
const listeners = new Map<string, Listener>([
  ...clickActions.map((id): [string, Listener] => [
    id,
    (context, clicked) => handleClick(context, clicked, id),
  ]),
  ...readActionIds.options.map((id): [string, Listener] => [
    id,
    (context, clicked) => handleReadButton(context, clicked, id),
  ]),
  ['again', runAgain],
  [reviewAction, openReview],
]);

/** A click, after it was acknowledged. One that does nothing is answered privately, with the reason. */
export async function handleButton(context: SlackContext, raw: unknown): Promise<void> {
  const body = blockActions.parse(raw);
  const [action] = body.actions;
  if (!action) return;
  const caller = askerOf(context, body);
  const recipient: Recipient = { caller, responseUrl: body.response_url };
  try {
    const listener = listeners.get(action.action_id);
    const clicked: Clicked = { body, action, caller, recipient };
    if (listener) await listener(context, clicked);
    else if (body.view?.type === 'modal') await redrawForm(context, caller, body.view, action);
    else context.log.warn({ actionId: action.action_id }, 'a click that nothing here listens to');
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}

function askerOf(context: SlackContext, body: BlockActions): Caller {
  const team = body.team?.id ?? context.ownTeam;
  return {
    // In a shared channel the person's own team differs from the workspace that the click came through.
    actor: { team: body.user.team_id ?? team, user: body.user.id },
    place: { team, channel: body.channel?.id ?? body.user.id },
    correlationId: context.ids.correlation(),
    recheckDuplicate: context.inbox.recheckDuplicate(clickDelivery(body).key),
  };
}

/** Confirm, Cancel, Approve, Deny. The card itself is changed by whoever keeps cards. */
async function handleClick(context: SlackContext, clicked: Clicked, action: ClickAction): Promise<void> {
  const { caller, body } = clicked;
  const requestId = clicked.action.value ?? '';
  const card = cardOf(clicked, requestId);
  if (card) await context.cards.adopt(requestId, card);
  try {
    const pressed = await context.bellhop.click({
      requestId,
      action,
      actor: caller.actor,
      place: caller.place,
      correlationId: caller.correlationId,
    });
    if (pressed.kind === 'type-name') return await openTypeName(context, body.trigger_id, pressed.request);
    await removeIfStray(context, card, pressed.request);
    await refreshList(context, clicked);
  } catch (error) {
    if (error instanceof IgnoredClickError) await removeIfStray(context, card, error.request);
    throw error;
  }
}

/** The message that was clicked, where it is a card of the request: another list may offer the same buttons. */
function cardOf({ body, caller }: Clicked, requestId: string): Card | undefined {
  const ts = body.container?.message_ts;
  if (ts === undefined || body.container?.is_ephemeral === true) return undefined;
  if (requestId === '' || body.message?.text?.includes(requestId) !== true) return undefined;
  return { channel: caller.place.channel, ts };
}

/** The request has one card: a second one, posted because Slack's answer to the first got lost, goes away. */
async function removeIfStray(
  context: SlackContext,
  clicked: Card | undefined,
  request: Request | undefined,
): Promise<void> {
  if (!clicked || !request?.card || request.card.ts === clicked.ts) return;
  try {
    await context.cards.removeStray(clicked);
  } catch (error) {
    context.log.warn({ err: error, requestId: request.id }, 'a second card could not be removed');
  }
}

/** "Run it again" under an ended request: the same makes a new request, judged anew. */
async function runAgain(context: SlackContext, { action, caller, recipient, body }: Clicked): Promise<void> {
  const answer = await context.bellhop.runAgain(caller, action.value ?? '');
  await showResult(context, recipient, body.trigger_id, answer);
}

const words = '/bellhop requests';

/** After a press in a list, private or on the Home tab, the list shows what is true now. */
async function refreshList(context: SlackContext, { body, caller, recipient }: Clicked): Promise<void> {
  if (body.view?.type === 'home') return showHome(context, caller);
  if (body.container?.is_ephemeral !== true) return;
  const answer = await context.bellhop.runTypedCommand(caller, 'bellhop', 'requests');
  if (answer.kind !== 'report') return;
  const { clock, notices } = context;
  const options = { words, shareable: false, now: clock.now(), notices };
  await answerPrivately(context, recipient, (modern) => renderReport(answer.report, { ...options, modern }), {
    replaceOriginal: true,
  });
}
