import type { SlackChoice } from '../config.ts';
import { readHttpUrl, type Settings } from './settings.ts';

const slackApi = 'https://slack.com/api/';

/** How Slack is reached. Undefined where a problem was found. */
export function readSlackChoice(settings: Settings): SlackChoice | undefined {
  const { production } = settings;
  const local = settings.value('SLACK_BOT_TOKEN') === 'local';
  if (settings.allLocal || (local && !production)) return 'local';
  if (local) {
    settings.problem(
      'SLACK_BOT_TOKEN',
      'is “local”, which production does not allow: set the bot token of the app.',
    );
  }
  const botToken = local ? undefined : readBotToken(settings);
  const apiUrl = readApiUrl(settings);
  if (settings.value('SLACK_APP_TOKEN') !== undefined) {
    const appToken = readAppToken(settings);
    return botToken && appToken && apiUrl ? { kind: 'socket', botToken, appToken, apiUrl } : undefined;
  }
  const signingSecret = readSigningSecret(settings);
  return botToken && signingSecret && apiUrl ? { kind: 'http', botToken, signingSecret, apiUrl } : undefined;
}

function readBotToken(settings: Settings): string | undefined {
  const token = settings.value('SLACK_BOT_TOKEN');
  if (token === undefined) {
    settings.problem(
      'SLACK_BOT_TOKEN',
      `is missing: set the bot token of the app (xoxb-…, under OAuth & Permissions)${localHint(settings)}.`,
    );
    return undefined;
  }
  if (/^xoxb-[A-Za-z0-9-]+$/u.test(token)) return token;
  settings.problem('SLACK_BOT_TOKEN', `${botTokenProblem(token)}: use the Bot User OAuth Token (xoxb-…).`);
  return undefined;
}

function botTokenProblem(token: string): string {
  if (token.startsWith('xapp-')) return 'holds an app-level token, which belongs into SLACK_APP_TOKEN';
  if (token.startsWith('xoxp-')) return 'holds the token of a user';
  if (token.startsWith('xoxe')) return 'holds a token that expires; turn off token rotation for the app';
  return token.startsWith('xoxb-') ? 'has a character that no token has' : 'is not a bot token';
}

function readAppToken(settings: Settings): string | undefined {
  const token = settings.value('SLACK_APP_TOKEN') ?? '';
  if (/^xapp-[A-Za-z0-9-]+$/u.test(token)) return token;
  const what = token.startsWith('xoxb-')
    ? 'holds a bot token, which belongs into SLACK_BOT_TOKEN'
    : 'is not an app-level token';
  settings.problem(
    'SLACK_APP_TOKEN',
    `${what}: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.`,
  );
  return undefined;
}

function readSigningSecret(settings: Settings): string | undefined {
  const secret = settings.value('SLACK_SIGNING_SECRET');
  if (secret === undefined) {
    settings.problem(
      'SLACK_SIGNING_SECRET',
      'is missing: set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
    );
    return undefined;
  }
  if (/^(?!xox|xapp-)[\x21-\x7e]+$/u.test(secret)) return secret;
  settings.problem(
    'SLACK_SIGNING_SECRET',
    'is not a signing secret: copy it from Basic Information of the app; it is no token and has no spaces.',
  );
  return undefined;
}

function readApiUrl(settings: Settings): string | undefined {
  if (settings.value('SLACK_API_URL') === undefined) return slackApi;
  const href = readHttpUrl(settings, 'SLACK_API_URL', slackApi)?.href;
  return href === undefined || href.endsWith('/') ? href : `${href}/`;
}

const localHint = (settings: Settings): string =>
  settings.production ? '' : ', or “local” to use the local workspace on purpose';
