import { z } from 'zod';

import { areas } from '../../areas/index.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import { serviceVariables, slackVariables } from '../../config/environment/variables.ts';
import { withheldText } from '../../model/introspection.ts';
import { channel, instanceId, member, name, usergroup } from '../../model/rulebook/schema-parts.ts';
import { badInput } from '../../model/values/errors.ts';
import { operations } from '../../operations/index.ts';
import { manifestOf, newAppLink } from '../../slack/manifest.ts';
import { note, readPublicAddress } from '../cli/command.ts';
import { appTokenSetting, checkBotToken, orSay } from '../slack-tokens.ts';
import { type Answers, hasTerminal, type Question } from './asker.ts';

const variables = { ...slackVariables(true).shape, ...serviceVariables(true).shape };
const wholeNumber = z.string().regex(/^[1-9]\d{0,14}$/u, 'takes a whole number, 1 or more.');

/** @throws BellhopError that begins with the name of the option or variable */
function parsed<T extends z.ZodType>(called: string, schema: T, text: string): z.output<T> {
  const { data, error } = schema.safeParse(text);
  if (error) throw badInput(`${called} ${error.issues.map(({ message }) => message).join(' ')}`);
  return data;
}

/** Checks an answer that stays as it was typed. */
function fits(called: string, schema: z.ZodType, answer: string): string {
  parsed(called, schema, answer);
  return answer;
}

/** `<#C0OPS|ops>`, `<@U0ALICE>` and `<!subteam^S0ONCALL>` are mentions as Slack writes them. */
const idIn = (text: string): string => /^<(?:[#@]|!subteam\^)([^|>]+)(?:\|[^>]*)?>$/u.exec(text)?.[1] ?? text;

const isFar = (answers: Answers): boolean => answers('service') !== 'local';

export const questions: readonly Question[] = [
  {
    name: 'address',
    what: 'the address where Slack reaches Bellhop (https://…; empty for Socket Mode, which needs none)',
    isOptional: (answers) => answers('SLACK_SIGNING_SECRET') === '',
    check(answer, answers) {
      if (answer !== '' && answers('SLACK_APP_TOKEN') !== '')
        throw badInput(
          'SLACK_APP_TOKEN is set, which is for Socket Mode. Unset it, or run setup without --address.',
        );
      const address = answer === '' ? '' : readPublicAddress(answer);
      const manifest = manifestOf(createRegistry(operations, []), address === '' ? 'socket' : { address });
      if (hasTerminal())
        note(
          `Create the Slack app with this link, and install it in your workspace. If you already have the app, skip this step:\n${newAppLink(manifest)}`,
        );
      return address;
    },
  },
  {
    name: 'SLACK_BOT_TOKEN',
    what: 'the bot token of the app (xoxb-…, under OAuth & Permissions)',
    async check(answer, _, slack) {
      slack.use(fits('SLACK_BOT_TOKEN', variables.SLACK_BOT_TOKEN, answer));
      await checkBotToken(slack.api, slack.slackApiUrl, slack.scopes);
      for (const one of slack.scopes.withheld()) note(withheldText(one));
      return answer;
    },
  },
  {
    name: 'SLACK_SIGNING_SECRET',
    what: 'the signing secret of the app (under Basic Information)',
    when: (answers) => answers('address') !== '',
    check(answer) {
      fits('SLACK_SIGNING_SECRET', variables.SLACK_SIGNING_SECRET, answer);
      note(
        'SLACK_SIGNING_SECRET was not checked: only a request from Slack can. If commands do nothing, copy it again.',
      );
      if (!/^[0-9a-f]{32}$/iu.test(answer))
        note(
          'It does not have the 32 hexadecimal digits of a signing secret. Copy it from Basic Information.',
        );
      return answer;
    },
  },
  {
    name: 'SLACK_APP_TOKEN',
    what: 'an app-level token with connections:write (xapp-…, under Basic Information)',
    when: (answers) => answers('address') === '',
    async check(answer, answers, slack) {
      slack.use(fits('SLACK_APP_TOKEN', variables.SLACK_APP_TOKEN, answer));
      await orSay(slack.slackApiUrl, appTokenSetting, slack.api.checkAppToken);
      slack.use(answers('SLACK_BOT_TOKEN'));
      return answer;
    },
  },
  {
    name: 'channel',
    what: 'the id of the channel for commands (C…, at the bottom of “View channel details”; checked only with the scope channels:read)',
    check(answer, _, slack) {
      const instead = 'Check the id, or type “/invite @bellhop” in a private channel.';
      return slack.existing('channel', parsed('--channel', channel, idIn(answer)), instead);
    },
  },
  {
    name: 'me',
    what: 'your member id (U…, “Copy member ID” in your profile), or your e-mail address (needs the scope users:read.email)',
    async check(answer, _, slack) {
      const typed = idIn(answer);
      const id = /^[^@\s]+@[^@\s]+$/u.test(typed) ? await slack.userOf(typed) : typed;
      return slack.existing('user', parsed('--me', member, id), 'Give your own member id.');
    },
  },
  {
    name: 'group',
    what: 'the user group of the people on call (S… or @handle; empty for only you)',
    isOptional: () => true,
    async check(answer, _, slack) {
      if (answer === '') return '';
      const id = answer.startsWith('@') ? await slack.groupOf(answer) : idIn(answer);
      if (!id.startsWith('S'))
        throw badInput('--group takes an id (S…) or a handle with @, such as @oncall.');
      return slack.existing('user group', parsed('--group', usergroup, id), 'Give another one.');
    },
  },
  {
    name: 'service',
    what: 'the address of the service (https://…), or local to simulate it',
    check: (answer) => (answer === 'local' ? answer : parsed('--service', variables.API_BASE_URL, answer)),
  },
  {
    name: 'API_KEY',
    what: 'the API key of the service',
    when: isFar,
    check: (answer) => fits('API_KEY', variables.API_KEY, answer),
  },
  ...(['project', 'region'] as const).map((place) => ({
    name: place,
    what: `the number of the ${place}`,
    when: isFar,
    check: (answer: string) => fits(`--${place}`, wholeNumber, answer),
  })),
  {
    name: 'instance',
    what: 'one instance as name=id (web-1=6c6aa80f-…)',
    when: isFar,
    repeatFrom: 'service',
    async check(answer, answers) {
      parsed('--instance', namedInstance, answer);
      const apiKeys = parsed('API_KEY', variables.API_KEY, answers('API_KEY'));
      const options = { baseUrl: answers('service'), apiKeys: () => apiKeys };
      const place = { project: Number(answers('project')), region: Number(answers('region')) };
      for (const { tryOut } of areas)
        if (tryOut) note(`The service answers: ${await tryOut(options, place)}.`);
      return answer;
    },
  },
];

/** The name and the id of `web-1=6c6aa80f-…`. */
export const instanceIn = (answer: string): readonly string[] =>
  /^([^=]+)=(.+)$/u.exec(answer)?.slice(1) ?? [];

const namedInstance = z
  .string()
  .regex(/^[^=]+=./u, 'takes a name and an id, such as web-1=6c6aa80f-….')
  .transform(instanceIn)
  .pipe(z.tuple([name, instanceId]));
