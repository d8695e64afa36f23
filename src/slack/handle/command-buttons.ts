import { pressAlertButton } from '../../run/from-message.ts';
import { type CommandResult, runCommandLine } from '../../run/run-command.ts';
import { csvText, type Report } from '../../model/values/report.ts';
import { counted } from '../../text/words.ts';
import { plain, textMessage, type Message } from '../render/blocks.ts';
import type { Caller } from '../../model/values/actor.ts';
import { BellhopError } from '../../model/values/errors.ts';
import { withheldText } from '../../model/introspection.ts';
import { parseAlertValue } from '../messages/render-alert.ts';
import type { Click } from '../receive/payloads.ts';
import { mention, safeText } from '../render/text.ts';
import { answerCommand } from './command.ts';
import { answerPrivately, reportMessage, withPlainBlocks } from './reply.ts';
import { type ReadAction, type ReadActionId, parseReadAction, readActions } from '../render/report.ts';
import { limits } from '../render/limits.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';

/**
 * Makes the handler of a button that runs a command as if the person had typed it, including the confirmation.
 * @param run gets the button's value
 */
export const runsCommand =
  (run: (context: SlackContext, caller: Caller, value: string) => Promise<CommandResult>) =>
  (context: SlackContext, { action, body, responseUrl }: Click, caller: Caller): Promise<void> =>
    answerCommand(
      context,
      { caller, responseUrl },
      { run: (as) => run(context, as, action.value ?? ''), triggerId: body.trigger_id },
    );

/**
 * Runs the command of a button under an alert as if the person had typed it in the alert's thread. Private answers also go to the
 * thread. While the thread has no replies, private answers go to the channel, because Slack would not show them in the thread.
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
    triggerId: body.trigger_id,
  });
}

/**
 * Handles a button of the Home tab. The answer to the button's command opens in a view, because the Home tab can't show messages.
 */
export async function openAnswer(
  context: SlackContext,
  { action, body }: Click,
  caller: Caller,
): Promise<void> {
  const result = await context.inProgress.run(caller.actor, () =>
    runCommandLine(context, caller, action.value ?? ''),
  );
  if (result.kind !== 'report') return;
  const { blocks } = reportMessage(context, result.report, { shareable: false })(false);
  await context.api.openView(body.trigger_id, {
    type: 'modal',
    title: plain(result.report.title, limits.modalTitle),
    close: plain('Close', limits.modalButton),
    blocks: blocks.slice(1),
  });
}

const replacing: ReadonlySet<ReadActionId> = new Set([
  readActions.earlier,
  readActions.later,
  readActions.refresh,
  readActions.again,
]);

/**
 * Runs the command of a button under an answer. The command is authorized again, so the button shows people nothing that they may
 * not see.
 */
export async function handleReadButton(
  context: SlackContext,
  { action: { value }, clicked, place, responseUrl }: Click,
  caller: Caller,
  id: ReadActionId,
): Promise<void> {
  const action = parseReadAction(value);
  if (!action) return;
  // An answer for one person must not replace a message that the channel sees.
  const replaces = replacing.has(id) && (place.channel.startsWith('D') || (clicked?.isEphemeral ?? true));
  await answerCommand(
    context,
    { caller, responseUrl, replaces },
    {
      run: (as) => runCommandLine(context, as, action.words),
      show: async (to, result) => {
        if (result.kind === 'report') await show(context, to, { id, action, report: result.report });
      },
      again: { id: replacing.has(id) ? readActions.again : id, action },
      retried: id === readActions.again,
    },
  );
}

interface ReadAgain {
  readonly id: ReadActionId;
  readonly action: ReadAction;
  readonly report: Report;
}

async function show(
  context: SlackContext,
  recipient: Recipient,
  { id, action, report }: ReadAgain,
): Promise<void> {
  const { csv, document } = report;
  switch (id) {
    case 'read:earlier':
    case 'read:later':
    case 'read:refresh':
    case 'read:again':
      return answerPrivately(
        context,
        recipient,
        reportMessage(context, report, { ...action, shareable: true }),
      );
    case 'read:share': {
      const { actor, place } = recipient.caller;
      const status = `Shared by ${mention(actor)}`;
      const shared = reportMessage(context, report, { ...action, shareable: false, status });
      await withPlainBlocks(place.team, context.clock, shared, (message) =>
        context.api.postMessage(place.channel, message, place.thread),
      );
      return;
    }
    case 'read:csv':
      if (!csv) return;
      return sendFile(context, recipient, {
        name: csv.fileName,
        content: csvText(csv.columns, csv.rows),
        what: counted(csv.rows.length, 'row'),
      });
    case 'read:file':
      if (!document) return;
      return sendFile(context, recipient, {
        name: document.fileName,
        content: document.text,
        what: 'Markdown',
      });
  }
}

interface SentFile {
  readonly name: string;
  readonly content: string;
  /** For example `12 rows` or `Markdown`. */
  readonly what: string;
}

/** Sends the file as a direct message, because the answer was private too. */
async function sendFile(
  context: SlackContext,
  recipient: Recipient,
  { name, content, what }: SentFile,
): Promise<void> {
  const say = (text: string): Message => ({
    ...textMessage(safeText(text, limits.text), context.disclaimers),
    text,
  });
  const lacking = context.withheld?.().find(({ what: lost }) => lost === 'files');
  if (lacking) throw new BellhopError('configuration', withheldText(lacking));
  const { user } = recipient.caller.actor;
  const { channel } = await context.api.postMessage(user, say(`${name} (${what}):`));
  await context.api.uploadFile(channel, { name, title: name, content });
  await answerPrivately(context, recipient, () => say(`I sent you ${name} (${what}) in a DM.`));
}
