import { usage } from '../../command/grammar/help.ts';
import { runCommandLine, type CommandResult } from '../../run/run-command.ts';
import type { Caller } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import type { AcceptedDelivery } from '../receive/inbox.ts';
import type { PersonMessage } from '../receive/payload-schemas.ts';
import type { Sender } from '../receive/payloads.ts';
import { actions, button, noticeBlocks, section, textMessage, type Message } from '../render/blocks.ts';
import { code } from '../render/text.ts';
import { limits } from '../render/limits.ts';
import { nextActions } from '../render/report/report.ts';
import { callerOf, type Recipient, type SlackContext } from '../messages/context.ts';
import { answerCommand } from './command.ts';
import { askedIn, mentionsInPassing } from './message-text.ts';
import { answerPrivately, showResult } from './reply.ts';

/**
 * Handles an acknowledged message to Bellhop like a slash command. A message that does not start with the mention is not a
 * command; if it looks like one, a private hint says so.
 */
export async function handleMessage(
  context: SlackContext,
  botUserId: string,
  message: PersonMessage,
  sender: Sender,
  accepted: AcceptedDelivery,
): Promise<void> {
  if (message.user === botUserId) return;
  const caller = callerOf(context, sender, accepted);
  const asked = askedIn(message, botUserId);
  if (asked === undefined) {
    if (mentionsInPassing(message, botUserId)) await hintAtMention(context, caller, botUserId);
    return;
  }
  const { channel, thread } = caller.place;
  const publicly = thread !== undefined && !channel.startsWith('D');
  await answerCommand(
    context,
    { caller, responseUrl: undefined, publicly },
    {
      run: async (as) => {
        if (asked === 'unclear') throw notPlain();
        refuseLate(context.clock.now() - Number(message.ts) * 1_000);
        return runCommandLine(context, as, asked.line);
      },
      show: (to, result) =>
        result.kind === 'form' && asked !== 'unclear'
          ? offerForm(context, to, asked.line, result)
          : showResult(context, to, undefined, result),
    },
  );
}

/** Without the hint the person would get no answer and no reason. */
function hintAtMention(context: SlackContext, caller: Caller, botUserId: string): Promise<void> {
  const text = `Nothing was run. Start the message with the mention: <@${botUserId}> \`reboot web-1\`.`;
  return answerPrivately(context, { caller, responseUrl: undefined }, () =>
    textMessage(text, context.notices),
  );
}

const notPlain = (): BellhopError =>
  new BellhopError('bad-input', 'Write the command as plain text, without lists, quotes or code blocks.');

/**
 * Slack may deliver a message hours after an outage. Shorter than the memory for redeliveries by more than clocks differ, so
 * that no message runs twice. In milliseconds.
 */
const lateMs = 10 * 60_000;

/** A late command may be wrong by now, so it is rejected. @throws BellhopError */
function refuseLate(ageMs: number): void {
  if (ageMs <= lateMs) return;
  throw new BellhopError(
    'bad-input',
    `Slack delivered your message ${Math.floor(ageMs / 60_000)} minutes late. Nothing was done. Send it again if you still want it.`,
  );
}

/** A message can't open a form, but a click can. */
async function offerForm(
  context: SlackContext,
  recipient: Recipient,
  line: string,
  { entry }: Extract<CommandResult, { kind: 'form' }>,
): Promise<void> {
  const command = code(`/${entry.area} ${entry.verb}`, 100);
  if (line.length > limits.buttonValue)
    throw new BellhopError('bad-input', `Type the full command: ${usage(entry)}.`);
  const text = `${command} needs more input.`;
  const message: Message = {
    text,
    blocks: [
      section(text),
      ...actions([button({ text: 'Open the form', action: nextActions[0], value: line })]),
      ...noticeBlocks(context.notices),
    ],
  };
  await answerPrivately(context, recipient, () => message);
}
