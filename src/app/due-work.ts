import type { Handler } from '../model/records/due.ts';
import type { SecretResolver } from '../config/environment/secrets.ts';
import type { DueQueue } from '../due/queue.ts';
import { type Context, type Log, type RunnerContext, type Schedules, within } from '../model/ports.ts';
import { createDeadlineHandler } from '../request/deadline.ts';
import { createApproversHandler } from '../request/further-approvers.ts';
import { createRolloutHandler } from '../request/rollout/drive.ts';
import { createWatchHandler } from '../request/outcome/watch.ts';
import { type CardSync, createCardSync } from '../slack/cards/card-sync.ts';
import { createNoticeHandler } from '../slack/cards/notice.ts';
import { cardRenderer } from '../slack/cards/render-card.ts';
import { createReviewHandler } from '../slack/cards/review.ts';
import { type Inbox, createInterruptionHandler } from '../slack/receive/inbox.ts';
import type { Store } from '../store/store.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';
import { readVersion, systemClock } from './process/this-process.ts';
import { atHooks, createHooksRoute } from '../features/alerts/sources/hooks-route.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import { createOfferHandler } from '../slack/messages/offer-sync.ts';
import type { Route } from '../slack/receive/server.ts';
import { createExpiryHandler } from '../features/agents/suggestion-bounds.ts';
import { atAgents, createAgentsRoute } from '../features/agents/route.ts';
import { agentsSection } from '../features/agents/section.ts';
import { offerKind, type OfferMessage } from '../model/records/offer.ts';

interface ShownParts extends Pick<Context, 'registry' | 'rulebook'> {
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly log: Log;
  readonly endpoints: Pick<Endpoints, 'disclaimers'>;
  readonly inbox: Inbox;
  readonly schedules: Schedules;
  readonly rules: { readonly announcements: Handler };
}

export function keepMessages(queue: DueQueue, shown: ShownParts): CardSync {
  const { endpoints, slack, store, inbox, log, registry, rulebook, schedules, rules } = shown;
  const { disclaimers } = endpoints;
  const { answers, background: api } = slack.lanes;
  const parts = { api, store, clock: systemClock, log };
  const render = cardRenderer({ registry, rulebook, disclaimers });
  const cards = createCardSync({ ...parts, answers, queue, render });
  const inFlight = (key: string): boolean => inbox.inFlight(key);
  queue.handle(
    cards.handler,
    createNoticeHandler({ ...parts, cards, registry, rulebook, schedules, disclaimers }),
    createReviewHandler({ ...parts, cards, rulebook, disclaimers }),
    createInterruptionHandler({ inFlight, api, log, disclaimers }),
    rules.announcements,
  );
  return cards;
}

export function keepTime(queue: DueQueue, context: RunnerContext): void {
  queue.handle(
    createDeadlineHandler(context),
    createApproversHandler(context),
    createWatchHandler(context),
    createRolloutHandler(context),
  );
}

interface HookParts {
  readonly store: Store;
  readonly slack: Pick<SlackConnection, 'lanes' | 'stopping'>;
  readonly observer: Pick<Observer, 'hooks' | 'agents'>;
  readonly secrets: SecretResolver;
}

/** The route only receives alerts. Messages that follow the stored state show them. */
export function connectHooks(
  queue: DueQueue,
  context: SlackContext,
  { store, slack, observer, secrets }: HookParts,
): Route {
  const api = slack.lanes.background;
  const ports = { ...context, api, store };
  const render = async (message: OfferMessage) =>
    context.offers.find(({ owns }) => owns(message.source))?.render(ports, message);
  queue.handle(createOfferHandler({ api, store, clock: context.clock, render }));
  const handle = createHooksRoute({
    ...context,
    acceptedSecrets: (reference) => secrets.accepted(reference),
    stopping: () => slack.stopping(),
    onDelivery: observer.hooks.onDelivery,
  });
  return { ...atHooks, handle };
}

/** In milliseconds. After this time, agents get their answer even if their suggestion is not posted yet. */
const postedWithinMs = 2_000;

/** The route only receives the calls of agents. Their suggestions are shown like alerts, and expire. */
export function connectAgents(
  queue: DueQueue,
  context: SlackContext,
  { slack, observer, secrets }: HookParts,
): Route {
  const { clock, log, rulebook } = context;
  const { afterCall } = observer.agents;
  queue.handle(createExpiryHandler(context));
  const shown = async (messageId: string): Promise<void> => {
    await queue.round().catch(() => undefined);
    await queue.handled(offerKind, messageId);
  };
  let loaded: Promise<Parameters<typeof createAgentsRoute>[0]['serve']> | undefined;
  /** The server's library takes memory and time to load, and only agents need that library. */
  const server = () =>
    (loaded ??= import('../features/agents/server.ts').then(({ createAgentServer }) =>
      createAgentServer({
        context: {
          ...context,
          posted: (messageId) => within(clock, postedWithinMs, () => shown(messageId)),
          linkTo: (channel, ts) => slack.lanes.background.permalink({ channel, ts }).catch(() => undefined),
        },
        version: readVersion(),
        afterCall,
      }),
    ));
  const handle = createAgentsRoute({
    agents: () => agentsSection.of(rulebook()),
    acceptedSecrets: (reference) => secrets.accepted(reference),
    serve: async (...call) => (await server())(...call),
    stopping: () => slack.stopping(),
    clock,
    log,
    afterCall,
  });
  return { ...atAgents, handle: (_, request, response) => handle(request, response) };
}
