import { createServiceClient } from '../api/client.ts';
import type { Config } from '../config/config.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import type { RulebookWatch } from '../config/rulebook/watch-rulebook.ts';
import { createRegistry } from '../core/registry.ts';
import type { Context } from '../core/context.ts';
import { createBellhop, type Bellhop } from '../core/bellhop.ts';
import type { BackgroundTasks } from '../core/background-tasks.ts';
import type { Redactor } from '../core/redactor.ts';
import type { Operation } from '../core/model/operation.ts';
import type { Log, Messages, Store } from '../core/model/ports.ts';
import { cardRenderer } from '../slack/cards/card-renderer.ts';
import { createCardSync, type CardSync } from '../slack/cards/card-sync.ts';
import { createDirectory } from '../slack/web-api/directory.ts';
import { createFollowers } from '../slack/follow/followers.ts';
import { permalink } from '../slack/cards/permalink.ts';
import { createReviewSync, type ReviewSync } from '../slack/cards/review-sync.ts';
import type { SlackContext } from '../slack/listeners/context.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Correlation } from './process/correlation.ts';
import { followRules } from './follow-rules.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';
import { randomIds } from './process/random-ids.ts';
import { systemClock } from './process/system-clock.ts';

/** The rules, bound to this machine's clock, store, Slack and service. */
export interface Core {
  readonly bellhop: Bellhop;
  readonly cards: CardSync;
  readonly reviews: ReviewSync;
  readonly context: SlackContext;
  readonly backgroundTasks: BackgroundTasks;
  close(): Promise<void>;
}

interface CoreParts {
  readonly config: Config;
  readonly operations: readonly Operation[];
  readonly endpoints: Endpoints;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly mask: Redactor;
  readonly log: Log;
  readonly correlation: Correlation;
  readonly observer: Observer;
}

export function createCore(parts: CoreParts): Core {
  const { config, operations, endpoints, slack, store, mask, log, correlation, observer } = parts;
  const registry = createRegistry(operations);
  const service = createServiceClient({
    ...endpoints.service,
    mask: (text) => mask.redact(text),
    logger: log,
    onCall: (call) => observer.serviceCall(call),
    onBreaker: (open, area) => observer.serviceBreaker(open, area),
  });
  const rules = followRules({ ...parts, notices: endpoints.notices });
  const secrets = createSecrets(process.env, config.secretsDir, mask);
  const cards = createCardSync({
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    backgroundTasks: slack.backgroundTasks,
    render: cardRenderer({ registry, rulebook: () => rules.current(), notices: endpoints.notices }),
  });
  const shared = {
    rulebook: () => rules.current(),
    clock: systemClock,
    ids: randomIds(correlation),
    log,
    ownTeam: slack.ownTeam,
    notices: endpoints.notices,
  };
  const context: Context = {
    ...shared,
    registry,
    store,
    messages: messagesOf(cards, parts),
    directory: createDirectory(slack.lanes.answers, systemClock, log, slack.ownTeam),
    backgroundTasks: slack.backgroundTasks,
    service,
    production: config.production,
    resolveSecret: (reference) => secrets.resolve(reference),
    redact: (text) => mask.redact(text),
    holdsSecret: (text) => mask.holds(text),
    status: () => observer.status(store),
    correlated: correlation.within,
  };
  const bellhop = createBellhop(context);
  const followers = createFollowers({
    ...shared,
    bellhop,
    api: slack.lanes.background,
    backgroundTasks: slack.backgroundTasks,
  });
  return {
    bellhop,
    cards,
    reviews: tellOfReviews(parts, rules),
    context: { ...shared, bellhop, cards, followers, api: slack.lanes.answers },
    backgroundTasks: slack.backgroundTasks,
    close: () => closeAll(rules, service),
  };
}

async function closeAll(rules: RulebookWatch, service: { close(): Promise<void> }): Promise<void> {
  rules.close();
  await service.close();
}

const messagesOf = (cards: CardSync, { slack, log }: CoreParts): Messages => ({
  changed: (request) => cards.changed(request),
  link: (request) => permalink(slack.lanes.answers, log, request),
});

const tellOfReviews = ({ slack, store, log, endpoints }: CoreParts, rules: RulebookWatch): ReviewSync =>
  createReviewSync({
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    channel: () => rules.current().announce.breakGlass,
    notices: endpoints.notices,
  });
