import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { CommandPayload } from '../receive/payloads.ts';
import { callerOf, type SlackContext } from './context.ts';
import { commandText } from './message-text.ts';
import { refusePrivately, showResult, type Recipient } from './reply.ts';

/** A slash command, after it was acknowledged. Its result or its error is shown to the caller. */
export async function handleCommand(
  context: SlackContext,
  payload: CommandPayload,
  accepted: AcceptedDelivery,
): Promise<void> {
  const { command, text, trigger_id: triggerId } = payload.body;
  const caller = callerOf(context, payload, accepted);
  const recipient: Recipient = { caller, responseUrl: payload.responseUrl };
  try {
    const result = await context.bellhop.runTypedCommand(caller, command.slice(1), commandText(text));
    await showResult(context, recipient, triggerId, result);
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}
