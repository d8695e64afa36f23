import type { Account } from '../model/rulebook/target.ts';
import { connectAccounts } from './accounts.ts';
import { createHttp } from '../service/http/any-http.ts';
import { areas } from '../areas/index.ts';
import { createServiceClient, type ServiceClient } from '../service/client.ts';
import type { Config } from '../config/environment/environment.ts';
import { createSecrets, type SecretResolver } from '../config/environment/secrets.ts';
import { createCommandsInProgress } from '../run/admission.ts';
import type { Members } from '../model/members.ts';
import type { DetailedLog, Sources } from '../model/ports.ts';
import type { Source } from '../model/rulebook/rulebook.ts';
import { badConfiguration } from '../model/values/errors.ts';
import type { Operation } from '../model/operation.ts';
import { createDueQueue, type DueQueue } from '../due/queue.ts';
import { offerKind } from '../model/records/offer.ts';
import type { Inbox } from '../slack/receive/inbox.ts';
import type { Store } from '../store/store.ts';
import type { Redactor } from '../command/redactor.ts';
import { followExtensions } from '../command/grammar/registry.ts';
import { delayOf } from '../slack/web-api/slack-error.ts';
import type { Route } from '../slack/receive/server.ts';
import { gatesOf, lists, rooms } from '../features/index.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import type { Host, Running } from '../host/feature.ts';
import { keepMessages, keepOffers, keepTime } from './due-work.ts';
import { auditStatus, type Signing } from './signing.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';
import { type FollowedRules, followRules } from './follow-rules.ts';
import type { Observer } from './health/observer.ts';
import { type Correlation, randomIds, readVersion, systemClock } from './process/this-process.ts';
import type { UntilItPasses } from './wait-at-start.ts';
import { traceCall, traceWork } from './process/tracing.ts';

export interface BotOptions {
  readonly config: Config;
  readonly operations: readonly Operation[];
  readonly mask: Redactor;
  readonly log: DetailedLog;
  readonly correlation: Correlation;
  readonly untilItPasses: UntilItPasses;
}

export interface Core {
  readonly queue: DueQueue;
  readonly features: readonly Running[];
  readonly routes: readonly Route[];
  readonly context: SlackContext;
  readonly rules: Pick<FollowedRules, 'renew'>;
  close(): Promise<void>;
}

interface CoreParts extends BotOptions {
  readonly endpoints: Endpoints;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly inbox: Inbox;
  readonly observer: Observer;
  readonly signing: Signing;
}

function startFeatures(
  queue: DueQueue,
  context: SlackContext,
  { config, store, slack, observer, endpoints, secrets }: CoreParts & { readonly secrets: SecretResolver },
): readonly Running[] {
  const host: Host = {
    ...context,
    store,
    publicUrl: config.publicUrl,
    slackIsLocal: config.slack === 'local',
    stopping: () => slack.stopping(),
    version: readVersion(),
    background: slack.lanes.background,
    acceptedSecrets: (reference) => secrets.accepted(reference),
    async show(messageId) {
      await queue.round().catch(() => undefined);
      await queue.handled(offerKind, messageId);
    },
    readiness: observer.readiness,
    localPage: endpoints.slack.page,
  };
  const running = rooms.flatMap(({ start }) => start?.(host, observer.metrics.declare) ?? []);
  for (const { handlers = [] } of running) queue.handle(...handlers);
  return running;
}

function connectService(
  { endpoints, mask, log, observer }: CoreParts,
  others: Pick<Parameters<typeof connectAccounts>[0], 'rulebook' | 'secrets'>,
) {
  const shared = { mask: (text: string) => mask.redact(text), logger: log, around: traceCall };
  const own = createServiceClient(areas, {
    ...endpoints.service,
    ...shared,
    afterCall: (call) => observer.service.afterCall(call),
    onBreaker: (open, area) => observer.service.onBreaker(open, area),
  });
  const accounts = connectAccounts({ ...others, local: endpoints.accounts, observer, shared });
  return {
    serviceOf: (account: Account | undefined): ServiceClient => (account ? accounts.clientOf(account) : own),
    async close(): Promise<void> {
      await own.close();
      await accounts.close();
    },
  };
}

const connectHttp = ({ config: { production }, mask, log, observer }: CoreParts) =>
  createHttp({
    production,
    mask: (text) => mask.redact(text),
    logger: log,
    afterCall: observer.service.onHttp,
  });

/** An unknown source must not count as an empty one. @throws BellhopError if no feature knows the source */
function membersOf(running: readonly Running[], { key, name }: Source): Members {
  const [found] = running.flatMap(({ sources }) => sources?.[key]?.(name) ?? []);
  if (found) return found;
  throw badConfiguration(`This version of Bellhop does not know the ${key} “${name}”.`);
}

const statusOf = ({ observer, store, signing }: CoreParts, running: readonly Running[]) =>
  observer.status(store, () => auditStatus(signing, store), {
    facts: running.flatMap(({ facts }) => facts?.() ?? []),
    problems: running.flatMap(({ problems }) => problems?.() ?? []),
    tables: running.flatMap(({ tables }) => tables?.() ?? []),
  });

export function createCore(parts: CoreParts): Core {
  const { config, endpoints, slack, store, mask, log, correlation, observer } = parts;
  const { disclaimers } = endpoints;
  const { backgroundTasks, ownTeam } = slack;
  const any = connectHttp(parts);
  const secrets = createSecrets(process.env, config.secretsDir, mask, endpoints.slack.secrets);
  const rules = followRules({ ...parts, disclaimers, secrets });
  const rulebook = () => rules.current();
  const registry = followExtensions(parts.operations, rulebook);
  const service = connectService(parts, { rulebook, secrets });
  const clockIsRight = observer.clockWatch.isRight;
  const queue = createDueQueue({ store, clock: systemClock, clockIsRight, log, backgroundTasks, delayOf });
  let running: readonly Running[] = [];
  const sources: Sources = { membersOf: (source) => membersOf(running, source) };
  const { cards, beside } = keepMessages(queue, { ...parts, registry, rulebook, sources, rules });
  const shared = { rulebook, clock: systemClock, ids: randomIds(correlation), log, ownTeam, disclaimers };
  const context: SlackContext = {
    ...shared,
    startedAt: systemClock.now(),
    clockIsRight,
    registry,
    store,
    messages: cards,
    cards,
    beside,
    inProgress: createCommandsInProgress(),
    api: slack.lanes.answers,
    ...lists,
    withheld: observer.slack.scopes.withheld,
    directory: { ...slack.directory, ...sources },
    homeLines: async (reader) =>
      (await Promise.all(running.flatMap(({ homeLines }) => homeLines?.(reader) ?? []))).flat(),
    backgroundTasks,
    serviceOf: service.serviceOf,
    http: any.httpFor,
    production: config.production,
    playground: config.slack === 'local' && config.service === 'local',
    resolveSecret: (reference) => secrets.resolve(reference),
    gates: gatesOf({ store, clock: systemClock, publicUrl: config.publicUrl }),
    redact: (text) => mask.redact(text),
    holdsSecret: (text) => mask.holds(text),
    status: () => statusOf(parts, running),
    correlated: (work, id, run) => correlation.within(id, () => traceWork(work, id, run)),
  };
  keepTime(queue, context);
  keepOffers(queue, context, parts);
  running = startFeatures(queue, context, { ...parts, secrets });
  return {
    features: running,
    queue,
    routes: running.flatMap(({ routes = [] }) => routes),
    context,
    rules,
    async close() {
      for (const part of [rules, service, any]) await part.close();
    },
  };
}
