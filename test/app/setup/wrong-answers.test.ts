import { readdirSync } from 'node:fs';

import { expect, it, onTestFinished } from 'vitest';

import { openSlack } from '../../../src/app/setup/slack.ts';
import { fakeSlack, ok } from '../../slack/fake-slack.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { allScopes, directMessages, runSetup, secrets, surroundings } from './surroundings.ts';

// A workspace whose app may look at channels and addresses, so that a wrong one is noticed.
const around = surroundings(allScopes);

const right: Readonly<Record<string, string>> = {
  channel: 'C0OPS',
  me: 'U0ALICE',
  group: 'S0ONCALL',
  service: 'local',
};
const far = { service: 'https://api.example.com', project: '1', region: '76', instance: 'web-1=abc' };
const http = { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: secrets.signing };

interface Wrong {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly options?: Readonly<Record<string, string>>;
}

it.each<[what: string, wrong: Wrong, explained: RegExp]>([
  [
    "a user's token",
    { env: { SLACK_BOT_TOKEN: 'xoxp-1' } },
    /^SLACK_BOT_TOKEN is a user token: use the Bot User OAuth Token \(xoxb-…\)\./u,
  ],
  [
    'a token that Slack does not know',
    { env: { SLACK_BOT_TOKEN: 'xoxb-other' } },
    /did not accept SLACK_BOT_TOKEN: invalid_auth\. Copy the Bot User OAuth Token again\./u,
  ],
  [
    'the bot token as app token',
    { env: { SLACK_APP_TOKEN: secrets.bot } },
    /^SLACK_APP_TOKEN is a bot token, which belongs in SLACK_BOT_TOKEN/u,
  ],
  [
    'an app token that Slack does not know',
    { env: { SLACK_APP_TOKEN: 'xapp-other' } },
    /did not accept SLACK_APP_TOKEN: invalid_auth\. Generate an app-level token with the scope connections:write/u,
  ],
  [
    'a token as signing secret',
    { env: { ...http, SLACK_SIGNING_SECRET: 'xapp-1' }, options: { address: 'https://b.example.com' } },
    /^SLACK_SIGNING_SECRET is not a signing secret\. Copy it from Basic Information/u,
  ],
  [
    'an address without TLS',
    { env: http, options: { address: 'http://bellhop.example.com' } },
    /^--address starts with http:\/\/.*Use https:\/\/\./u,
  ],
  [
    'an address for Socket Mode',
    { options: { address: 'https://bellhop.example.com' } },
    /^SLACK_APP_TOKEN is for Socket Mode\. Unset it, or run setup without --address\./u,
  ],
  [
    'the address of something else than Slack',
    { env: { SLACK_API_URL: 'http://127.0.0.1:9/api/' } },
    /^Slack at http:\/\/127\.0\.0\.1:9\/api\/ cannot be reached/u,
  ],
  [
    'the name of a channel',
    { options: { channel: '#ops' } },
    /^--channel must be the id of a channel \(C…, G… or D…\), not its name\. It is at the bottom/u,
  ],
  [
    'a channel that Slack does not know',
    { options: { channel: 'C0GONE' } },
    /^Slack answered “channel_not_found”: C0GONE does not exist in Slack.* type “\/invite @bellhop” in a private channel\./u,
  ],
  [
    'a name',
    { options: { me: 'alice' } },
    /^--me must be your member id \(U…\) or e-mail address, not a name\./u,
  ],
  [
    'a person whom Slack does not know',
    { options: { me: 'U0GONE' } },
    /^Slack answered “user_not_found”: U0GONE does not exist in Slack, .* Give your own member id\./u,
  ],
  [
    'a person of another organization',
    { options: { me: 'U0SARA' } },
    /^U0SARA is not a member of your workspace\. Give your own member id\./u,
  ],
  [
    'the bot',
    { options: { me: 'U0BELLHOP' } },
    /^U0BELLHOP is a bot, which holds no role\. Give your own member id\./u,
  ],
  [
    'an address that no one has',
    { options: { me: 'stranger@example.com' } },
    /^Slack answered “users_not_found”: no one has the address stranger@example\.com\. Give your member id/u,
  ],
  [
    'a group that Slack does not know',
    { options: { group: 'S0GONE' } },
    /^Slack answered “no_such_subteam”: S0GONE does not exist in Slack/u,
  ],
  [
    'a handle that no group has',
    { options: { group: '@gone' } },
    /^Slack lists no user group @gone\. Check the spelling, or give its id \(S…\)\./u,
  ],
  [
    'a handle without @',
    { options: { group: 'oncall' } },
    /^--group must be an id \(S…\) or a handle with @, such as @oncall\./u,
  ],
  [
    'a service without TLS',
    { options: { service: 'http://api.example.com' } },
    /^--service starts with http:\/\/, which would send secrets unencrypted/u,
  ],
  [
    'a project without digits',
    { options: { ...far, project: 'mine' } },
    /^--project must be a whole number, 1 or more\./u,
  ],
  [
    'an instance without an id',
    { options: { ...far, instance: 'web-1' } },
    /^--instance must be a name and an id, such as web-1=6c6aa80f-…\./u,
  ],
])('explains a wrong answer: %s', async (_, { env, options }, explained) => {
  await expectRefusal({ API_KEY: secrets.key, ...env }, { ...right, ...options }, explained);
});

it('explains a wrong answer: a person who has left', async () => {
  const slack = await fakeSlack();
  slack.answers = [ok({ user: { id: 'U0LEFT', deleted: true } })];
  const setup = openSlack(slack.apiUrl);
  onTestFinished(async () => {
    await setup.close();
    await slack.close();
  });
  await expect(setup.existing('user', 'U0LEFT', 'Give your own member id.')).rejects.toThrow(
    /^U0LEFT has left the workspace\. Give your own member id\.$/u,
  );
});

it('explains a wrong answer with --dry-run, too', async () => {
  const { code, err } = await runSetup(
    ['--dry-run', ...argsOf({ ...right, me: 'U0SARA' })],
    around().env,
    temporaryFolder(),
  );
  expect([code, err]).toEqual([1, 'U0SARA is not a member of your workspace. Give your own member id.\n']);
});

it('explains what the service says', async () => {
  const options = { ...right, ...far, service: around().service.url };
  await expectRefusal(
    { API_KEY: 'wrong' },
    options,
    /The service answered GET \S+ with 401 .* Check API_KEY: the service does not accept it\./u,
  );
  await expectRefusal(
    { API_KEY: secrets.key },
    { ...options, service: 'http://127.0.0.1:9' },
    /^http:\/\/127\.0\.0\.1:9\/ did not answer: the connection was refused\. Check the address, and that the service runs\.\n$/u,
  );
  await expectRefusal(
    { API_KEY: secrets.key },
    { ...options, service: 'https://service.invalid' },
    /^https:\/\/service\.invalid\/ did not answer: (?:its host name does not resolve|DNS is not responding)\. Check the address/u,
  );
  await expectRefusal(
    { API_KEY: secrets.key },
    options,
    /^The service has no instance abc in project 1, region 76\. Check the id and both numbers\.\n$/u,
  );
});

const argsOf = (options: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);

async function expectRefusal(
  env: Readonly<Record<string, string | undefined>>,
  options: Readonly<Record<string, string>>,
  explained: RegExp,
): Promise<void> {
  const folder = temporaryFolder();
  const { code, out, err } = await runSetup(argsOf(options), { ...around().env, ...env }, folder);
  expect(err).toMatch(explained);
  expect([code, out]).toEqual([1, '']);
  expect(readdirSync(folder)).toEqual([]);
  expect(await directMessages(around())).toEqual([]);
  for (const secret of Object.values(secrets)) expect(err).not.toContain(secret);
}
