import { createClock, type Clock } from './clock.ts';
import { openConversations, type Conversations } from './conversations/channels.ts';
import { DIRECT_MESSAGES, type Conversation } from './conversations/directory.ts';
import { type AgentDoor, type AgentSource, createAgent } from './drills/agent.ts';
import { createAlertSource, type AlertSource } from './drills/alert-source.ts';
import type { AlertHook } from './drills/alert-notifier.ts';
import { createDispatcher, type Dispatcher } from './dispatch/dispatcher.ts';
import { httpCarrier, type HttpCarrier } from './dispatch/http-carrier.ts';
import { createSocketMode, type SocketMode } from './dispatch/socket-mode.ts';
import { createDrillBoard, type DrillBoard } from './drills/drill-board.ts';
import { createEventBus, type EventBus } from './event-bus.ts';
import { openFileStore, type FileStore, type PendingUpload } from './conversations/file-store.ts';
import { openHistory, type History } from './conversations/history.ts';
import { createIds, type Ids } from './ids.ts';
import { openScheduled, type ScheduledMessages } from './conversations/scheduled.ts';
import type { Manifest } from './manifest.ts';
import type { Drills } from './drill-protocol.ts';
import { createRateLimits, type RateLimits } from './web-api/rate-limits.ts';
import { createResponseUrls, type ResponseUrls } from './views/response-urls.ts';
import { createSchedule, type OnCallSchedule } from './drills/schedule.ts';
import {
  createStolenSession,
  type StolenSession,
  type StolenSessionSettings,
} from './drills/stolen-session.ts';
import { createServiceFaults, type ServiceFaults } from './drills/service-faults.ts';
import { createTriggers, type Triggers } from './views/triggers.ts';
import { createViews, type Views } from './views/views.ts';
import { createWireLog, type WireLog } from './drills/wire-log.ts';

export interface WorkspaceSettings {
  /** The URL at which the app listens, e.g. http://127.0.0.1:3000/slack/events. Not needed in Socket Mode. */
  readonly appUrl: string;
  readonly botToken: string;
  readonly signingSecret: string;
  readonly appToken: string;
  readonly dataDir: string;
  readonly reset: boolean;
  /** Whether the Web API has no rate limits. */
  readonly unlimited: boolean;
  readonly service: { readonly url: string; readonly apiKey: string } | undefined;
  readonly alertHook: AlertHook | undefined;
  readonly agentDoor: AgentDoor | undefined;
  /** The instances that alerts can be about. */
  readonly instances: readonly string[];
  readonly stolenSession: StolenSessionSettings | undefined;
  readonly signedAt: (() => number) | undefined;
}

/** All that the workspace remembers, and the tools that change it. */
export interface Workspace {
  readonly settings: WorkspaceSettings;
  readonly manifest: Manifest;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly bus: EventBus;
  readonly history: History;
  readonly files: FileStore;
  /** Pending uploads, by the secret in their URL. */
  readonly uploads: Map<string, PendingUpload>;
  readonly views: Views;
  readonly triggers: Triggers;
  readonly responseUrls: ResponseUrls;
  readonly rates: RateLimits;
  readonly wire: WireLog;
  readonly drills: DrillBoard;
  readonly faults: ServiceFaults;
  readonly schedule: OnCallSchedule;
  readonly alerts: AlertSource;
  readonly agent: AgentSource;
  readonly stolen: StolenSession;
  readonly conversations: Conversations;
  readonly scheduled: ScheduledMessages;
  readonly sockets: SocketMode;
  readonly http: HttpCarrier;
  /** The way to the app: a Socket Mode connection if one is open, otherwise HTTP. */
  readonly dispatcher: Dispatcher;
  /** Address of this server, without a slash at the end; known once it listens. */
  origin: string;
}

/** Opens the data directory and puts the parts together. `now` is epoch milliseconds. */
export function createWorkspace(
  settings: WorkspaceSettings,
  manifest: Manifest,
  now?: () => number,
): Workspace {
  const clock = createClock(now);
  const ids = createIds();
  const bus = createEventBus(ids.secret());
  const history = openHistory(settings.dataDir, settings.reset);
  const announce = () =>
    bus.publish({ type: 'drills', drills: shownDrills({ faults, drills, schedule, alerts, agent, stolen }) });
  const drills = createDrillBoard(announce);
  const faults = createServiceFaults(settings.service, clock, announce);
  const schedule = createSchedule(clock, announce);
  const { appUrl, botToken, appToken, signingSecret, service, alertHook, agentDoor, instances } = settings;
  const wire = createWireLog(
    [
      botToken,
      appToken,
      signingSecret,
      service?.apiKey ?? '',
      alertHook?.secret ?? '',
      agentDoor?.token ?? '',
    ],
    (entry) => bus.publish({ type: 'wire', entry }),
  );
  const stolen = createStolenSession(settings.stolenSession, announce);
  const alerts = createAlertSource({ hook: alertHook, instances, clock, wire, announce });
  const agent = createAgent({ door: agentDoor, clock, announce });
  const sockets = createSocketMode(clock, ids);
  const http = httpCarrier({ appUrl, signingSecret, now: settings.signedAt ?? (() => clock.now()) });
  const carrier = () => (sockets.connected() ? sockets.carry : http.carry);
  return {
    settings,
    manifest,
    clock,
    ids,
    bus,
    history,
    files: openFileStore(history.database),
    uploads: new Map(),
    views: createViews(ids, clock, history.database),
    triggers: createTriggers(clock, ids),
    responseUrls: createResponseUrls(clock, ids),
    rates: settings.unlimited ? { take: () => 0 } : createRateLimits(clock),
    wire,
    drills,
    faults,
    schedule,
    alerts,
    agent,
    stolen,
    conversations: openConversations(history.database),
    scheduled: openScheduled(history.database),
    sockets,
    http,
    dispatcher: createDispatcher({ clock, drills, wire, carrier }),
    origin: '',
  };
}

/** The drills that are on, as the page shows them. */
export function shownDrills({
  faults,
  drills,
  schedule,
  alerts,
  agent,
  stolen,
}: Pick<Workspace, 'faults' | 'drills' | 'schedule' | 'alerts' | 'agent' | 'stolen'>): Drills {
  return {
    service: { available: faults.available, faults: faults.current() },
    slack: drills.current,
    schedule: schedule.current,
    alerts: alerts.current,
    agent: agent.current,
    stolen: stolen.current,
  };
}

/** The scopes that the app was granted: those of its manifest, except for the withheld ones. */
export const grantedScopes = ({
  manifest,
  drills,
}: Pick<Workspace, 'manifest' | 'drills'>): readonly string[] =>
  manifest.scopes.filter((scope) => !drills.current.withheld.includes(scope));

/** The conversations a person sees. */
export function conversationsOf({ conversations }: Workspace, user: string): Conversation[] {
  return [...conversations.channels(), ...DIRECT_MESSAGES].filter(({ members }) => members.includes(user));
}

/** Whether the app is in the conversation, from the start or because it joined. */
export function botIsMember({ conversations }: Workspace, { id }: Conversation): boolean {
  return conversations.find(id)?.bot ?? false;
}

/** Gives blocks that have none an id, as Slack does. */
export function blockIds(workspace: Workspace): () => string {
  return () => workspace.ids.next('b').slice(0, 5).toLowerCase();
}
