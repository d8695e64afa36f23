import { z } from 'zod';

import { areas } from '../../areas/index.ts';
import { createRegistry } from '../../command/grammar/registry.ts';
import { serviceVariables, slackVariables } from '../../config/environment/variables.ts';
import { channel, instanceId, member, name, usergroup } from '../../model/rulebook/schema-parts.ts';
import { badInput, ServiceError } from '../../model/values/errors.ts';
import { operations } from '../../operations/index.ts';
import { newAndOld } from '../../program/secret-variables.ts';
import { manifestOf, newAppLink } from '../../slack/manifest.ts';
import { note, publicAddress } from '../cli/command.ts';
import { type Answers, hasTerminal, type Questions } from './asker.ts';

const variables = { ...slackVariables(true).shape, ...serviceVariables(true).shape };

/** `<#C0OPS|ops>`, `<@U0ALICE>` and `<!subteam^S0ONCALL>` are mentions as Slack writes them. */
const mention = /^<(?:[#@]|!subteam\^)([^|>]+)(?:\|[^>]*)?>$/u;
const idAs = (schema: z.ZodType) =>
  z.preprocess((typed) => mention.exec(String(typed))?.[1] ?? typed, schema);

const handle = z.string().startsWith('@');

const isFar = (answers: Answers): boolean => answers('service') !== 'local';

const wholeNumber = z.string().regex(/^[1-9]\d{0,14}$/u, 'must be a whole number, 1 or more.');

/** From `web-1=6c6aa80f-…`. */
export const instanceIn = (answer: string): readonly string[] =>
  /^([^=]+)=(.+)$/u.exec(answer)?.slice(1) ?? [];

export const questions: Questions = {
  address: {
    what: 'the address where Slack reaches Bellhop (https://…; empty for Socket Mode, which needs none)',
    unread: (answers) => (answers('SLACK_SIGNING_SECRET') === '' ? '' : undefined),
    schema: publicAddress,
    async check(address, { answers }) {
      if (address !== '' && answers('SLACK_APP_TOKEN') !== '')
        throw badInput('SLACK_APP_TOKEN is for Socket Mode. Unset it, or run setup without --address.');
      const manifest = manifestOf(createRegistry(operations, []), address === '' ? 'socket' : { address });
      if (hasTerminal())
        note(
          `Create the Slack app with this link, and install it in your workspace. If you already have the app, skip this step:\n${newAppLink(manifest)}`,
        );
    },
  },
  SLACK_BOT_TOKEN: {
    what: 'the bot token of the app (xoxb-…, under OAuth & Permissions)',
    schema: variables.SLACK_BOT_TOKEN,
    check: (token, { slack }) => slack.useBot(token),
  },
  SLACK_SIGNING_SECRET: {
    what: 'the signing secret of the app (under Basic Information)',
    when: (answers) => answers('address') !== '',
    schema: variables.SLACK_SIGNING_SECRET,
    async check(secret) {
      note('SLACK_SIGNING_SECRET was not checked: only Slack can. If commands do nothing, copy it again.');
      if (!/^[0-9a-f]{32}$/iu.test(secret))
        note('A signing secret has 32 hexadecimal digits. This is not one. Copy it from Basic Information.');
    },
  },
  SLACK_APP_TOKEN: {
    what: 'an app-level token with connections:write (xapp-…, under Basic Information)',
    when: (answers) => answers('address') === '',
    schema: variables.SLACK_APP_TOKEN,
    check: (token, { answers, slack }) => slack.checkApp(token, answers('SLACK_BOT_TOKEN')),
  },
  channel: {
    what: 'the id of the channel for commands (C…, at the bottom of “View channel details”; checked only with the scope channels:read)',
    schema: idAs(channel),
    check: (id, { slack }) =>
      slack.existing('channel', id, 'Check the id, or type “/invite @bellhop” in a private channel.'),
  },
  me: {
    what: 'your member id (U…, “Copy member ID” in your profile), or your e-mail address (needs the scope users:read.email)',
    schema: idAs(z.union([member, z.email()], 'must be your member id (U…) or e-mail address, not a name.')),
    async check(typed, { slack }) {
      const id = typed.includes('@') ? await slack.userOf(typed) : typed;
      return slack.existing('user', id, 'Give your own member id.');
    },
  },
  group: {
    what: 'the user group of the people on call (S… or @handle; empty for only you)',
    unread: () => '',
    schema: idAs(z.union([usergroup, handle], 'must be an id (S…) or a handle with @, such as @oncall.')),
    async check(typed, { slack }) {
      const id = typed.startsWith('@') ? await slack.groupOf(typed) : typed;
      return id && slack.existing('user group', id, 'Give another one.');
    },
  },
  service: {
    what: 'the address of the service (https://…), or local to simulate it',
    unread: () => 'local',
    schema: variables.API_BASE_URL,
  },
  API_KEY: { what: 'the API key of the service', when: isFar, schema: variables.API_KEY },
  project: { what: 'the number of the project', when: isFar, schema: wholeNumber },
  region: { what: 'the number of the region', when: isFar, schema: wholeNumber },
  instance: {
    what: 'one instance as name=id (web-1=6c6aa80f-…)',
    when: isFar,
    schema: z
      .string()
      .transform(instanceIn)
      .pipe(z.tuple([name, instanceId], 'must be a name and an id, such as web-1=6c6aa80f-….')),
    repeatFrom(error) {
      if (error.code === 'unknown-target') return 'project';
      if (!(error instanceof ServiceError)) return undefined;
      return error.status === 401 || error.status === 403 ? 'API_KEY' : 'service';
    },
    async check(answer, { answers }) {
      const [called = '', id = ''] = instanceIn(answer);
      const instance = { called, id, project: Number(answers('project')), region: Number(answers('region')) };
      const service = { baseUrl: answers('service'), apiKeys: () => newAndOld(answers('API_KEY')) };
      for (const { tryOut } of areas)
        if (tryOut)
          note(await tryOut(service, instance).catch((error: unknown) => throwWith(error, service)));
    },
  },
};

/** Names the address that did not answer, because it may be mistyped. */
function throwWith(error: unknown, { baseUrl }: { readonly baseUrl: string }): never {
  if (!(error instanceof ServiceError) || !error.noAnswer) throw error;
  const { why, todo = 'Check the address, and that the service runs' } = error.noAnswer;
  throw new ServiceError(error.outcome, `${baseUrl} did not answer: ${why}. ${todo}.`, error);
}
