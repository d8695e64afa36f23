import { badConfiguration } from '../model/values/errors.ts';
import type { SlackApi } from '../slack/web-api/slack-api.ts';
import { botScopes, type GrantedScopes, neededToStart } from '../slack/web-api/scopes.ts';
import { isFromBetween, SlackError } from '../slack/web-api/slack-error.ts';

interface Token {
  readonly variable: string;
  /** The next action if Slack does not know the token. */
  readonly renew: string;
  readonly method: string;
}

const botTokenSetting: Token = {
  variable: 'SLACK_BOT_TOKEN',
  renew: 'Copy the Bot User OAuth Token again.',
  method: 'auth.test',
};
export const appTokenSetting: Token = {
  variable: 'SLACK_APP_TOKEN',
  renew: 'Generate an app-level token with the scope connections:write, under Basic Information.',
  method: 'apps.connections.open',
};

/**
 * Resolves to the bot's ids.
 * @throws BellhopError `configuration` if Slack can't be reached, or if the token does not belong to an app that is
 * installed in one workspace with the required scopes
 */
export async function checkBotToken(
  api: Pick<SlackApi, 'authTest'>,
  apiUrl: string,
  scopes: Pick<GrantedScopes, 'granted'>,
) {
  const { ofOrganization, ...bot } = await orSay(apiUrl, botTokenSetting, () => api.authTest());
  requireWorkspace(ofOrganization);
  requireScopes(scopes.granted());
  return bot;
}

/** @throws BellhopError `configuration` that says what to do; retryable if Slack cannot be reached for now */
export async function orSay<T>(apiUrl: string, token: Token, call: () => Promise<T>): Promise<T> {
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

/**
 * Requires only the scopes without which Bellhop can't start.
 * @param granted undefined if a proxy drops Slack's list
 */
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
