import type { Caller } from '../../../core/model/actor.ts';
import { parseAlertValue } from '../../alerts/render-alert.ts';
import type { ClickPayload } from '../../receive/payloads.ts';
import type { SlackContext } from '../context.ts';
import { answerCommand } from '../looking.ts';
import { showResult } from '../reply.ts';

/**
 * A button under an alert: its command, as typed by whoever presses it. Card and followed report come in the alert's thread;
 * what is for them alone where they pressed, since in a thread that is not open nobody would see it.
 */
export async function pressAlertButton(
  context: SlackContext,
  { action, body, responseUrl }: ClickPayload,
  caller: Caller,
): Promise<void> {
  const press = parseAlertValue(action.value);
  const inThread = (of: Caller): Caller => ({
    ...of,
    place: { ...of.place, thread: of.place.thread ?? body.container?.message_ts },
  });
  await answerCommand(
    context,
    { caller, responseUrl },
    {
      run: (as) => context.bellhop.pressAlertButton(inThread(as), press),
      show: (to, result) => {
        const followed = result.kind === 'report' && result.follow !== undefined;
        const where = followed ? { ...to, caller: inThread(to.caller) } : to;
        return showResult(context, where, body.trigger_id, result);
      },
    },
  );
}
