import type { Asker } from '../../core/model/actor.ts';
import { commandText } from './command-text.ts';
import { deliveredCommand } from '../receive/delivery.ts';
import { slashCommand } from '../receive/payloads.ts';
import { refusePrivately, type Recipient } from './reply.ts';
import { showAnswer } from './show-answer.ts';
import type { Surface } from './context.ts';

/** A slash command, after it was acknowledged. Everything it comes to is told to whoever typed it. */
export async function onCommand(surface: Surface, body: unknown): Promise<void> {
  const command = slashCommand.parse(body);
  const asker: Asker = {
    actor: { team: command.team_id, user: command.user_id },
    place: { team: command.team_id, channel: command.channel_id },
    correlationId: surface.ids.correlation(),
    stillFirst: surface.intake.askAgain(deliveredCommand(command).key),
  };
  const recipient: Recipient = { asker, responseUrl: command.response_url };
  try {
    const answer = await surface.executor.askWords(
      asker,
      command.command.slice(1),
      commandText(command.text),
    );
    await showAnswer(surface, recipient, command.trigger_id, answer);
  } catch (error) {
    await refusePrivately(surface, recipient, error);
  }
}
