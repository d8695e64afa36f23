import type { Asker } from '../../core/model/actor.ts';
import { pressActions } from '../../core/request/click-types.ts';
import type { Clicked } from './button-click.ts';
import { deliveredClick } from '../receive/delivery.ts';
import { onAgain, onPress } from './click.ts';
import { onReadButton } from './read-button.ts';
import { blockActions, type BlockActions } from '../receive/payloads.ts';
import { onReview } from './review.ts';
import { reviewAction } from '../cards/render-review.ts';
import { refusePrivately, type Recipient } from './reply.ts';
import { readActionIds } from './read-actions.ts';
import { redrawForm } from '../forms/redraw-form.ts';
import type { Surface } from './context.ts';

type Listener = (surface: Surface, clicked: Clicked) => Promise<void>;

/** What each button of ours does. Whatever else is clicked in a modal is a change of its form. */
const listeners = new Map<string, Listener>([
  ...pressActions.map((id): [string, Listener] => [id, (surface, clicked) => onPress(surface, clicked, id)]),
  ...readActionIds.options.map((id): [string, Listener] => [
    id,
    (surface, clicked) => onReadButton(surface, clicked, id),
  ]),
  ['again', onAgain],
  [reviewAction, onReview],
]);

/** A click, after it was acknowledged. One that does nothing is answered privately, with the reason. */
export async function onButton(surface: Surface, raw: unknown): Promise<void> {
  const body = blockActions.parse(raw);
  const [action] = body.actions;
  if (!action) return;
  const asker = askerOf(surface, body);
  const recipient: Recipient = { asker, responseUrl: body.response_url };
  try {
    const listener = listeners.get(action.action_id);
    const clicked: Clicked = { body, action, asker, recipient };
    if (listener) await listener(surface, clicked);
    else if (body.view?.type === 'modal') await redrawForm(surface, clicked);
    else surface.log.warn({ actionId: action.action_id }, 'a click that nothing here listens to');
  } catch (error) {
    await refusePrivately(surface, recipient, error);
  }
}

function askerOf(surface: Surface, body: BlockActions): Asker {
  const team = body.team?.id ?? surface.ownTeam;
  return {
    // In a shared channel the person's own team differs from the workspace that the click came through.
    actor: { team: body.user.team_id ?? team, user: body.user.id },
    place: { team, channel: body.channel?.id ?? body.user.id },
    correlationId: surface.ids.correlation(),
    stillFirst: surface.intake.askAgain(deliveredClick(body).key),
  };
}
