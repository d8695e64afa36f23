import { receiveAlerts } from '../alerts/receive.ts';
import type { Context } from '../model/context.ts';
import { createHooksRoute } from '../alerts/sources/hooks-route.ts';
import type { Handler } from '../due/work.ts';
import { createAlertHandler } from '../slack/messages/alert-sync.ts';
import { alertRenderer } from '../slack/messages/render-alert.ts';
import type { NamedRoute } from '../slack/receive/server.ts';
import type { Store } from '../store/store.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { HooksHealth } from './health/hooks-health.ts';

interface HookParts {
  readonly context: Context;
  readonly store: Store;
  readonly slack: Pick<SlackConnection, 'lanes' | 'stopping'>;
  readonly notices: readonly string[];
  readonly observer: { readonly hooks: Pick<HooksHealth, 'delivery'> };
}

/** The way of alerts: in by the route, out by the messages that are kept like what is stored. */
export function connectHooks({ context, store, slack, notices, observer }: HookParts): {
  readonly hooks: NamedRoute;
  readonly alertHandler: Handler;
} {
  const { clock, log } = context;
  return {
    hooks: createHooksRoute({
      hooks: () => context.rulebook().hooks,
      inventory: () => context.rulebook().inventory,
      resolveSecret: context.resolveSecret,
      receive: (name, hook, update) => receiveAlerts(context, name, hook, update),
      stopping: () => slack.stopping(),
      clock,
      log,
      onDelivery: (name, outcome, problem) => observer.hooks.delivery(name, outcome, problem),
    }),
    alertHandler: createAlertHandler({
      api: slack.lanes.background,
      store,
      clock,
      render: alertRenderer({ ...context, notices }),
    }),
  };
}
