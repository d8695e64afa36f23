import { App, type SlackShortcut, type Receiver, type SlackAction, type ViewSubmitAction } from '@slack/bolt';

import type { Log } from '../model/ports.ts';
import { runOnThisForm } from './forms/run-on-this.ts';
import type { ReceivedContext } from './receive/dispatch.ts';
import type { HandledPayload } from './receive/payloads.ts';
import { sdkLogger } from './web-api/web-client.ts';
import { handleButton } from './handle/buttons/button.ts';
import { handleCommand } from './handle/command.ts';
import { handleForm } from './handle/form.ts';
import { handleHomeOpened } from './handle/home.ts';
import { handleMessage } from './handle/message.ts';
import { handleShortcut } from './handle/shortcut.ts';
import { suggest } from './handle/suggestions.ts';
import type { SlackContext } from './messages/context.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: string;
  readonly botUserId: string;
  readonly log: Log;
  readonly context: SlackContext;
}

/**
 * Slack's payloads, one listener a kind. The receiver has parsed, recorded and acknowledged them before, except that a
 * form and a select are acknowledged here. Which operation or button it is about is looked up in maps.
 */
export function createApp({ receiver, botToken, botUserId, log, context: slack }: AppPorts): App {
  const app = new App({
    receiver,
    // The one workspace that the token belongs to: nothing to look up a payload.
    authorize: () => Promise.resolve({ botToken, botUserId, botId: botUserId }),
    ignoreSelf: false,
    // It would look every conversation up; nothing here keeps state in Bolt.
    convoStore: false,
    attachFunctionToken: false,
    logger: sdkLogger(log, 'bolt'),
  });
  app.command<ReceivedContext>(/^\//u, async ({ context: { received } }) =>
    handleCommand(slack, payloadOf(received, 'command'), await received.accept()),
  );
  app.action<SlackAction, ReceivedContext>(/^/u, async ({ context: { received } }) =>
    handleButton(slack, payloadOf(received, 'block_actions'), await received.accept()),
  );
  app.shortcut<SlackShortcut, ReceivedContext>(runOnThisForm, async ({ context: { received } }) =>
    handleShortcut(slack, payloadOf(received, 'message_action'), await received.accept()),
  );
  app.view<ViewSubmitAction, ReceivedContext>(
    { callback_id: /^/u, type: 'view_submission' },
    ({ context: { received }, ack }) =>
      handleForm(slack, payloadOf(received, 'view_submission'), received.accept, ack),
  );
  app.options<'block_suggestion', ReceivedContext>(/^/u, ({ context: { received }, ack }) =>
    suggest(slack, payloadOf(received, 'block_suggestion'), ack),
  );
  app.event<'app_home_opened', ReceivedContext>('app_home_opened', ({ context: { received } }) =>
    handleHomeOpened(slack, payloadOf(received, 'event_callback')),
  );
  app.event<RegExp, ReceivedContext>(/^(?:app_mention|message)$/u, async ({ context: { received } }) => {
    const { payload, accept } = received;
    if (isOfKind(payload, 'message')) await handleMessage(slack, botUserId, payload, await accept());
  });
  return app;
}

type OfKind<Kind> = Extract<HandledPayload, { readonly kind: Kind }>;

const isOfKind = <Kind extends HandledPayload['kind']>(
  payload: HandledPayload,
  kind: Kind,
): payload is OfKind<Kind> => payload.kind === kind;

/** @throws Error where Bolt takes a payload for another kind than the receiver */
function payloadOf<Kind extends HandledPayload['kind']>(
  { payload }: ReceivedContext['received'],
  kind: Kind,
): OfKind<Kind> {
  if (isOfKind(payload, kind)) return payload;
  throw new Error(`a ${payload.kind} payload was routed to the listener for ${kind}`);
}
