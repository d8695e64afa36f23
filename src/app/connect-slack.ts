import type { Config } from '../config/environment/environment.ts';
import { badConfiguration } from '../model/values/errors.ts';
import { type Correlation, createBackgroundTasks, systemClock } from './process/this-process.ts';
import type { BackgroundTasks, Log } from '../model/ports.ts';
import { createApp } from '../slack/app.ts';
import { createReceiver, receiverLimits, type ReceiverOptions, type Route } from '../slack/receive/server.ts';
import { createDirectory, type PeopleDirectory } from '../slack/web-api/directory.ts';
import { botScopes, neededToStart } from '../slack/web-api/scopes.ts';
import type { UntilItPasses } from './wait-at-start.ts';
import { isFromBetween, SlackError } from '../slack/web-api/slack-error.ts';
import { type SlackLanes, createSlackLanes } from '../slack/web-api/web-client.ts';
import type { Dispatch } from '../slack/receive/dispatch.ts';
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
  /** Starts accepting payloads. Resolves to the port. */
  listen(context: SlackContext, routes: readonly Route[]): Promise<number>;
  stopping(): boolean;
  /** Rejects payloads from now on. The health routes keep working. */
  stopReceiving(): Promise<void>;
  close(): Promise<void>;
}

interface SlackWatch extends Omit<Observer['slack'], 'onScopes'> {
  /** Called when Slack has permanently rejected the token. */
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
    const { teamId, botUserId, ofOrganization } = await untilItPasses(() =>
      orSay(apiUrl, botTokenSetting, () => lanes.background.authTest()),
    );
    requireWorkspace(ofOrganization);
    requireScopes(scopes.granted());
    const directory = createDirectory(lanes.answers, systemClock, log, teamId, scopes);
    const receiver = createReceiver({
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
    });
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

/** Loads the client only here, because only Socket Mode uses that client. */
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

interface Token {
  readonly variable: string;
  /** The next action if Slack does not know the token. */
  readonly renew: string;
  /** The method of Slack that checks the token. */
  readonly method: string;
}

const botTokenSetting: Token = {
  variable: 'SLACK_BOT_TOKEN',
  renew: 'Copy the Bot User OAuth Token again.',
  method: 'auth.test',
};
const appTokenSetting: Token = {
  variable: 'SLACK_APP_TOKEN',
  renew: 'Generate an app-level token with the scope connections:write, under Basic Information.',
  method: 'apps.connections.open',
};

/** @throws BellhopError `configuration` that says what to do; retryable if Slack cannot be reached for now */
async function orSay<T>(apiUrl: string, token: Token, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const {
      slackCode = 'unexpected',
      obstacle,
      retryable = false,
    } = error instanceof SlackError ? error : {};
    const why = obstacle
      ? `cannot be reached: ${obstacle.what}. ${obstacle.todo}.`
      : whyNot(slackCode, token);
    throw badConfiguration(`Slack at ${apiUrl} ${why}`, {
      cause: error,
      retryable: retryable && (obstacle === undefined || obstacle.passes === true),
    });
  }
}

function requireWorkspace(ofOrganization: boolean): void {
  if (!ofOrganization) return;
  throw badConfiguration(
    'SLACK_BOT_TOKEN belongs to an app installed for a whole organization (Enterprise Grid), which is not supported. Install the app in one workspace, and use its token.',
  );
}

/** Parts of Bellhop work without the other scopes. @param granted undefined if a proxy drops Slack's list */
function requireScopes(granted: ReadonlySet<string> | undefined): void {
  const missing = granted ? neededToStart(granted) : [];
  if (missing.length === 0) return;
  const lines = missing.map((scope) => `${scope}: ${botScopes[scope]?.use}`);
  throw badConfiguration(
    `SLACK_BOT_TOKEN lacks ${missing.length === 1 ? 'a scope' : 'scopes'} of manifest.json. Add under OAuth & Permissions, and reinstall the app:\n${lines.join('\n')}`,
  );
}

/** Returns the end of a sentence that begins with Slack's address, followed by the next action. */
function whyNot(code: string, { variable, renew, method }: Token): string {
  const refused = `did not accept ${variable}: ${code}.`;
  if (isFromBetween(code))
    return `is behind a proxy or firewall that answered ${code.slice('http_'.length)}. The request did not reach Slack. Allow the address there, and check HTTPS_PROXY.`;
  switch (code) {
    case 'unreachable':
    case 'timeout':
    case 'connection_lost':
      return `cannot be reached (${code}). Check SLACK_API_URL, the network and the proxy.`;
    case 'http_404':
    case 'unreadable_reply':
      return `does not answer like Slack (${code}). SLACK_API_URL must end in /api/.`;
    case 'invalid_auth':
    case 'not_authed':
    case 'not_allowed_token_type':
    case 'missing_scope':
      return `${refused} ${renew}`;
    case 'account_inactive':
    case 'token_revoked':
      return `${refused} Reinstall the app in the workspace.`;
    default:
      return `${refused} Look the code up at https://docs.slack.dev/reference/methods/${method}.`;
  }
}
