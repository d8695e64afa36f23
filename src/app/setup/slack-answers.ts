import pino from 'pino';

import { slackVariables } from '../../config/environment/variables.ts';
import { withheldText } from '../../model/introspection.ts';
import { channel, member, usergroup } from '../../model/rulebook/schema-parts.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import { personOf } from '../../slack/web-api/directory.ts';
import { createGrantedScopes } from '../../slack/web-api/scopes.ts';
import type { SlackApi } from '../../slack/web-api/slack-api.ts';
import { SlackError } from '../../slack/web-api/slack-error.ts';
import { createSlackLanes, type SlackLanes } from '../../slack/web-api/web-client.ts';
import { systemClock } from '../process/this-process.ts';
import { appTokenSetting, checkBotToken, orSay } from '../slack-tokens.ts';
import { type Asker, note } from './asker.ts';
import { parsed, secretAnswer, type Setting } from './secret-answers.ts';

export interface SlackAccess {
  readonly api: SlackApi;
  readonly token: () => string;
  readonly teamId: string;
}

const log = pino({ level: 'silent' });
const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, SLACK_SIGNING_SECRET } = slackVariables(true).shape;

/** Asks for the secrets of the app, and checks each. `opened` gets the clients, which the caller closes. */
export async function slackAnswers(
  asker: Asker,
  slackApiUrl: string,
  mode: 'http' | 'socket',
  opened: (lanes: SlackLanes) => SlackLanes,
): Promise<{ readonly access: SlackAccess; readonly settings: readonly Setting[] }> {
  const lanesWith = (token: string, scopes?: ReturnType<typeof createGrantedScopes>) =>
    opened(
      createSlackLanes({
        token: () => token,
        slackApiUrl,
        clock: systemClock,
        log,
        ...(scopes && { scopes }),
      }),
    );
  const bot = await secretAnswer(
    asker,
    'SLACK_BOT_TOKEN',
    'the bot token of the app (xoxb-…, under OAuth & Permissions)',
    async (token): Promise<SlackAccess> => {
      parsed('SLACK_BOT_TOKEN', SLACK_BOT_TOKEN, token);
      const scopes = createGrantedScopes(log);
      const { answers: api } = lanesWith(token, scopes);
      const { teamId } = await checkBotToken(api, slackApiUrl, scopes);
      for (const one of scopes.withheld()) note(withheldText(one));
      return { api, token: () => token, teamId };
    },
  );
  const second =
    mode === 'http'
      ? await secretAnswer(
          asker,
          'SLACK_SIGNING_SECRET',
          'the signing secret of the app (under Basic Information)',
          (secret) => void parsed('SLACK_SIGNING_SECRET', SLACK_SIGNING_SECRET, secret),
        )
      : await secretAnswer(
          asker,
          'SLACK_APP_TOKEN',
          'an app-level token with connections:write (xapp-…, under Basic Information)',
          async (token) => {
            parsed('SLACK_APP_TOKEN', SLACK_APP_TOKEN, token);
            await orSay(slackApiUrl, appTokenSetting, () => lanesWith(token).answers.checkAppToken());
          },
        );
  return { access: bot.checked, settings: [bot.setting, second.setting] };
}

/** Resolves to undefined, with a note, if the app lacks the scope. @param wrong what Slack's codes mean */
async function lookUp<T>(
  what: string,
  scope: string,
  look: () => Promise<T>,
  wrong: Readonly<Record<string, string>>,
): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    if (error.slackCode === 'missing_scope') {
      note(`${what} was not checked: the app lacks the scope ${scope}.`);
      return undefined;
    }
    const why = wrong[error.slackCode];
    throw why === undefined
      ? error
      : badInput(`Slack answered “${error.slackCode}”: ${why}`, { cause: error });
  }
}

/** `<#C0OPS|ops>`, `<@U0ALICE>` and `<!subteam^S0ONCALL>` are mentions as Slack writes them. */
const idIn = (text: string): string => /^<(?:[#@]|!subteam\^)([^|>]+)(?:\|[^>]*)?>$/u.exec(text)?.[1] ?? text;

export const channelAnswer = (asker: Asker, { api }: SlackAccess, given: string | undefined) =>
  asker.answer(
    {
      name: '--channel',
      what: 'the id of the channel for commands (C…, at the bottom of “View channel details”; checked only with the scope channels:read)',
      given,
    },
    async (answer) => {
      const id = parsed('--channel', channel, idIn(answer));
      const found = await lookUp(`Channel ${id}`, 'channels:read or groups:read', () => api.channel(id), {
        channel_not_found: `it has no channel ${id}, or Bellhop is not in that private channel. Check the id, or type “/invite @bellhop” there.`,
      });
      if (found?.isArchived) throw badInput(`The channel ${id} is archived. Give another channel.`);
      return id;
    },
  );

export const personAnswer = (asker: Asker, access: SlackAccess, given: string | undefined) =>
  asker.answer(
    {
      name: '--me',
      what: 'your member id (U…, “Copy member ID” in your profile), or your e-mail address (needs the scope users:read.email)',
      given,
    },
    async (answer) => {
      const id = idIn(answer);
      return checkPerson(access, /^[^@\s]+@[^@\s]+$/u.test(id) ? await userOf(access.api, id) : id);
    },
  );

async function checkPerson({ api, teamId }: SlackAccess, answer: string): Promise<string> {
  const id = parsed('--me', member, answer);
  const found = await lookUp(`Member ${id}`, 'users:read', () => api.person(id), {
    user_not_found: `it has no member ${id}. Use “Copy member ID” in your profile.`,
    user_not_visible: `the app can't see ${id}. Give a member of its own workspace.`,
  });
  if (found?.isBot) throw badInput(`${id} is a bot. Give your own member id.`);
  if (found && !personOf({ team: teamId, user: id }, found, teamId).active)
    throw badInput(`${id} has left, or is not a member of this workspace. Give your own member id.`);
  return id;
}

async function userOf(api: SlackApi, email: string): Promise<string> {
  const instead = 'Give your member id: U…, “Copy member ID” in your profile.';
  const id = await api.userByEmail(email).catch((error: unknown) => {
    if (!(error instanceof BellhopError) || error.code !== 'configuration') throw error;
    throw badInput(`${email} was not looked up, because ${error.message}. ${instead}`, { cause: error });
  });
  if (id !== undefined) return id;
  throw badInput(`Slack answered “users_not_found”: no one has the address ${email}. ${instead}`);
}

export const groupAnswer = (asker: Asker, { api }: SlackAccess, given: string | undefined) =>
  asker.answer(
    {
      name: '--group',
      what: 'the user group of the people on call (S… or @handle; empty for only you)',
      given,
      isOptional: true,
    },
    async (answer) => {
      if (answer === '') return undefined;
      const id = parsed('--group', usergroup, await groupOf(api, idIn(answer)));
      const members = await lookUp(`User group ${id}`, 'usergroups:read', () => api.usergroupMembers(id), {
        no_such_subteam: `it has no user group ${id}. Give the id or the handle of one.`,
      });
      if (members?.length === 0) throw badInput(`The user group ${id} has no members. Give another one.`);
      return id;
    },
  );

/** The id of the group with this handle. */
async function groupOf(api: SlackApi, answer: string): Promise<string> {
  if (!answer.startsWith('@')) return answer;
  const handles = await lookUp(`User group ${answer}`, 'usergroups:read', () => api.usergroupHandles(), {});
  const found = [...(handles ?? [])].find(([, handle]) => `@${handle}` === answer);
  if (found) return found[0];
  throw badInput(`Slack lists no user group ${answer}. Give its id: S….`);
}
