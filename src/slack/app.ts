import {
  App,
  type BlockAction,
  type ButtonAction,
  type MessageShortcut,
  type Receiver,
  type ViewSubmitAction,
} from '@slack/bolt';

import { clickActions } from '../model/records/request.ts';
import { badInput, type BellhopError } from '../model/values/errors.ts';
import { runAgain, runCommandLine } from '../run/run-command.ts';
import { detailsAction } from './cards/render-card.ts';
import { againActions } from './cards/whole-card.ts';
import { valueAction } from './forms/form-input.ts';
import { rowActions } from './forms/form-rows.ts';
import { redrawForm } from './forms/open-form.ts';
import { operationForm } from './forms/render-form.ts';
import { openSettle, requestForms } from './forms/request-forms.ts';
import { handleCardButton, handleCheckNow, openDetails } from './handle/card-buttons.ts';
import { handleCommand } from './handle/command.ts';
import {
  handleOfferButton,
  openAnswer,
  openCopy,
  readsAgain,
  runsCommand,
  sendDocument,
  sendRows,
  shareAnswer,
  showPage,
} from './handle/command-buttons.ts';
import { runForm, suggest } from './handle/form.ts';
import { homeActions, homeRefresh, renewHome, showHome } from './handle/home.ts';
import { handleMessage } from './handle/message.ts';
import { refusalMessage } from './handle/reply.ts';
import { answerPress, openInspection } from './handle/review.ts';
import { handleShortcut, runOnThisForm, submitRunOnThis } from './handle/run-on-this.ts';
import type { SlackContext } from './messages/context.ts';
import { offerActions } from './messages/offers.ts';
import type { Click, ReceivedContext, SubmittedForm } from './receive/dispatch.ts';
import { plain, section } from './render/blocks.ts';
import { limits } from './render/limits.ts';
import { nextActions, readActions } from './render/report.ts';
import { sdkLogger } from './web-api/web-client.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: () => string;
  readonly botUserId: string;
  readonly context: SlackContext;
}

/** Creates the Bolt app, with a listener for each button and form. Except for forms and selects, payloads arrive acknowledged. */
export function createApp({ receiver, botToken, botUserId, context: slack }: AppPorts): void {
  const app = new App<ReceivedContext>({
    receiver,
    // Bellhop has one token for one workspace, so Bolt need not look one up for each payload.
    authorize: () => Promise.resolve({ botToken: botToken(), botUserId, botId: botUserId }),
    ignoreSelf: false,
    // Otherwise Bolt would look up every conversation. Bellhop keeps no state in Bolt.
    convoStore: false,
    attachFunctionToken: false,
    logger: sdkLogger(slack.log, 'bolt'),
  });
  // One listener for all slash commands, so that the grammar answers unknown ones.
  app.command(/^\//u, ({ command, context }) => handleCommand(slack, command, context));
  app.event(/^(?:app_mention|message)$/u, ({ context }) => handleMessage(slack, botUserId, context));
  app.event('app_home_opened', ({ context }) => showHome(slack, context.caller));
  app.options(valueAction, async ({ options, context, ack }) =>
    ack({ options: await suggest(slack, options, context) }),
  );
  app.shortcut<MessageShortcut>(runOnThisForm, ({ shortcut, context }) =>
    handleShortcut(slack, shortcut, context),
  );
  listenToForms(app, slack);
  listenToButtons(app, slack);
}

function listenToForms(app: App<ReceivedContext>, slack: SlackContext): void {
  const known = new Set<string>();
  const on = (id: string, listener: (context: SlackContext, form: SubmittedForm) => Promise<void>): void => {
    app.view<ViewSubmitAction>(id, async (form) => {
      await listener(slack, form);
      await renewHome(slack, form.context.caller);
    });
    known.add(id);
  };
  on(operationForm, runForm);
  on(runOnThisForm, submitRunOnThis);
  for (const [id, submit] of Object.entries({ ...requestForms, ...slack.forms })) on(id, submit);
  app.view<ViewSubmitAction>(/^/u, async ({ view, ack }) => {
    if (known.has(view.callback_id)) return;
    slack.log.warn({ callbackId: view.callback_id }, 'an unknown form was submitted');
    const title = plain('Nothing was done', limits.modalTitle);
    const blocks = [section(fromAnotherVersion('form').message)];
    await ack({ response_action: 'update', view: { type: 'modal', title, blocks } });
  });
}

function listenToButtons(app: App<ReceivedContext>, slack: SlackContext): void {
  const known = new Set<string>();
  const on = <Id extends string>(
    ids: readonly Id[],
    listener: (context: SlackContext, click: Click, id: Id) => Promise<void>,
  ): void => {
    for (const id of ids) {
      app.action<BlockAction<ButtonAction>>(id, (click) =>
        answered(slack, click, () => listener(slack, click, id)),
      );
      known.add(id);
    }
  };
  const { earlier, later, refresh, again, share, csv, file, copy } = readActions;
  on(clickActions, handleCardButton);
  on([earlier, later, refresh, again], readsAgain(showPage, true));
  on([share], readsAgain(shareAnswer));
  on([csv], readsAgain(sendRows));
  on([file], readsAgain(sendDocument));
  on([copy], openCopy);
  on(nextActions, runsCommand(runCommandLine));
  on(offerActions, handleOfferButton);
  on(homeActions, openAnswer);
  on([homeRefresh], () => Promise.resolve());
  on([detailsAction], openDetails);
  on(['inspect'], openInspection);
  on(againActions, runsCommand(runAgain));
  on(['check'], handleCheckNow);
  on(['settle'], openSettle);
  on(
    slack.gates.map(({ name }) => name),
    () => Promise.resolve(),
  );
  for (const [id, press] of Object.entries(slack.buttons)) on([id], press);
  on([valueAction, ...Object.values(rowActions)], redrawForm);
  app.action<BlockAction<ButtonAction>>(/^/u, async (click) => {
    const { action_id: actionId } = click.action;
    if (known.has(actionId)) return;
    slack.log.warn({ actionId }, 'click on an unknown button');
    await answered(slack, click, () => Promise.reject(fromAnotherVersion('button')));
  });
}

async function answered(slack: SlackContext, click: Click, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await answerPress(slack, click, await refusalMessage(slack, click.context.caller, error));
  }
  await renewHome(slack, click.context.caller);
}

const fromAnotherVersion = (what: string): BellhopError =>
  badInput(`This ${what} is from another version of Bellhop. Nothing was done. Type the command instead.`);
