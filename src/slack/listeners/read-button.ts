import { csvText } from '../../core/model/csv.ts';
import type { Report } from '../../core/model/report.ts';
import { contextBlock, section } from '../render/blocks.ts';
import type { Caller } from '../../core/model/actor.ts';
import type { ClickPayload } from '../receive/payloads.ts';
import { safeText } from '../render/escape.ts';
import { answerPrivately, type Recipient } from './reply.ts';
import { withPlainBlocks } from '../render/plain-blocks.ts';
import { parseReadAction, type ReadAction, type ReadActionId } from '../render/report/read-actions.ts';
import { limits } from '../render/limits.ts';
import { noticeLines, renderReport } from '../render/report/report.ts';
import type { SlackContext } from './context.ts';

/** A button under an answer: the command is authorized and run anew, so it shows nobody what they may not see. */
export async function handleReadButton(
  context: SlackContext,
  click: ClickPayload,
  caller: Caller,
  id: ReadActionId,
): Promise<void> {
  const action = parseReadAction(click.action.value);
  const [command = '', ...rest] = action?.words.split(' ') ?? [];
  if (!action || !command.startsWith('/')) return;
  const result = await context.bellhop.runTypedCommand(caller, command.slice(1), rest.join(' '));
  if (result.kind !== 'report') return;
  const recipient: Recipient = { caller, responseUrl: click.responseUrl };
  switch (id) {
    case 'read:earlier':
    case 'read:later':
    case 'read:refresh':
      return replace(context, click, caller, action, result.report);
    case 'read:share':
      return share(context, caller, action, result.report);
    case 'read:csv':
      return result.report.csv && sendFile(context, recipient, csvFile(result.report.csv));
    case 'read:file':
      return result.report.document && sendFile(context, recipient, documentFile(result.report.document));
  }
}

const rendering =
  (context: SlackContext, action: ReadAction, report: Report, shareable: boolean) => (modern: boolean) =>
    renderReport(report, {
      page: action.page,
      words: action.words,
      shareable,
      modern,
      now: context.clock.now(),
      notices: context.notices,
    });

async function replace(
  context: SlackContext,
  { body, responseUrl }: ClickPayload,
  caller: Caller,
  action: ReadAction,
  report: Report,
): Promise<void> {
  const render = rendering(context, action, report, true);
  // What one person may see is not for all who see a message in the channel.
  const isPrivate = body.container?.is_ephemeral ?? true;
  if (responseUrl === undefined || !isPrivate)
    return answerPrivately(context, { caller, responseUrl }, render);
  await withPlainBlocks(caller.place.team, context.clock, render, (message) =>
    context.api.respond(responseUrl, { ...message, replaceOriginal: true }),
  );
}

async function share(
  context: SlackContext,
  caller: Caller,
  action: ReadAction,
  report: Report,
): Promise<void> {
  await withPlainBlocks(
    caller.place.team,
    context.clock,
    rendering(context, action, report, false),
    (message) => context.api.postMessage(caller.place.channel, message, caller.place.thread),
  );
}

interface SentFile {
  readonly name: string;
  readonly content: string;
  /** What it holds: `all 3 rows as CSV`. */
  readonly what: string;
}

const csvFile = ({ fileName, columns, rows }: NonNullable<Report['csv']>): SentFile => ({
  name: fileName,
  content: csvText(columns, rows),
  what: `all ${rows.length} rows as CSV`,
});

const documentFile = ({ fileName, text }: NonNullable<Report['document']>): SentFile => ({
  name: fileName,
  content: text,
  what: 'the whole as Markdown',
});

/** The file goes to the person alone, in their conversation with the app: the answer was private too. */
async function sendFile(
  context: SlackContext,
  recipient: Recipient,
  { name, content, what }: SentFile,
): Promise<void> {
  const text = `${name}: ${what}.`;
  const notices = context.notices.length === 0 ? [] : [contextBlock(noticeLines(context.notices))];
  const { channel } = await context.api.postMessage(recipient.caller.actor.user, {
    text,
    blocks: [section(safeText(text, limits.text)), ...notices],
  });
  await context.api.uploadFile(channel, { name, title: name, content });
  const there = `${name} (${what}) is in your conversation with me.`;
  await answerPrivately(context, recipient, () => ({
    text: there,
    blocks: [section(safeText(there, limits.text)), ...notices],
  }));
}
