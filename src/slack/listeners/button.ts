import type { Caller } from '../../core/model/actor.ts';
import { clickActions } from '../../core/request/click-types.ts';
import type { Clicked } from './button-click.ts';
import { clickDelivery } from '../receive/delivery.ts';
import { runAgain, handleClick } from './click.ts';
import { handleReadButton } from './read-button.ts';
import { blockActions, type BlockActions } from '../receive/payloads.ts';
import { openReview } from './review.ts';
import { reviewAction } from '../cards/render-review.ts';
import { refusePrivately, type Recipient } from './reply.ts';
import { readActionIds } from './read-actions.ts';
import { redrawForm } from '../forms/redraw-form.ts';
import type { SlackContext } from './context.ts';

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
    else if (body.view?.type === 'modal') await redrawForm(context, clicked);
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
