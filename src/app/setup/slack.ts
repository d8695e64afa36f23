import pino from 'pino';

import { withheldText } from '../../model/introspection.ts';
import { badInput, BellhopError } from '../../model/values/errors.ts';
import { createGrantedScopes } from '../../slack/web-api/scopes.ts';
import { SlackError } from '../../slack/web-api/slack-error.ts';
import { createSlackLanes } from '../../slack/web-api/web-client.ts';
import { problemWith } from '../cli/check-slack.ts';
import { note } from '../cli/command.ts';
import { systemClock } from '../process/this-process.ts';
import { appTokenSetting, checkBotToken, orSay } from '../slack-tokens.ts';

export type SetupSlack = ReturnType<typeof openSlack>;

const log = pino({ level: 'silent' });

/** Calls use the bot token that was last accepted. */
export function openSlack(slackApiUrl: string) {
  let [token, team] = ['', ''];
  const scopes = createGrantedScopes(log);
  const lanes = createSlackLanes({ token: () => token, slackApiUrl, clock: systemClock, log, scopes });
  const api = lanes.answers;
  return {
    slackApiUrl,
    api,
    async useBot(botToken: string): Promise<void> {
      token = botToken;
      ({ teamId: team } = await checkBotToken(api, slackApiUrl, scopes));
      for (const one of scopes.withheld()) note(withheldText(one));
    },
    async checkApp(appToken: string, botToken: string): Promise<void> {
      token = appToken;
      await orSay(slackApiUrl, appTokenSetting, api.checkAppToken);
      token = botToken;
    },
    /** @throws BellhopError with what `check --slack` would find, and what to do instead */
    async existing(kind: 'channel' | 'user' | 'user group', id: string, instead: string): Promise<string> {
      const problem = await problemWith(api, team, { kind, id }).catch((error: unknown) => {
        if (!(error instanceof SlackError) || error.slackCode !== 'missing_scope') throw error;
        return { text: 'was not checked.', advice: error.message, code: error.slackCode };
      });
      if (problem?.code === 'missing_scope') note(`${id} ${problem.text} ${problem.advice}`);
      else if (problem) {
        const answered = problem.code ? `Slack answered “${problem.code}”: ` : '';
        throw badInput(`${answered}${id} ${problem.text} ${instead}`);
      } else if (kind === 'user' && (await api.person(id)).isGuest)
        note(`${id} is a guest. A role admits guests only by id. “anyone” does not include guests.`);
      return id;
    },
    async userOf(email: string): Promise<string> {
      const id = await api.userByEmail(email).catch((error: unknown) => {
        if (!(error instanceof BellhopError) || error.code !== 'configuration') throw error;
        throw badInput(`${email} was not looked up, because ${error.message}. ${memberId}`);
      });
      if (id !== undefined) return id;
      throw badInput(`Slack answered “users_not_found”: no one has the address ${email}. ${memberId}`);
    },
    async groupOf(handle: string): Promise<string> {
      const [id] = [...(await api.usergroupHandles())].find(([, one]) => `@${one}` === handle) ?? [];
      if (id !== undefined) return id;
      throw badInput(`Slack lists no user group ${handle}. Check the spelling, or give its id (S…).`);
    },
    close: () => lanes.close(),
  };
}

const memberId = 'Give your member id: U…, “Copy member ID” in your profile.';
