import { runCommandLine, runTypedCommand, type CommandResult } from '../../run/run-command.ts';
import { csvText, type Report } from '../../model/report.ts';
import { counted } from '../../text/words.ts';
import { plain, textMessage, type Message } from '../render/blocks.ts';
import type { Actor, Caller } from '../../model/actor.ts';
import { BellhopError } from '../../model/errors.ts';
import { withheldText } from '../../model/introspection.ts';
import type { Click } from '../receive/payloads.ts';
import { mention, safeText } from '../render/text.ts';
import { answerCommand } from './command.ts';
import { answerPrivately, showResult, withPlainBlocks } from './reply.ts';
import {
  type ReadAction,
  type ReadActionId,
  parseReadAction,
  readActions,
  renderReport,
} from '../render/report/report.ts';
import { limits } from '../render/limits.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';

/** A button under an answer authorizes and runs its command again, so it shows no one what they may not see. */
export async function handleReadButton(
  context: SlackContext,
  click: Click,
  caller: Caller,
  id: ReadActionId,
): Promise<void> {
  const action = parseReadAction(click.action.value);
  const [command = '', ...rest] = action?.words.split(' ') ?? [];
  if (!action || !command.startsWith('/')) return;
  await answerCommand(context, recipientOf(click, caller, id), {
    run: (as) => runTypedCommand(context, as, command.slice(1), rest.join(' ')),
    show: (to, result) => show(context, to, { id, action, result }),
    again: { id: replacing.has(id) ? readActions.again : id, action },
    retried: id === readActions.again,
  });
}

/** Their answers replace the clicked message. */
const replacing: ReadonlySet<ReadActionId> = new Set([
  'read:earlier',
  'read:later',
  'read:refresh',
  'read:again',
]);

/** An answer for one person must not replace a message that the channel sees. */
const recipientOf = (
  { clicked, place, responseUrl }: Click,
  caller: Caller,
  id: ReadActionId,
): Recipient => ({
  caller,
  responseUrl,
  replaces: replacing.has(id) && (place.channel.startsWith('D') || (clicked?.isEphemeral ?? true)),
});

interface ButtonResult {
  readonly id: ReadActionId;
  readonly action: ReadAction;
  readonly result: CommandResult;
}

async function show(
  context: SlackContext,
  recipient: Recipient,
  { id, action, result }: ButtonResult,
): Promise<void> {
  if (result.kind !== 'report') return undefined;
  const { report } = result;
  switch (id) {
    case 'read:earlier':
    case 'read:later':
    case 'read:refresh':
    case 'read:again':
      return answerPrivately(context, recipient, rendering(context, action, report));
    case 'read:share':
      return share(context, recipient.caller, action, report);
    case 'read:csv':
      return report.csv && sendFile(context, recipient, csvFile(report.csv));
    case 'read:file':
      return report.document && sendFile(context, recipient, documentFile(report.document));
  }
}

const rendering =
  (context: SlackContext, action: ReadAction, report: Report, sharedBy?: Actor) => (modern: boolean) =>
    renderReport(report, {
      page: action.page,
      words: action.words,
      shareable: sharedBy === undefined,
      status: sharedBy && `Shared by ${mention(sharedBy)}`,
      modern,
      now: context.clock.now(),
      notices: context.notices,
    });

async function share(
  context: SlackContext,
  caller: Caller,
  action: ReadAction,
  report: Report,
): Promise<void> {
  await withPlainBlocks(
    caller.place.team,
    context.clock,
    rendering(context, action, report, caller.actor),
    (message) => context.api.postMessage(caller.place.channel, message, caller.place.thread),
  );
}

interface SentFile {
  readonly name: string;
  readonly content: string;
  /** `12 rows`, `Markdown` */
  readonly what: string;
}

const csvFile = ({ fileName, columns, rows }: NonNullable<Report['csv']>): SentFile => ({
  name: fileName,
  content: csvText(columns, rows),
  what: counted(rows.length, 'row'),
});

const documentFile = ({ fileName, text }: NonNullable<Report['document']>): SentFile => ({
  name: fileName,
  content: text,
  what: 'Markdown',
});

/** Sends the file as a direct message, because the answer was private too. */
async function sendFile(
  context: SlackContext,
  recipient: Recipient,
  { name, content, what }: SentFile,
): Promise<void> {
  const say = (text: string): Message => ({
    ...textMessage(safeText(text, limits.text), context.notices),
    text,
  });
  const lacking = context.withheld?.().find(({ what: lost }) => lost === 'files');
  if (lacking) throw new BellhopError('configuration', withheldText(lacking));
  const { user } = recipient.caller.actor;
  const { channel } = await context.api.postMessage(user, say(`${name} (${what}):`));
  await context.api.uploadFile(channel, { name, title: name, content });
  await answerPrivately(context, recipient, () => say(`I sent ${name} (${what}) to your DM.`));
}

/** A button of the Home tab: the answer to its command in a view, because Home has no room for messages. */
export async function openAnswer(
  context: SlackContext,
  { action, body }: Click,
  caller: Caller,
): Promise<void> {
  const result = await context.inProgress.run(caller.actor, () =>
    runCommandLine(context, caller, action.value ?? ''),
  );
  if (result.kind !== 'report') return;
  const { clock, notices } = context;
  const { blocks } = renderReport(result.report, {
    shareable: false,
    modern: false,
    now: clock.now(),
    notices,
  });
  await context.api.openView(body.trigger_id, {
    type: 'modal',
    title: plain(result.report.title, limits.modalTitle),
    close: plain('Close', limits.modalButton),
    blocks: blocks.slice(1),
  });
}

/** A command that follows from an answer: the same as if the person had typed it, confirmation included. */
export async function runNext(
  context: SlackContext,
  { action, body, responseUrl }: Click,
  caller: Caller,
): Promise<void> {
  const to = { caller, responseUrl };
  await answerCommand(context, to, {
    run: (as) => runCommandLine(context, as, action.value ?? ''),
    show: (where, result) => showResult(context, where, body.trigger_id, result),
  });
}
