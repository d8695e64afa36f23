import { receiveAlerts } from '../alerts/receive.ts';
import { createHooksRoute } from '../alerts/sources/hooks-route.ts';
import type { DueQueue } from '../due/queue.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import { createAlertHandler } from '../slack/messages/alert-sync.ts';
import { alertRenderer } from '../slack/messages/render-alert.ts';
import type { NamedRoute } from '../slack/receive/server.ts';
import type { Store } from '../store/store.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Observer } from './health/observer.ts';

interface HookParts {
  readonly store: Store;
  readonly slack: Pick<SlackConnection, 'lanes' | 'stopping'>;
  readonly observer: Pick<Observer, 'hooks'>;
}

/** The way of alerts: in by the route, out by the messages that are kept like what is stored. */
export function connectHooks(
  queue: DueQueue,
  context: SlackContext,
  { store, slack, observer }: HookParts,
): NamedRoute {
  const { clock, log, rulebook, resolveSecret } = context;
  const api = slack.lanes.background;
  queue.handle('alert', createAlertHandler({ api, store, clock, render: alertRenderer(context) }));
  return createHooksRoute({
    hooks: () => rulebook().hooks,
    inventory: () => rulebook().inventory,
    resolveSecret,
    receive: (name, hook, update) => receiveAlerts(context, name, hook, update),
    stopping: () => slack.stopping(),
    clock,
    log,
    onDelivery: observer.hooks.onDelivery,
  });
}
