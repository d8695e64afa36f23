import { longestText } from '../../core/grammar/typed-text.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { CommandPayload } from '../receive/payloads.ts';
import { callerOf, type SlackContext } from './context.ts';
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

/** An escaped character takes five at most: a longer text is too long a command however it reads. */
const longestEscaped = 5 * longestText;

/**
 * The text of a slash command as it was typed: mentions to `@U…` and `#C…`, links to their address, entities to
 * characters. Slack sends it escaped because the manifest asks for it (`should_escape`). What is too long for a command
 * stays as it is.
 */
export const commandText = (text: string): string => (text.length > longestEscaped ? text : unescaped(text));

/** A label holds no `<`, which Slack escapes: so nothing is replaced twice. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/<([@#])([UWCDG][A-Z0-9]+)(?:\|[^<>]*)?>/gu, '$1$2')
    .replaceAll(/<((?:https?|mailto):[^|<>\s]+)(?:\|[^<>]*)?>/gu, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
