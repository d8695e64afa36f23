import type { Config } from '../config/environment/environment.ts';
import { type Correlation, createBackgroundTasks, systemClock } from './process/this-process.ts';
import type { BackgroundTasks, Log } from '../model/ports.ts';
import { createApp } from '../slack/app.ts';
import { createReceiver, receiverLimits, type ReceiverOptions, type Route } from '../slack/receive/server.ts';
import { createDirectory, type PeopleDirectory } from '../slack/web-api/directory.ts';
import { appTokenSetting, checkBotToken, orSay } from './slack-tokens.ts';
import type { UntilItPasses } from './wait-at-start.ts';
import { type SlackLanes, createSlackLanes } from '../slack/web-api/web-client.ts';
import type { Dispatch } from '../slack/receive/dispatch.ts';
import { warmUp } from '../slack/receive/warm-up.ts';
import type { SocketMode } from '../slack/receive/socket-mode.ts';
import type { SlackContext } from '../slack/messages/context.ts';
import type { Endpoints } from './endpoints.ts';
import type { Observer } from './health/observer.ts';
import { withPort } from '../http/incoming.ts';
import { tracePayload } from './process/tracing.ts';

export interface SlackConnection {
  readonly lanes: SlackLanes;
  readonly ownTeam: string;
  readonly directory: PeopleDirectory;
  readonly backgroundTasks: BackgroundTasks;
  /** Resolves to the port. */
  listen(context: SlackContext, routes: readonly Route[]): Promise<number>;
  stopping(): boolean;
  /** The health routes keep working. */
  stopReceiving(): Promise<void>;
  close(): Promise<void>;
}

interface SlackWatch extends Omit<Observer['slack'], 'onScopes'> {
  onRefused(problem: string): void;
}

interface ConnectOptions extends Pick<ReceiverOptions, 'inbox' | 'routes'> {
  readonly config: Pick<Config, 'host' | 'port'>;
  readonly slack: Endpoints['slack'];
  readonly log: Log;
  readonly correlation: Pick<Correlation, 'start'>;
  readonly watch: SlackWatch;
  readonly untilItPasses: UntilItPasses;
}

/** @throws BellhopError `configuration` if Slack refuses a token or can't be reached. `listen` throws the same. */
export async function connectSlack(options: ConnectOptions): Promise<SlackConnection> {
  const { config, slack, log, watch, correlation, untilItPasses } = options;
  const { botToken, apiUrl } = slack;
  const { onAnswer, scopes } = watch;
  const shared = { clock: systemClock, log };
  const lanes = createSlackLanes({ ...watch, ...shared, token: botToken, slackApiUrl: apiUrl });
  const backgroundTasks = createBackgroundTasks(systemClock, log);
  try {
    const { teamId, botUserId } = await untilItPasses(() => checkBotToken(lanes.background, apiUrl, scopes));
    const directory = createDirectory(lanes.answers, systemClock, log, teamId, scopes);
    const receiving: ReceiverOptions = {
      signingSecrets: slack.signingSecrets,
      ...shared,
      ownTeam: teamId,
      backgroundTasks,
      inbox: options.inbox,
      identify: directory.identify,
      clockIsRight: watch.clockIsRight,
      correlate: (kind, work) => correlation.start((id) => tracePayload(kind, id, () => work(id))),
      limits: receiverLimits,
      routes: options.routes,
      onAnswer,
      // In Socket Mode, Slack signs nothing.
      onSignature: slack.appToken === undefined ? watch.onSignature : undefined,
    };
    const receiver = createReceiver(receiving);
    const socket =
      slack.appToken === undefined
        ? undefined
        : await openSocket(options, slack.appToken, teamId, receiver.dispatch);
    return {
      lanes,
      ownTeam: teamId,
      directory,
      backgroundTasks,
      async listen(context, routes) {
        createApp({ receiver, botToken, botUserId, context });
        await warmUp({ ...receiving, correlate: (_, work) => correlation.start(work) });
        const port = await withPort({ setting: 'PORT', ...config }, () => receiver.start(config, routes));
        if (socket) await untilItPasses(() => orSay(apiUrl, appTokenSetting, () => socket.start()));
        else watch.onConnected(true);
        return port;
      },
      stopping: () => receiver.stopping(),
      async stopReceiving() {
        await receiver.stop();
        await socket?.stop();
      },
      async close() {
        await socket?.stop();
        await receiver.close();
        await lanes.close();
      },
    };
  } catch (error) {
    await lanes.close();
    throw error;
  }
}

/** Loaded here, because only Socket Mode uses this client. */
async function openSocket(
  { slack, log, watch }: ConnectOptions,
  appToken: () => string,
  ownTeam: string,
  dispatch: Dispatch,
): Promise<SocketMode> {
  const { createSocketMode } = await import('../slack/receive/socket-mode.ts');
  return createSocketMode({
    appToken,
    slackApiUrl: slack.apiUrl,
    ownTeam,
    dispatch,
    clock: systemClock,
    log,
    onConnections(open, problem) {
      watch.onConnections('bellhop', open);
      watch.onConnected(open > 0, problem);
    },
    onCounted: (connections) => watch.onConnections('slack', connections),
    onAnswer: watch.onAnswer,
    onRefused: (problem) => watch.onRefused(problem),
  });
}
