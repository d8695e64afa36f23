import { IgnoredClickError, type ClickAction } from '../../core/request/click-types.ts';
import type { Card, Request } from '../../core/request/request.ts';
import type { Clicked } from './button-click.ts';
import { openTypeName } from '../forms/type-name.ts';
import { refreshList } from './refresh-list.ts';
import { showAnswer } from './show-answer.ts';
import type { SlackContext } from './context.ts';

/** Confirm, Cancel, Approve, Deny. The card itself is changed by whoever keeps cards. */
export async function handleClick(
  context: SlackContext,
  clicked: Clicked,
  action: ClickAction,
): Promise<void> {
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

/** "Ask again" under an ended request: the same makes a new request, judged anew. */
export async function runAgain(
  context: SlackContext,
  { action, caller, recipient, body }: Clicked,
): Promise<void> {
  const answer = await context.bellhop.runAgain(caller, action.value ?? '');
  await showAnswer(context, recipient, body.trigger_id, answer);
}
