import { IgnoredPressError, type PressAction } from '../../core/request/click-types.ts';
import type { Card, Request } from '../../core/request/request.ts';
import type { Clicked } from './button-click.ts';
import { openTypeName } from '../forms/type-name.ts';
import { refreshList } from './refresh-list.ts';
import { showAnswer } from './show-answer.ts';
import type { Surface } from './context.ts';

/** Confirm, Cancel, Approve, Deny. The card itself is changed by whoever keeps cards. */
export async function onPress(surface: Surface, clicked: Clicked, action: PressAction): Promise<void> {
  const { asker, body } = clicked;
  const requestId = clicked.action.value ?? '';
  const card = cardOf(clicked, requestId);
  if (card) await surface.cards.adopt(requestId, card);
  try {
    const pressed = await surface.executor.press({
      requestId,
      action,
      actor: asker.actor,
      place: asker.place,
      correlationId: asker.correlationId,
    });
    if (pressed.kind === 'type-name') return await openTypeName(surface, body.trigger_id, pressed.request);
    await removeIfStray(surface, card, pressed.request);
    await refreshList(surface, clicked);
  } catch (error) {
    if (error instanceof IgnoredPressError) await removeIfStray(surface, card, error.request);
    throw error;
  }
}

/** The message that was clicked, where it is a card of the request: another list may offer the same buttons. */
function cardOf({ body, asker }: Clicked, requestId: string): Card | undefined {
  const ts = body.container?.message_ts;
  if (ts === undefined || body.container?.is_ephemeral === true) return undefined;
  if (requestId === '' || body.message?.text?.includes(requestId) !== true) return undefined;
  return { channel: asker.place.channel, ts };
}

/** The request has one card: a second one, posted because Slack's answer to the first got lost, goes away. */
async function removeIfStray(
  surface: Surface,
  clicked: Card | undefined,
  request: Request | undefined,
): Promise<void> {
  if (!clicked || !request?.card || request.card.ts === clicked.ts) return;
  try {
    await surface.cards.removeStray(clicked);
  } catch (error) {
    surface.log.warn({ err: error, requestId: request.id }, 'a second card could not be removed');
  }
}

/** "Ask again" under an ended request: the same makes a new request, judged anew. */
export async function onAgain(surface: Surface, { action, asker, recipient, body }: Clicked): Promise<void> {
  const answer = await surface.executor.askAgain(asker, action.value ?? '');
  await showAnswer(surface, recipient, body.trigger_id, answer);
}
