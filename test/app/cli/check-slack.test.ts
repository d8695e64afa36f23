import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { startWorkspace, type Workspace } from '../../../playground/workspace/start-workspace.ts';
import { freePort } from '../../free-port.ts';
import { gesture } from '../../program/workspace-page.ts';
import { fakeSlack, member, ok, refused, status } from '../../slack/fake-slack.ts';
import { runConfig } from './run-config.ts';
import { serve } from '../../serve.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const token = 'xoxb-check';

let dataDir: string;
let workspace: Workspace;
beforeAll(async () => {
  dataDir = temporaryFolder();
  workspace = await startWorkspace({
    port: 0,
    dataDir,
    botToken: token,
    signingSecret: 'secret',
    manifestPath: '',
    manifest: {
      display_information: { name: 'Checker' },
      oauth_config: { scopes: { bot: ['users:read', 'usergroups:read', 'channels:read'] } },
    },
  });
});
afterAll(() => workspace.close());

interface Ids {
  readonly users?: string;
  readonly usergroups?: string;
  readonly channels?: string;
  readonly told?: string;
}

/** Rules without a warning of their own. */
const rules = ({
  users = 'U0ALICE',
  usergroups = 'S0ONCALL',
  channels = 'C0OPS',
  told = 'C0GENERAL',
}: Ids = {}): string => `roles:
  ops: { users: [${users}], usergroups: [${usergroups}] }
rules:
  - { risk: [change, destructive], then: deny }
  - { risk: read, roles: [ops], channels: [${channels}], then: allow }
announce: { break_glass: ${told} }
`;

const check = (text: string, env: Readonly<Record<string, string>> = {}, ...more: readonly string[]) =>
  runConfig(
    ['check', '--slack', ...more],
    { 'bellhop.yaml': text },
    { SLACK_BOT_TOKEN: token, SLACK_API_URL: `${workspace.url}/api`, ...env },
  );

/** A Slack that answers `auth.test`, and then gives these answers. */
async function slackWith(...answers: Awaited<ReturnType<typeof fakeSlack>>['answers']): Promise<string> {
  const slack = await fakeSlack();
  onTestFinished(() => slack.close());
  slack.answers = [ok({ team_id: 'T0LOCAL', user_id: 'U0BELLHOP' }), ...answers];
  return slack.apiUrl;
}

const drill = (drills: { readonly web_api_down: boolean }) =>
  gesture(workspace, 'slack-drills', { as: 'U0ALICE', drills });

const notChecked = (why: string, sentence: string) => ({
  code: 1,
  out: '',
  err: `People, user groups and channels are not checked (${why}). ${sentence}\n`,
});

describe('npm run config -- check --slack', () => {
  it('finds nothing if everyone and everything exists', async () => {
    const text = rules({ users: 'U0ALICE, U0BOB, T0LOCAL/U0CAROL, T0OTHER/U0SARA' });
    expect(await check(text, {}, '--strict')).toEqual({ code: 0, out: 'bellhop.yaml is good.\n', err: '' });
  });

  it('names each id that Slack does not know, with its place', async () => {
    const text = rules({
      users: 'U0ALICE, U0NOBODY',
      usergroups: 'S0GONE',
      channels: 'C0OPS, C0GONE',
      told: 'C0LOST',
    });
    const ran = await check(text, {}, '--strict');
    expect(ran).toMatchObject({ code: 2, err: '' });
    expect(ran.out).toMatchInlineSnapshot(`
      "bellhop.yaml:2:27: warning: roles.ops.users[1]: U0NOBODY does not exist in Slack, or the bot can't see it. Fix or remove this id.
      bellhop.yaml:2:51: warning: roles.ops.usergroups[0]: S0GONE does not exist in Slack, or the bot can't see it. Fix or remove this id.
      bellhop.yaml:5:51: warning: rules[1].channels[1]: C0GONE does not exist in Slack, or the bot can't see it. Fix the id, or invite Bellhop.
      bellhop.yaml:6:26: warning: announce.break_glass: C0LOST does not exist in Slack, or the bot can't see it. Fix the id, or invite Bellhop.
      bellhop.yaml: 0 errors, 4 warnings.
      "
    `);
  });

  it('names people who have left, empty user groups and archived channels', async () => {
    const SLACK_API_URL = await slackWith(
      ok({ user: { id: 'U0ALICE', deleted: true } }),
      ok({ users: [] }),
      ok({ channel: { is_archived: true } }),
      ok({ channel: { is_archived: false } }),
    );
    const ran = await check(rules(), { SLACK_API_URL });
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatchInlineSnapshot(`
      "bellhop.yaml:2:18: warning: roles.ops.users[0]: U0ALICE has left the workspace. Remove this id.
      bellhop.yaml:2:41: warning: roles.ops.usergroups[0]: S0ONCALL has no members. Add people to it in Slack, or remove this id.
      bellhop.yaml:5:44: warning: rules[1].channels[0]: C0OPS is archived. Use another channel.
      bellhop.yaml: 0 errors, 3 warnings.
      "
    `);
  });

  it('names who is from another organization, whom only T…/U… matches', async () => {
    expect((await check(rules({ users: 'U0ALICE, U0SARA' }))).out).toContain(
      'warning: roles.ops.users[1]: U0SARA is not a member of your workspace. Remove this id.',
    );
  });

  it('names the channel of a hook that the bot is not in', async () => {
    const SLACK_API_URL = await slackWith(ok({ channel: { is_archived: false, is_member: false } }));
    const hook = 'hooks:\n  own: { secret: secret:own, channel: C0INC42, kind: alertmanager }\n';
    const ran = await check(`project: 1\nregion: 76\n${hook}`, { SLACK_API_URL });
    expect(ran.out).toContain(
      'hooks.own.channel: C0INC42 does not have Bellhop as a member. Alerts are posted there, but mentions',
    );
  });

  it('says that Slack cannot be asked who signed in', async () => {
    const identity =
      'identity: { issuer: "https://login.example.com", client_id: b, client_secret: secret:oidc, match: email }\n';
    expect((await check(`${rules()}${identity}`)).out).toContain(
      'warning: identity.match: the app lacks the scope users:read.email. Add it under OAuth & Permissions, and reinstall the app.',
    );
  });

  it.each([
    ['without its trailing slash, to authentik 2026.8', '/application/o/bellhop', '/application/o/bellhop/'],
    ['with a slash too many, to Keycloak 26', '/realms/ops/', '/realms/ops'],
    ['in other letters, to Keycloak 26', '/realms/Ops', '/realms/ops'],
    ['right', '/application/o/bellhop/', '/application/o/bellhop/'],
  ])('says how to write an issuer that is written %s', async (_, written, named) => {
    const { url, close } = await serve((request, response) => {
      const isKnown =
        request.url?.toLowerCase() === `${named.replace(/\/$/u, '')}/.well-known/openid-configuration`;
      const endpoints = { authorization_endpoint: `${url}/authorize/`, token_endpoint: `${url}/token/` };
      const document = { issuer: `${url}${named}`, ...endpoints, jwks_uri: `${url}/jwks/` };
      response
        .writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
        .end(JSON.stringify(document));
    });
    onTestFinished(close);
    const identity = `identity: { issuer: "${url}${written}", client_id: b, client_secret: secret:oidc }\n`;
    const { out } = await check(`people: { carol@example.com: U0CAROL }\n${rules()}${identity}`);
    const line =
      'bellhop.yaml:8:21: warning: identity.issuer: The SSO provider calls itself ' +
      `${url}${named}. Write exactly that as identity.issuer in bellhop.yaml.`;
    const found = out.split('\n').filter((one) => one.includes('identity.issuer'));
    expect(found).toEqual(written === named ? [] : [line]);
  });

  it('says that an issuer is for the people of any tenant, as “common” of Microsoft Entra ID', async () => {
    const { url, close } = await serve((_, response) => {
      const endpoints = { authorization_endpoint: `${url}/authorize`, token_endpoint: `${url}/token` };
      const document = { issuer: `${url}/{tenantid}/v2.0`, ...endpoints, jwks_uri: `${url}/keys` };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(document));
    });
    onTestFinished(close);
    const identity = `identity: { issuer: "${url}/common/v2.0", client_id: b, client_secret: secret:oidc }\n`;
    const { out } = await check(`people: { carol@example.com: U0CAROL }\n${rules()}${identity}`);
    expect(out).toContain('identity.issuer: This issuer is for all tenants.');
    expect(out).not.toContain('Write exactly that');
  });

  it('says that an issuer has no discovery document', async () => {
    const identity = `identity: { issuer: "${workspace.url}/nowhere", client_id: b, client_secret: secret:oidc }\n`;
    const { out } = await check(`people: { carol@example.com: U0CAROL }\n${rules()}${identity}`);
    expect(out).toContain("identity.issuer: Bellhop can't read its discovery document from here.");
  });

  it('asks each schedule, and names its people who are not in Slack', async () => {
    const calendar = `${workspace.url}/schedule.ics`;
    const text = (people: string): string =>
      rules()
        .replace(
          'usergroups: [S0ONCALL] }',
          `usergroups: [S0ONCALL] }
  one: { users: [U0BOB], schedule: one }
  two: { users: [U0BOB], schedule: two }
  three: { users: [U0BOB], schedule: three }
schedules:
  one: { ical: "${calendar}", match: { ${people}: U0ALICE } }
  two: { ical: "${calendar}", match: email }
  three: { ical: "${workspace.url}/nowhere.ics", match: { ${people}: U0ALICE } }`,
        )
        .replace('roles: [ops]', 'roles: [ops, one, two, three]');
    const ran = await check(text('alise@example.com'));
    expect(ran).toMatchObject({ code: 0, err: '' });
    expect(ran.out).toMatchInlineSnapshot(`
      "bellhop.yaml:7:3: warning: schedules.one: names “alice@example.com”, who was not found in Slack. List them under people.
      bellhop.yaml:8:3: warning: schedules.two: names people by e-mail address, which Slack can't look up: the app lacks the scope users:read.email. Add it under OAuth & Permissions, and reinstall the app.
      bellhop.yaml:9:3: warning: schedules.three: answered 404.
      bellhop.yaml: 0 errors, 3 warnings.
      "
    `);
    expect((await check(text('alice@example.com'))).out).not.toContain('schedules.one');
  });

  it('says once that a token may not look at channels', async () => {
    const SLACK_API_URL = await slackWith(
      ok({ user: member }),
      ok({ users: ['U0ALICE'] }),
      refused('missing_scope'),
    );
    const ran = await check(rules(), { SLACK_API_URL }, '--strict');
    expect(ran).toMatchObject({ code: 2, err: '' });
    expect(ran.out).toMatchInlineSnapshot(`
      "bellhop.yaml:5:44: warning: rules[1].channels[0]: C0OPS was not checked, because the app can't look channels up without the scope channels:read (groups:read for private ones). Make sure that the id is right.
      bellhop.yaml: 0 errors, 1 warning.
      "
    `);
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['no token', { SLACK_BOT_TOKEN: ' ' }, 'Set SLACK_BOT_TOKEN, which --slack needs.'],
    [
      'a token that no header can carry',
      { SLACK_BOT_TOKEN: 'xoxb-one\nxoxb-two' },
      'SLACK_BOT_TOKEN has an invalid character.',
    ],
    [
      'an invalid address',
      { SLACK_API_URL: 'slack' },
      'SLACK_API_URL is not an address. Use one that starts with https://, such as https://slack.com/api/.',
    ],
    [
      'an address to which production sends no secret',
      { SLACK_API_URL: 'http://slack.example.com/api/', NODE_ENV: 'production' },
      'SLACK_API_URL starts with http://, which would send secrets unencrypted to another machine. Production needs https://.',
    ],
  ])('takes %s for a mistake in the command', async (_, env, line) => {
    expect(await check(rules(), env)).toEqual({
      code: 2,
      out: '',
      err: `${line} Help: npm run config -- --help\n`,
    });
  });

  it('fails in a line where Slack refuses the token, or no one answers', async () => {
    expect(await check(rules(), { SLACK_BOT_TOKEN: 'xoxb-other' })).toEqual(
      notChecked(
        'auth.test: invalid_auth',
        'Slack answered “invalid_auth” to auth.test. Set SLACK_BOT_TOKEN to a valid token.',
      ),
    );
    expect(await check(rules(), { SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api/` })).toEqual(
      notChecked(
        'auth.test: unreachable',
        "Slack can't be reached. Check SLACK_API_URL, the network and the proxy.",
      ),
    );
  });

  it('fails in a line while Slack is down', async () => {
    await drill({ web_api_down: true });
    onTestFinished(async () => void (await drill({ web_api_down: false })));
    expect(await check(rules())).toEqual(
      notChecked('auth.test: http_503', 'Slack answered “http_503” to auth.test.'),
    );
  });

  it.each([
    ['goes down', status(503), 'users.info: http_503', 'Slack answered “http_503” to users.info.'],
    [
      'limits the rate for long',
      status(429, { 'retry-after': '60' }),
      'users.info: ratelimited',
      'Slack is rate-limiting Bellhop. Wait a minute.',
    ],
    [
      'lacks a scope',
      refused('missing_scope'),
      'users.info: missing_scope',
      'The app lacks a scope. Ask a workspace admin to reinstall it.',
    ],
  ])('fails in a line where Slack %s halfway', async (_, answer, why, sentence) => {
    const SLACK_API_URL = await slackWith(answer);
    expect(await check(rules(), { SLACK_API_URL })).toEqual(notChecked(why, sentence));
  });
});
