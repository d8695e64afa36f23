import { createServiceClient } from '../api/client.ts';
import type { Config } from '../config/config.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import { findSeal } from '../core/audit/sealed-log.ts';
import { createBellhop, type Bellhop } from '../core/bellhop.ts';
import type { Context } from '../core/context.ts';
import type { Operation } from '../core/model/operation.ts';
import type { Log, Schedules } from '../core/model/ports.ts';
import type { Store } from '../store/store.ts';
import type { OnCallSchedules } from '../schedules/on-call.ts';
import type { Redactor } from '../core/redactor.ts';
import { followExtensions } from '../core/registry.ts';
import { cardRenderer } from '../slack/cards/render-card.ts';
import type { AlertSync } from '../slack/alerts/alert-sync.ts';
import type { NamedRoute } from '../slack/receive/server.ts';
import { createCardSync, type CardSync } from '../slack/cards/card-sync.ts';
import { createNoticeSync, type NoticeSync } from '../slack/cards/notice-sync.ts';
import { renderNotice } from '../slack/cards/render-notice.ts';
import { createReviewSync, type ReviewSync } from '../slack/cards/review-sync.ts';
import { createFollowedReports } from '../slack/follow/follow-report.ts';
import type { SlackContext } from '../slack/listeners/context.ts';
import { createInbox } from '../slack/receive/inbox.ts';
import { createDirectory } from '../slack/web-api/directory.ts';
import { openStore } from '../store/open-store.ts';
import { createForwarder, type Forwarder } from './audit/forward.ts';
import { createCheckpointLog, createHandOut, type HandOut } from './audit/hand-out.ts';
import { auditStatus, openSigning, reportSigning, type Signing } from './audit/signing.ts';
import { connectHooks } from './connect-hooks.ts';
import { connectSlack, type SlackConnection } from './connect-slack.ts';
import { resolveEndpoints, type Endpoints } from './endpoints.ts';
import { followRules } from './follow-rules.ts';
import { followSchedules } from './follow-schedules.ts';
import { healthRoutes } from './health/health-routes.ts';
import { createObserver, type Observer } from './health/observer.ts';
import { tokenPart } from './health/token-watch.ts';
import { watchStore } from './health/watched-store.ts';
import { startJobs } from './jobs/jobs.ts';
import { createSealer, type Sealer } from './jobs/seal.ts';
import { randomIds, type Correlation } from './process/ids.ts';
import { systemClock } from './process/system-clock.ts';
import { traceCall, traceRun } from './process/tracing.ts';

export interface Bot {
  /** Where the bot itself listens. */
  readonly url: string;
  /** The page of the local workspace, where there is one. */
  readonly page: string | undefined;
  /** Resolves to the reason when Slack refuses the bot for good. */
  readonly refused: Promise<string>;
  /** How long a stop waits for running work at most, as the rules are now. In milliseconds. */
  drainMs(): number;
  /** Not ready at once, no new work, what runs is drained, everything is closed. */
  stop(): Promise<void>;
}

interface BotOptions {
  readonly config: Config;
  /** What it can do. */
  readonly operations: readonly Operation[];
  readonly mask: Redactor;
  readonly log: Log;
  readonly correlation: Correlation;
}

/**
 * Opens the store, then what is local, then the connection to Slack, then the core and its jobs; payloads are accepted
 * when all of it is there. What is opened is closed in the opposite order.
 * @throws BellhopError that names what is missing or cannot be reached; what was opened is closed again
 */
export async function startBot(options: BotOptions): Promise<Bot> {
  const opened = new AsyncDisposableStack();
  const close = (): Promise<void> =>
    opened
      .disposeAsync()
      .catch((error: unknown) => options.log.warn({ err: error }, 'something could not be closed'));
  try {
    return await startInOrder(options, opened, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function startInOrder(
  options: BotOptions,
  opened: AsyncDisposableStack,
  close: () => Promise<void>,
): Promise<Bot> {
  const { config, operations, mask, log, correlation } = options;
  const observer = createObserver(operations, log);
  const { readiness, metrics } = observer;
  const refused = Promise.withResolvers<string>();

  const { store, sealer, signing, toLog } = await openSealedStore(config, observer, mask, log);
  opened.defer(() => store.close());
  opened.defer(toLog);
  opened.defer(() => sealer.close());
  readiness.set('store', true);
  const inbox = createInbox({ store, clock: systemClock, log });
  opened.defer(() => inbox.close());

  const endpoints = await resolveEndpoints(config);
  opened.defer(() => endpoints.close());
  for (const secret of [endpoints.service.apiKey, endpoints.slack.botToken, endpoints.slack.signingSecret])
    mask.learn(secret);

  const slack = await connectSlack({
    config,
    slack: endpoints.slack,
    log,
    correlation,
    inbox,
    routes: healthRoutes(readiness, metrics),
    watch: {
      onAnswer: (kind, status, ms) => metrics.ack(kind, status, ms),
      onCall: (method, outcome, ms) => observer.slackCall(method, outcome, ms),
      onConnected: (connected, problem) => readiness.set('slack', connected, problem),
      onRefused: (problem) => refused.resolve(problem),
    },
  });
  opened.defer(() => slack.close());
  readiness.set(tokenPart, true);

  const core = createCore({ ...options, endpoints, slack, store, observer, signing, toLog });
  opened.defer(() => core.close());
  await core.schedules.refresh();
  await core.bellhop.recover();
  const jobs = startJobs({ core, store, inbox, sealer, slack, observer, log });
  opened.defer(() => jobs.close());

  const port = await slack.listen(core.context, core.hooks);
  readiness.set('running', true);
  const drainMs = (): number => core.context.rulebook().drainMs;
  return {
    url: `http://${config.host}:${port}`,
    page: endpoints.page,
    refused: refused.promise,
    drainMs,
    async stop() {
      readiness.set('running', false, 'stopping');
      await slack.stopReceiving();
      core.context.followedReports.stop();
      const drained = await slack.backgroundTasks.drained(drainMs());
      if (!drained) log.warn({}, 'work still runs; it becomes unknown after its lease');
      await close();
    },
  };
}

interface SealedStore {
  readonly store: Store;
  /** What seals its audit log after each commit. */
  readonly sealer: Sealer;
  readonly signing: Signing;
  /** Writes the newest checkpoint to the log. */
  readonly toLog: () => Promise<void>;
}

async function openSealedStore(
  config: Config,
  { unreadable, metrics }: Observer,
  mask: Redactor,
  log: Log,
): Promise<SealedStore> {
  const opened = await openStore(config.store, {
    onProblem: (problem) => log.warn({ err: problem }, 'the store had a problem'),
    onUnreadable: (row) => unreadable.leftOut(row),
  });
  try {
    const signing = openSigning(config, mask);
    await reportSigning(signing, config, opened, log);
    if (config.production && 'databaseUrl' in config.store && (await opened.mayRewrite())) {
      log.warn(
        {},
        'the login of DATABASE_URL may change and remove audit entries; docs/operations.md says how to run with one that may not',
      );
    }
    const sealer = createSealer({
      store: opened,
      keys: () => signing.keys,
      mayFollow: signing.mayFollow,
      clock: systemClock,
      log,
    });
    const store = watchStore(opened, { ...metrics, staged: () => sealer.wake() });
    return { store, sealer, signing, toLog: createCheckpointLog(store, log) };
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** The rules, bound to this machine's clock, store, Slack and service. */
interface Core {
  readonly bellhop: Bellhop;
  readonly cards: CardSync;
  readonly reviews: ReviewSync;
  readonly noticeSync: NoticeSync;
  readonly schedules: OnCallSchedules;
  readonly handOut: HandOut;
  readonly forwarder: Forwarder;
  readonly alerts: AlertSync;
  readonly hooks: NamedRoute;
  readonly context: SlackContext;
  close(): Promise<void>;
}

interface CoreParts extends BotOptions {
  readonly endpoints: Endpoints;
  readonly slack: SlackConnection;
  readonly store: Store;
  readonly observer: Observer;
  readonly signing: Signing;
  readonly toLog: () => Promise<void>;
}

interface Shown extends Pick<Context, 'registry' | 'rulebook'> {
  readonly schedules: Schedules;
}

/** What keeps cards, reviews and notices in Slack as their rows are. */
function createMessageSyncs(
  { endpoints: { notices }, slack, store, log }: CoreParts,
  { registry, rulebook, schedules }: Shown,
): Pick<Core, 'cards' | 'reviews' | 'noticeSync'> {
  const { lanes, backgroundTasks } = slack;
  const { answers, background: api } = lanes;
  const parts = { api, store, clock: systemClock, log };
  const channel = () => rulebook().announce.breakGlass;
  return {
    cards: createCardSync({
      ...parts,
      answers,
      backgroundTasks,
      render: cardRenderer({ registry, rulebook, notices }),
      findSeal: (request) => findSeal(store, request),
    }),
    reviews: createReviewSync({ ...parts, channel, notices }),
    noticeSync: createNoticeSync({
      ...parts,
      render: (notice, request) =>
        renderNotice(notice, request, { rulebook: rulebook(), schedules, notices }),
    }),
  };
}

/** What sends the audit log to the collector that the rules in force name. */
const forwardAudit = (
  { store, log, observer: { forward, metrics } }: CoreParts,
  { rulebook, resolveSecret }: Pick<Context, 'rulebook' | 'resolveSecret'>,
): Forwarder =>
  createForwarder({
    store,
    rulebook,
    resolveSecret,
    clock: systemClock,
    random: Math.random,
    log,
    onSeen: (seen) => forward.seen(seen),
    onBatch: (result) => metrics.forwarded(result),
  });

function createCore(parts: CoreParts): Core {
  const { config, endpoints, slack, store, mask, log, correlation, observer } = parts;
  const { notices } = endpoints;
  const { answers, background } = slack.lanes;
  const { backgroundTasks, ownTeam } = slack;
  const clock = systemClock;
  const service = createServiceClient({
    ...endpoints.service,
    mask: (text) => mask.redact(text),
    logger: log,
    around: traceCall,
    onCall: (call) => observer.serviceCall(call),
    onBreaker: (open, area) => observer.serviceBreaker(open, area),
  });
  const rules = followRules({ ...parts, notices });
  const rulebook = () => rules.current();
  const registry = followExtensions(parts.operations, () => rulebook().extensions);
  const secrets = createSecrets(process.env, config.secretsDir, mask, endpoints.secrets);
  const schedules = followSchedules({ ...parts, rulebook, secrets });
  const syncs = createMessageSyncs(parts, { registry, rulebook, schedules });
  const shared = { rulebook, clock, ids: randomIds(correlation), log, ownTeam, notices };
  const context: Context = {
    ...shared,
    registry,
    store,
    messages: syncs.cards,
    directory: {
      ...createDirectory(answers, clock, log, ownTeam),
      onCall: (schedule) => schedules.onCall(schedule),
    },
    backgroundTasks,
    service,
    production: config.production,
    resolveSecret: (reference) => secrets.resolve(reference),
    redact: (text) => mask.redact(text),
    holdsSecret: (text) => mask.holds(text),
    status: () => observer.status(store, () => auditStatus(parts.signing, store)),
    correlated: (id, work) => correlation.within(id, () => traceRun(id, work)),
  };
  const bellhop = createBellhop(context);
  const followedReports = createFollowedReports({ ...shared, bellhop, api: background, backgroundTasks });
  const handOut = createHandOut({ ...shared, store, api: background, toLog: parts.toLog });
  const forwarder = forwardAudit(parts, context);
  return {
    bellhop,
    handOut,
    forwarder,
    ...syncs,
    schedules,
    ...connectHooks({ context, store, slack, notices, observer }),
    context: { ...shared, bellhop, cards: syncs.cards, followedReports, api: answers },
    async close() {
      rules.close();
      await forwarder.close();
      await schedules.close();
      await service.close();
    },
  };
}
