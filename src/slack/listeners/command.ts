import { longestText } from '../../core/grammar/typed-text.ts';
import type { Caller } from '../../core/model/actor.ts';
import { commandDelivery } from '../receive/delivery.ts';
import { slashCommand } from '../receive/payloads.ts';
import type { SlackContext } from './context.ts';
import { refusePrivately, showResult, type Recipient } from './reply.ts';

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
    await showResult(context, recipient, command.trigger_id, answer);
  } catch (error) {
    await refusePrivately(context, recipient, error);
  }
}

/** Escaped, a character takes five at most: what is longer is too long a command however it reads. */
const longestEscaped = 5 * longestText;

/**
 * The text of a slash command as it was typed: mentions to `@U…` and `#C…`, links to their address, entities to
 * characters. Slack sends it escaped because the manifest asks for it (`should_escape`). What is too long for a command
 * stays as it is.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** A label holds no `<`, which Slack escapes: so nothing is looked at twice. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|<>\s]+)(?:\|[^<>]*)?>/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
