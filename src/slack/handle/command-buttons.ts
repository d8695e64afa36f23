import type { ModalView } from '@slack/types';

import { pressOffer } from '../../run/press-offer.ts';
import { type CommandResult, runCommandLine } from '../../run/run-command.ts';
import { csvText, type Report } from '../../model/values/report.ts';
import { actionLabelOf } from '../../command/grammar/registry.ts';
import type { Request } from '../../model/records/request.ts';
import { aboutText, signOf } from '../cards/card-words.ts';
import { counted } from '../../text/words.ts';
import { modal, textMessage, type Message } from '../render/blocks.ts';
import type { Caller } from '../../model/values/actor.ts';
import { badConfiguration } from '../../model/values/errors.ts';
import { withheldText } from '../../model/introspection.ts';
import { parseOfferValue } from '../messages/offers.ts';
import type { Click } from '../receive/dispatch.ts';
import { linkAddress, mention, safeText } from '../render/text.ts';
import { answerCommand } from './command.ts';
import { renderRefusal } from './refusal.ts';
import { answerPrivately, reportMessage, sayPrivately, showResult, withPlainBlocks } from './reply.ts';
import {
  copyView,
  type ReadAction,
  type ReadActionId,
  parseReadAction,
  readActions,
} from '../render/report.ts';
import { limits } from '../render/limits.ts';
import type { Recipient, SlackContext } from '../messages/context.ts';

/**
 * The handler of a button that runs a command as if typed, including the confirmation.
 * @param run gets the button's value
 */
export const runsCommand =
  (run: (context: SlackContext, caller: Caller, value: string) => Promise<CommandResult>) =>
  (context: SlackContext, { action, body, context: { caller, responseUrl } }: Click): Promise<void> =>
    answerCommand(
      context,
      { caller, responseUrl },
      { run: (as) => run(context, { ...as, button: '' }, action.value ?? ''), triggerId: body.trigger_id },
    );

/**
 * Runs the command as if typed in the offer's thread. If the message is in the channel, private answers go there, because the person may
 * not have the thread open.
 */
export async function handleOfferButton(
  context: SlackContext,
  { action, body, context: { caller, clicked, responseUrl } }: Click,
): Promise<void> {
  const press = parseOfferValue(action.value);
  const { place } = caller;
  const isInChannel = place.thread === undefined;
  const recipient: Recipient = {
    caller: { ...caller, place: { ...place, thread: place.thread ?? clicked?.ts } },
    responseUrl,
    opensThread: isInChannel,
  };
  await answerCommand(context, recipient, {
    run: (as) => pressOffer(context, context.offers, as, press),
    triggerId: body.trigger_id,
    async show(to, result) {
      await showResult(context, to, body.trigger_id, result);
      if (result.kind === 'request' && isInChannel) await linkToCard(context, recipient, result.request);
    },
  });
}

/** Privately, because the person may not have the card's thread open. */
async function linkToCard(context: SlackContext, recipient: Recipient, request: Request): Promise<void> {
  const link = await context.cards.link(request);
  if (link === undefined) return;
  const what = aboutText(request, actionLabelOf(context.registry.find(request.operation), request));
  const next = request.state === 'proposed' ? `Confirm ${what}` : `${what} is`;
  const text = `${signOf(request)} ${next} in the thread: <${linkAddress(link)}|Open the card>`;
  await sayPrivately(context, recipient, text);
}

/** Slack opens a view only within three seconds of the click, so the view opens empty and the answer fills it. */
async function openRead(
  context: SlackContext,
  { body, context: { caller } }: Click,
  words: string,
  draw: (report: Report) => ModalView | undefined,
): Promise<void> {
  const { api, disclaimers, inProgress } = context;
  const looking = modal('Looking…', textMessage('👀 Looking…', disclaimers).blocks);
  const id = await api.openView(body.trigger_id, looking);
  try {
    const result = await inProgress.run(caller.actor, () => runCommandLine(context, caller, words));
    const view = result.kind === 'report' ? draw(result.report) : undefined;
    if (view) await api.updateView(id, undefined, view);
  } catch (error) {
    await api.updateView(id, undefined, modal('No answer', renderRefusal(error, { disclaimers }).blocks));
    throw error;
  }
}

/** Opens a view, because the Home tab can't show messages. */
export const openAnswer = (context: SlackContext, click: Click): Promise<void> =>
  openRead(context, click, click.action.value ?? '', (report) => {
    const { blocks } = reportMessage(context, report, { typed: click.action.value, shareable: false })(false);
    return modal(report.title, blocks.slice(1));
  });

/** Runs the command again, so that times are in the zone of the person who clicked. */
export async function openCopy(context: SlackContext, click: Click): Promise<void> {
  const action = parseReadAction(click.action.value);
  if (action) await openRead(context, click, action.words, ({ document }) => document && copyView(document));
}

type ShowAgain = (
  context: SlackContext,
  recipient: Recipient,
  report: Report,
  action: ReadAction,
) => Promise<void>;

/**
 * The handler of a button under an answer. The command is authorized again, so the button shows nothing that the person may not see.
 * @param replacing whether the new answer replaces the old one
 */
export const readsAgain =
  (show: ShowAgain, replacing = false) =>
  async (
    context: SlackContext,
    { action: { value }, context: { caller, clicked, responseUrl } }: Click,
    id: ReadActionId,
  ): Promise<void> => {
    const action = parseReadAction(value);
    if (!action) return;
    // An answer for one person must not replace a message that the channel sees.
    const isPrivate = caller.place.channel.startsWith('D') || (clicked?.isEphemeral ?? true);
    const recipient = { caller, responseUrl, replaces: replacing && isPrivate };
    await answerCommand(context, recipient, {
      run: (as) => runCommandLine(context, as, action.words),
      show: async (to, result) => {
        if (result.kind === 'report') await show(context, to, result.report, action);
      },
      again: { id: replacing ? readActions.again : id, action },
      retried: id === readActions.again,
    });
  };

export const showPage: ShowAgain = (context, recipient, report, action) =>
  answerPrivately(context, recipient, reportMessage(context, report, { ...action, shareable: true }));

export const shareAnswer: ShowAgain = async (context, { caller: { actor, place } }, report, action) => {
  const status = `Shared by ${mention(actor)}`;
  const shared = reportMessage(context, report, { ...action, shareable: false, status });
  await withPlainBlocks(context.clock, shared, (message) =>
    context.api.postMessage(place.channel, message, place.thread),
  );
};

export const sendRows: ShowAgain = async (context, recipient, { csv }) => {
  if (!csv) return;
  const content = csvText(csv.columns, csv.rows);
  await sendFile(context, recipient, csv.fileName, content, counted(csv.rows.length, 'row'));
};

export const sendDocument: ShowAgain = async (context, recipient, { document }) => {
  if (document) await sendFile(context, recipient, document.fileName, document.text, 'Markdown');
};

/** As a direct message, because the answer was private too. @param what for example `12 rows` or `Markdown` */
async function sendFile(
  context: SlackContext,
  recipient: Recipient,
  name: string,
  content: string,
  what: string,
): Promise<void> {
  const say = (text: string): Message => ({
    ...textMessage(safeText(text, limits.text), context.disclaimers),
    text,
  });
  const lacking = context.withheld?.().find(({ what: lost }) => lost === 'files');
  if (lacking) throw badConfiguration(withheldText(lacking));
  const { user } = recipient.caller.actor;
  const { channel } = await context.api.postMessage(user, say(`${name} (${what}):`));
  await context.api.uploadFile(channel, { name, title: name, content });
  await answerPrivately(context, recipient, () => say(`I sent you ${name} (${what}) in a DM.`));
}
