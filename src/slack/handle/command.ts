import type { SlashCommand } from '@slack/bolt';

import { runTypedCommand } from '../../run/run-command.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { Sender } from '../receive/payloads.ts';
import { callerOf, type Recipient, type SlackContext } from '../messages/context.ts';
import { answerCommand } from './looking.ts';
import { commandText } from './message-text.ts';
import { showResult } from './reply.ts';

/** A slash command, after it was acknowledged. Its result or its error is shown to the caller. */
export async function handleCommand(
  context: SlackContext,
  { command, text, trigger_id: triggerId }: SlashCommand,
  sender: Sender,
  accepted: AcceptedDelivery,
): Promise<void> {
  const caller = callerOf(context, sender, accepted);
  const recipient: Recipient = { caller, responseUrl: sender.responseUrl, ofCommand: true };
  await answerCommand(context, recipient, {
    run: (as) => runTypedCommand(context, as, command.slice(1), commandText(text)),
    show: (to, result) => showResult(context, to, triggerId, result),
  });
}
