import { App, type Receiver, type ViewSubmitAction } from '@slack/bolt';

import type { Log } from '../../core/model/ports.ts';
import { boltLogger } from '../web-api/bolt-logger.ts';
import { onButton } from './button.ts';
import { onCommand } from './command.ts';
import { onForm } from './form.ts';
import { onHome } from './home.ts';
import { onSuggestion } from './suggestions.ts';
import type { Surface } from './context.ts';

interface AppPorts {
  readonly receiver: Receiver;
  readonly botToken: string;
  readonly botUserId: string;
  readonly log: Log;
  readonly surface: Surface;
}

/**
 * Slack's payloads, one listener a kind. The receiver has checked and acknowledged them before; what is in them is looked
 * up in maps, so that a tenth operation costs no more than the first.
 */
export function createApp({ receiver, botToken, botUserId, log, surface }: AppPorts): App {
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
  app.command(/^\//u, ({ body }) => onCommand(surface, body));
  app.action(/^/u, ({ body }) => onButton(surface, body));
  app.view<ViewSubmitAction>({ callback_id: /^/u, type: 'view_submission' }, ({ body, ack }) =>
    onForm(surface, body, ack),
  );
  app.options(/^/u, ({ body, ack }) => onSuggestion(surface, body, ack));
  app.event('app_home_opened', ({ body }) => onHome(surface, body));
  return app;
}
