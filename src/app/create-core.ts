import { createServiceClient, type ServiceClient } from '../service/client.ts';
import type { Config } from '../config/environment/config.ts';
import { createSecrets } from '../config/environment/secrets.ts';
import { createCommandsInProgress } from '../run/commands-in-progress.ts';
import type { Context } from '../model/context.ts';
import type { Operation } from '../model/operation.ts';
import type { DetailedLog, Schedules } from '../model/ports.ts';
import type { Store } from '../store/store.ts';
import type { OnCallSchedules } from '../schedules/on-call.ts';
import type { Redactor } from '../command/redactor.ts';
import { followExtensions } from '../command/grammar/registry.ts';
import { cardRenderer } from '../slack/cards/render-card.ts';
import type { AlertSync } from '../slack/messages/alert-sync.ts';
import type { NamedRoute } from '../slack/receive/server.ts';
import { createCardSync, type CardSync } from '../slack/cards/card-sync.ts';
import { createNoticeSync, type NoticeSync } from '../slack/cards/notice-sync.ts';
import { renderNotice } from '../slack/cards/render-notice.ts';
import { createReviewSync, type ReviewSync } from '../slack/cards/review-sync.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import { createDirectory } from '../slack/web-api/directory.ts';
import { createForwarder, type Forwarder } from '../audit/publish/forward.ts';
import { createHandOut, type HandOut } from '../audit/publish/hand-out.ts';
import { auditStatus, type Signing } from '../audit/publish/signing.ts';
import { connectHooks } from './connect-hooks.ts';
import type { SlackConnection } from './connect-slack.ts';
import type { Endpoints } from './endpoints.ts';
import { followRules } from './follow-rules.ts';
import { followSchedules } from './follow-schedules.ts';
import type { Observer } from './health/observer.ts';
import { randomIds, type Correlation } from './process/ids.ts';
import { systemClock } from './process/system-clock.ts';
import { traceCall, traceWork } from './process/tracing.ts';

export interface BotOptions {
  readonly config: Config;
  /** What it can do. */
  readonly operations: readonly Operation[];
  readonly mask: Redactor;
  readonly log: DetailedLog;
  readonly correlation: Correlation;
}

/** The rules, bound to this machine's clock, store, Slack and service. */
interface Core {
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

const connectService = ({ endpoints, mask, log, observer }: CoreParts): ServiceClient =>
  createServiceClient({
    ...endpoints.service,
    mask: (text) => mask.redact(text),
    logger: log,
    around: traceCall,
    onCall: (call) => observer.serviceCall(call),
    onBreaker: (open, area) => observer.serviceBreaker(open, area),
  });

export function createCore(parts: CoreParts): Core {
  const { config, endpoints, slack, store, mask, log, correlation, observer } = parts;
  const { notices } = endpoints;
  const { answers, background } = slack.lanes;
  const { backgroundTasks, ownTeam } = slack;
  const service = connectService(parts);
  const rules = followRules({ ...parts, notices });
  const rulebook = () => rules.current();
  const registry = followExtensions(parts.operations, () => rulebook().extensions);
  const secrets = createSecrets(process.env, config.secretsDir, mask, endpoints.secrets);
  const schedules = followSchedules({ ...parts, rulebook, secrets });
  const syncs = createMessageSyncs(parts, { registry, rulebook, schedules });
  const shared = { rulebook, clock: systemClock, ids: randomIds(correlation), log, ownTeam, notices };
  const context: Context = {
    ...shared,
    startedAt: systemClock.now(),
    clockIsRight: observer.clockWatch.isRight,
    registry,
    store,
    messages: syncs.cards,
    directory: {
      ...createDirectory(answers, systemClock, log, ownTeam),
      onCall: (schedule) => schedules.onCall(schedule),
    },
    backgroundTasks,
    service,
    playground: config.slack === 'local' && config.service === 'local',
    resolveSecret: (reference) => secrets.resolve(reference),
    redact: (text) => mask.redact(text),
    holdsSecret: (text) => mask.holds(text),
    status: () => observer.status(store, () => auditStatus(parts.signing, store)),
    correlated: (work, id, run) => correlation.within(id, () => traceWork(work, id, run)),
  };
  const onHandedOut = observer.metrics.handedOut;
  const handOut = createHandOut({ ...shared, store, api: background, toLog: parts.toLog, onHandedOut });
  const forwarder = forwardAudit(parts, context);
  return {
    handOut,
    forwarder,
    ...syncs,
    schedules,
    ...connectHooks({ context, store, slack, notices, observer }),
    context: {
      ...context,
      inProgress: createCommandsInProgress(),
      cards: syncs.cards,
      api: answers,
      notices,
    },
    async close() {
      rules.close();
      for (const part of [forwarder, schedules, service]) await part.close();
    },
  };
}
