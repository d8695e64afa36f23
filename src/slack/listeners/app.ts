import { App, type Receiver, type ViewSubmitAction } from '@slack/bolt';

import type { Log } from '../../core/model/ports.ts';
import { boltLogger } from '../web-api/bolt-logger.ts';
import { handleButton } from './button.ts';
import { handleCommand } from './command.ts';
import { handleForm } from './form.ts';
import { handleHomeOpened } from './home.ts';
import { suggest } from './suggestions.ts';
import type { SlackContext } from './context.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: string;
  readonly botUserId: string;
  readonly log: Log;
  readonly context: SlackContext;
}

/**
 * Slack's payloads, one listener a kind. The receiver has checked and acknowledged them before; what is in them is looked
 * up in maps, so that a tenth operation costs no more than the first.
 */
export function createApp({ receiver, botToken, botUserId, log, context }: AppPorts): App {
  const app = new App({
    receiver,
    // The one workspace that the token belongs to: nothing to look up a payload.
    authorize: () => Promise.resolve({ botToken, botUserId, botId: botUserId }),
    ignoreSelf: false,
    // It would look every conversation up; nothing here keeps state in Bolt.
    convoStore: false,
    attachFunctionToken: false,
    logger: boltLogger(log),
  });
  app.command(/^\//u, ({ body }) => handleCommand(context, body));
  app.action(/^/u, ({ body }) => handleButton(context, body));
  app.view<ViewSubmitAction>({ callback_id: /^/u, type: 'view_submission' }, ({ body, ack }) =>
    handleForm(context, body, ack),
  );
  app.options(/^/u, ({ body, ack }) => suggest(context, body, ack));
  app.event('app_home_opened', ({ body }) => handleHomeOpened(context, body));
  return app;
}
