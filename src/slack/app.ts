import {
  App,
  type BlockAction,
  type ButtonAction,
  type MessageShortcut,
  type Receiver,
  type ViewSubmitAction,
} from '@slack/bolt';

import type { Caller } from '../model/values/actor.ts';
import type { Log } from '../model/ports.ts';
import { clickActions, rolloutActions } from '../model/records/request.ts';
import { dismissSuggestion } from '../run/from-message.ts';
import { runAgain, runCommandLine } from '../run/run-command.ts';
import { breakGlassAction, detailsAction } from './cards/render-card.ts';
import { reviewAction } from './cards/review.ts';
import { redrawForm } from './forms/open-form.ts';
import { signInAction } from './forms/sign-in.ts';
import { openBreakGlass, openReview, openSettle } from './forms/request-forms.ts';
import type { ReceivedContext } from './receive/dispatch.ts';
import type { AcceptedDelivery } from './receive/inbox.ts';
import { callerOf, type Click, type Sender } from './receive/payloads.ts';
import { sdkLogger } from './web-api/web-client.ts';
import {
  handleCardButton,
  handleCheckNow,
  handleRolloutButton,
  openDetails,
  openInspection,
} from './handle/card-buttons.ts';
import { handleCommand } from './handle/command.ts';
import { handleAlertButton, handleReadButton, openAnswer, runsCommand } from './handle/command-buttons.ts';
import { handleForm, suggest } from './handle/form.ts';
import { homeActions, showHome } from './handle/home.ts';
import { handleMessage } from './handle/message.ts';
import { refusePrivately } from './handle/reply.ts';
import { handleShortcut, runOnThisForm } from './handle/run-on-this.ts';
import type { SlackContext } from './messages/context.ts';
import { alertActions } from './messages/render-alert.ts';
import { dismissAction } from './messages/render-suggestion.ts';
import { nextActions, readActionIds } from './render/report.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: () => string;
  readonly botUserId: string;
  readonly log: Log;
  readonly context: SlackContext;
}

/**
 * The Bolt app, with one listener for each kind of payload. The receiver has already checked, recorded and acknowledged each
 * payload. Forms and selects are acknowledged in this file.
 */
export function createApp({ receiver, botToken, botUserId, log, context: slack }: AppPorts): App {
  const app = new App({
    receiver,
    // The token belongs to one workspace, so no payload needs a look-up.
    authorize: () => Promise.resolve({ botToken: botToken(), botUserId, botId: botUserId }),
    ignoreSelf: false,
    // With a store, Bolt would look up every conversation. Bellhop keeps no state in Bolt.
    convoStore: false,
    attachFunctionToken: false,
    logger: sdkLogger(log, 'bolt'),
  });
  app.command<ReceivedContext>(/^\//u, async ({ command, context: { received } }) =>
    handleCommand(slack, command, senderOf(received), await received.accept()),
  );
  app.action<BlockAction<ButtonAction>, ReceivedContext>(
    /^/u,
    async ({ action, body, context: { received } }) =>
      handleButton(slack, { ...senderOf(received), action, body }, await received.accept()),
  );
  app.shortcut<MessageShortcut, ReceivedContext>(runOnThisForm, async ({ shortcut, context: { received } }) =>
    handleShortcut(slack, shortcut, senderOf(received), await received.accept()),
  );
  app.view<ViewSubmitAction, ReceivedContext>(
    { callback_id: /^/u, type: 'view_submission' },
    ({ view, context: { received }, ack }) =>
      handleForm(slack, { ...senderOf(received), view }, received.accept, ack),
  );
  app.options<'block_suggestion', ReceivedContext>(/^/u, async ({ options, context: { received }, ack }) =>
    ack({ options: await suggest(slack, options, senderOf(received)) }),
  );
  app.event<'app_home_opened', ReceivedContext>('app_home_opened', ({ context: { received } }) =>
    showHome(slack, received.sender),
  );
  app.event<RegExp, ReceivedContext>(/^(?:app_mention|message)$/u, async ({ context: { received } }) => {
    const { message, accept } = received;
    if (message) await handleMessage(slack, botUserId, message, senderOf(received), await accept());
  });
  return app;
}

/** @throws Error if the receiver found no sender */
function senderOf({ sender }: ReceivedContext['received']): Sender {
  if (sender) return sender;
  throw new Error('a payload that no person sent was routed to a listener for people');
}

type Listener<Id> = (context: SlackContext, click: Click, caller: Caller, id: Id) => Promise<void>;

const forEach = <Id extends string>(ids: readonly Id[], listener: Listener<Id>) =>
  ids.map((id): [string, Listener<void>] => [
    id,
    (context, click, caller) => listener(context, click, caller, id),
  ]);

/** The listener of each button. A click on any other button in a modal changes the modal's form. */
const buttons = new Map<string, Listener<void>>([
  ...forEach(clickActions, handleCardButton),
  ...forEach(rolloutActions, handleRolloutButton),
  ...forEach(readActionIds.options, handleReadButton),
  ...forEach(nextActions, runsCommand(runCommandLine)),
  ...forEach(alertActions, handleAlertButton),
  ...forEach(homeActions, openAnswer),
  [detailsAction, openDetails],
  ['inspect', openInspection],
  ['again', runsCommand(runAgain)],
  ['check', handleCheckNow],
  ['settle', openSettle],
  [reviewAction, openReview],
  [breakGlassAction, openBreakGlass],
  [signInAction, () => Promise.resolve()],
  // The message itself says that it was dismissed.
  [
    dismissAction,
    (context, { action }, caller) =>
      context.inProgress.run(caller.actor, () => dismissSuggestion(context, caller, action.value ?? '')),
  ],
]);

/**
 * Handles an acknowledged click. A click that does nothing gets a private answer with the reason, except the requester's own
 * double click.
 */
async function handleButton(context: SlackContext, click: Click, accepted: AcceptedDelivery): Promise<void> {
  const caller = callerOf(context, click, accepted);
  const { action, body, responseUrl } = click;
  try {
    const listener = buttons.get(action.action_id);
    if (listener) await listener(context, click, caller);
    else if (body.view?.type === 'modal') await redrawForm(context, caller, body.view, click);
    else context.log.warn({ actionId: action.action_id }, 'click on an unknown button');
  } catch (error) {
    await refusePrivately(context, { caller, responseUrl }, error);
  }
}
