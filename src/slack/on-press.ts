import type { PressAction } from '../core/press-types.ts';
import type { Request } from '../core/request.ts';
import type { Clicked } from './clicked.ts';
import { openTypeName } from './open-type-name.ts';
import { refreshList } from './refresh-list.ts';
import { showAnswer } from './show-answer.ts';
import type { Surface } from './surface.ts';

/** Confirm, Cancel, Approve, Deny. The card itself is changed by whoever keeps cards. */
export async function onPress(surface: Surface, clicked: Clicked, action: PressAction): Promise<void> {
  const { asker, body } = clicked;
  const pressed = await surface.executor.press({
    requestId: clicked.action.value ?? '',
    action,
    actor: asker.actor,
    place: asker.place,
    correlationId: asker.correlationId,
  });
  if (pressed.kind === 'type-name') return openTypeName(surface, body.trigger_id, pressed.request);
  await mendStrayCard(surface, clicked, pressed.request);
  await refreshList(surface, clicked);
}

/** A card that was posted twice, because Slack's answer to the first post got lost, is brought up to date too. */
async function mendStrayCard(surface: Surface, { body, asker }: Clicked, request: Request): Promise<void> {
  const ts = body.container?.message_ts;
  if (ts === undefined || body.container?.is_ephemeral === true || !request.card || request.card.ts === ts)
    return;
  await surface.cards.showAt(request, { channel: asker.place.channel, ts });
}

/** "Ask again" under an ended request: the same words make a new request, judged anew. */
export async function onAgain(surface: Surface, clicked: Clicked): Promise<void> {
  const [command = '', ...rest] = (clicked.action.value ?? '').split(' ');
  const answer = await surface.executor.askWords(clicked.asker, command.replace(/^\//u, ''), rest.join(' '));
  await showAnswer(surface, clicked.recipient, clicked.body.trigger_id, answer);
}
