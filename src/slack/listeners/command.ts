import type { Caller } from '../../core/model/actor.ts';
import { commandText } from './command-text.ts';
import { commandDelivery } from '../receive/delivery.ts';
import { slashCommand } from '../receive/payloads.ts';
import { refusePrivately, type Recipient } from './reply.ts';
import { showAnswer } from './show-answer.ts';
import type { SlackContext } from './context.ts';

/** A slash command, after it was acknowledged. Everything it comes to is told to whoever typed it. */
export async function handleCommand(context: SlackContext, body: unknown): Promise<void> {
  const command = slashCommand.parse(body);
  const caller: Caller = {
    actor: { team: command.team_id, user: command.user_id },
    place: { team: command.team_id, channel: command.channel_id },
    correlationId: context.ids.correlation(),
    recheckDuplicate: context.inbox.recheckDuplicate(commandDelivery(command).key),
  };
  const recipient: Recipient = { caller, responseUrl: command.response_url };
  try {
    const answer = await context.bellhop.runTypedCommand(
      caller,
      command.command.slice(1),
      commandText(command.text),
    );
    await showAnswer(context, recipient, command.trigger_id, answer);
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}
