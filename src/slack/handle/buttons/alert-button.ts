import type { Caller } from '../../../model/actor.ts';
import { pressAlertButton } from '../../../run/press.ts';
import { parseAlertValue } from '../../messages/render-alert.ts';
import type { Click } from '../../receive/payloads.ts';
import type { Recipient, SlackContext } from '../../messages/context.ts';
import { answerCommand } from '../looking.ts';
import { showResult } from '../reply.ts';

/**
 * A button under an alert: its command, as typed in the alert's thread by whoever presses it. What is for them alone comes in
 * the thread as well, once somebody has replied in it; until then it would not show there, and goes to the channel.
 */
export async function handleAlertButton(
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
