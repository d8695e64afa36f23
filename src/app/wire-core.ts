import { createServiceClient } from '../api/client.ts';
import type { Config } from '../config/config.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import type { RulebookWatch } from '../config/rulebook/watch-rulebook.ts';
import { createCatalogue } from '../core/registry.ts';
import type { Environment } from '../core/context.ts';
import { createExecutor, type Executor } from '../core/bellhop.ts';
import type { InFlight } from '../core/background-tasks.ts';
import type { Mask } from '../core/redactor.ts';
import type { Operation } from '../core/model/operation.ts';
import type { Log, Messages, Store } from '../core/model/ports.ts';
import { cardRenderer } from '../slack/cards/card-renderer.ts';
import { createCardSync, type CardSync } from '../slack/cards/card-sync.ts';
import { createDirectory } from '../slack/web-api/directory.ts';
import { createFollowers } from '../slack/follow/followers.ts';
import type { Intake } from '../slack/receive/inbox.ts';
import { permalink } from '../slack/cards/permalink.ts';
import { createReviewSync, type ReviewSync } from '../slack/cards/review-sync.ts';
import type { Surface } from '../slack/listeners/context.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Correlation } from './process/correlation.ts';
import { followRules } from './follow-rules.ts';
import type { Halves } from './endpoints.ts';
import type { Observer } from './health/observer.ts';
import { randomIds } from './process/random-ids.ts';
import { systemClock } from './process/system-clock.ts';

/** The rules, bound to this machine's clock, store, Slack and service. */
export interface Core {
  readonly executor: Executor;
  readonly cards: CardSync;
  readonly reviews: ReviewSync;
  readonly surface: Surface;
  readonly inFlight: InFlight;
  close(): Promise<void>;
}

interface CoreParts {
  readonly config: Config;
  readonly operations: readonly Operation[];
  readonly halves: Halves;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly intake: Intake;
  readonly mask: Mask;
  readonly log: Log;
  readonly correlation: Correlation;
  readonly observer: Observer;
}

export function createCore(parts: CoreParts): Core {
  const { config, operations, halves, slack, store, mask, log, correlation, observer } = parts;
  const catalogue = createCatalogue(operations);
  const service = createServiceClient({
    ...halves.service,
    mask: (text) => mask.mask(text),
    logger: log,
    onCall: (call) => observer.serviceCall(call),
    onBreaker: (open, area) => observer.serviceBreaker(open, area),
  });
  const rules = followRules({ ...parts, notices: halves.notices });
  const secrets = createSecrets(process.env, config.secretsDir, mask);
  const cards = createCardSync({
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    inFlight: slack.inFlight,
    render: cardRenderer({ catalogue, rulebook: () => rules.current(), notices: halves.notices }),
  });
  const shared = {
    rulebook: () => rules.current(),
    clock: systemClock,
    ids: randomIds(correlation),
    log,
    ownTeam: slack.ownTeam,
    notices: halves.notices,
  };
  const environment: Environment = {
    ...shared,
    catalogue,
    store,
    messages: messagesOf(cards, parts),
    directory: createDirectory(slack.lanes.answers, systemClock, log, slack.ownTeam),
    inFlight: slack.inFlight,
    service,
    production: config.production,
    resolveSecret: (reference) => secrets.resolve(reference),
    mask: (text) => mask.mask(text),
    holdsSecret: (text) => mask.holds(text),
    status: () => observer.status(store),
    correlated: correlation.within,
  };
  const executor = createExecutor(environment);
  const followers = createFollowers({
    ...shared,
    executor,
    api: slack.lanes.background,
    inFlight: slack.inFlight,
  });
  return {
    executor,
    cards,
    reviews: tellOfReviews(parts, rules),
    surface: { ...shared, executor, cards, followers, intake: parts.intake, api: slack.lanes.answers },
    inFlight: slack.inFlight,
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

const tellOfReviews = ({ slack, store, log, halves }: CoreParts, rules: RulebookWatch): ReviewSync =>
  createReviewSync({
    api: slack.lanes.background,
    store,
    clock: systemClock,
    log,
    channel: () => rules.current().announce.breakGlass,
    notices: halves.notices,
  });
