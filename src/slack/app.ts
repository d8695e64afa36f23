import {
  App,
  type BlockAction,
  type ButtonAction,
  type MessageShortcut,
  type Receiver,
  type ViewSubmitAction,
} from '@slack/bolt';

import type { Log } from '../model/ports.ts';
import type { ReceivedContext } from './receive/dispatch.ts';
import type { Sender } from './receive/payloads.ts';
import { sdkLogger } from './web-api/web-client.ts';
import { handleButton } from './handle/button.ts';
import { handleCommand } from './handle/command.ts';
import { handleForm, suggest } from './handle/form.ts';
import { handleHomeOpened } from './handle/home.ts';
import { handleMessage } from './handle/message.ts';
import { handleShortcut, runOnThisForm } from './handle/run-on-this.ts';
import type { SlackContext } from './messages/context.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: () => string;
  readonly botUserId: string;
  readonly log: Log;
  readonly context: SlackContext;
}

/**
 * One listener for each kind of payload. The receiver has already checked, recorded and acknowledged it, except that forms
 * and selects are acknowledged here. Operations and buttons are looked up in maps.
 */
export function createApp({ receiver, botToken, botUserId, log, context: slack }: AppPorts): App {
  const app = new App({
    receiver,
    // The token belongs to one workspace, so no payload needs a look-up.
    authorize: () => Promise.resolve({ botToken: botToken(), botUserId, botId: botUserId }),
    ignoreSelf: false,
    // It would look up every conversation; nothing here keeps state in Bolt.
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
  app.options<'block_suggestion', ReceivedContext>(/^/u, ({ options, context: { received }, ack }) =>
    suggest(slack, options, senderOf(received), ack),
  );
  app.event<'app_home_opened', ReceivedContext>('app_home_opened', ({ context: { received } }) =>
    handleHomeOpened(slack, received.sender),
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
