import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

import { describe, expect, it, onTestFinished } from 'vitest';

import { parseRulebook } from '../../../src/config/rulebook/read-rulebook.ts';
import { operations } from '../../../src/operations/index.ts';
import { fakeSlack, member, ok, refused } from '../../slack/fake-slack.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { app1, directMessages, fileIn, modeOf, runSetup, secrets, surroundings } from './surroundings.ts';

const around = surroundings();
const { id } = app1;
const needed = surroundings(undefined, []);

const ids = ['--channel', 'C0OPS', '--me', 'U0ALICE', '--group', 'S0ONCALL'];
const real = ({ url } = around().service, project = '12') =>
  ['--service', url, '--project', project, '--region', '180', '--instance', `app-1=${id}`] as const;

const run = async (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
  folder = temporaryFolder(),
) => ({ ...(await runSetup(args, { ...around().env, ...env }, folder)), folder });

const noSecret = (text: string): void => {
  for (const secret of Object.values(secrets)) expect(text).not.toContain(secret);
};

describe('npm run setup, without a terminal', () => {
  it('writes the rules and the settings, and sends a direct message', async () => {
    const before = await directMessages(around());
    const { folder, code, out, err } = await run([...ids, ...real()], { API_KEY: secrets.key });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^bellhop\.yaml is good\.\nbellhop\.yaml and bellhop\.env are written\. The store will be in \/.+\/\.data-slack\.\nBellhop has sent you a direct message\.\nStart Bellhop: npm start -- --env-file bellhop\.env\n$/mu,
      ),
    ]);
    noSecret(out + err);
    expect(err).toMatch(
      /The service answers: \d+ available floating IPs? in project 12, region 180\. It has app-1\./u,
    );
    expect((out + err).match(/C0OPS/gu)).toHaveLength(1);
    expect((await directMessages(around())).slice(before.length)).toEqual([
      'Bellhop is set up. Start it, and go to <#C0OPS>. Type `/cloud reboot app-1`.',
    ]);
    expect(modeOf(folder, 'bellhop.env')).toBe('600');
    expect(parseEnv(fileIn(folder, 'bellhop.env'))).toEqual({
      SLACK_BOT_TOKEN: secrets.bot,
      SLACK_APP_TOKEN: secrets.app,
      // Not the store of the simulated Slack, which the tour leaves in .data.
      DATA_DIR: join(folder, '.data-slack'),
      API_BASE_URL: `${around().service.url}/`,
      API_KEY: secrets.key,
      SLACK_API_URL: `${around().workspace.url}/api/`,
    });
    const text = fileIn(folder, 'bellhop.yaml');
    expect(text).not.toMatch(/U0CAROL|U0DAVE|db-1|1186668|6c6aa80f/u);
    expect(text).toContain('# The first rule that matches decides.');
    expect(text).toMatch(/^version: 1$/mu);
    const read = parseRulebook(Buffer.from(text), 'bellhop.yaml', operations);
    expect(read).toMatchObject({
      ok: true,
      rulebook: {
        inventory: { project: 12, region: 180, instances: { 'app-1': { id, labels: { env: 'staging' } } } },
        policy: {
          roles: {
            responders: { users: ['U0ALICE'], usergroups: ['S0ONCALL'] },
            leads: { users: [], usergroups: ['S0ONCALL'] },
          },
        },
        sections: { 'break-glass': 'C0OPS' },
      },
    });
    const rules = read.ok ? read.rulebook.policy.rules : [];
    expect(rules.find(({ name }) => name === 'staging')).toMatchObject({ channels: ['C0OPS'] });
  });

  it('takes ids from mentions, the handle of a group, and the local service, over HTTP', async () => {
    const env = { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: secrets.signing };
    const args = [
      '--channel',
      '<#C0OPS|ops>',
      '--me',
      '<@U0ALICE>',
      '--group',
      '@oncall',
      '--service',
      'local',
    ];
    const { folder, code, err } = await run(
      [...args, '--address', 'https://bellhop.example.org/slack/events'],
      env,
    );
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        "C0OPS was not checked, because the app can't look channels up without the scope channels:read (groups:read for private ones). Make sure that the id is right.\n",
      ),
    ]);
    expect(err).toContain(
      'SLACK_SIGNING_SECRET was not checked: only Slack can. If commands do nothing, copy it again.\nA signing secret has 32 hexadecimal digits',
    );
    expect(parseEnv(fileIn(folder, 'bellhop.env'))).toEqual({
      SLACK_BOT_TOKEN: secrets.bot,
      SLACK_SIGNING_SECRET: secrets.signing,
      DATA_DIR: join(folder, '.data-slack'),
      API_BASE_URL: 'local',
      SLACK_API_URL: `${around().workspace.url}/api/`,
      PUBLIC_URL: 'https://bellhop.example.org',
    });
    expect(fileIn(folder, 'bellhop.yaml')).toContain(
      'responders: { users: [U0ALICE], usergroups: [S0ONCALL] }',
    );
  });

  it('says what it could not check at a service without extensions', async () => {
    const { err, code } = await run([...ids, ...real(needed().service, '42')], { API_KEY: secrets.key });
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        "The service answers: 0 available floating IPs in project 42, region 180. If you expected some, check both numbers.\napp-1 was not checked, because the service can't list its instances. The first reboot shows whether the id is right.\n",
      ),
    ]);
  });

  it('says that a guest has few roles', async () => {
    const { code, err } = await run(['--channel', 'C0OPS', '--me', 'U0GUS', '--service', 'LOCAL']);
    expect([code, err]).toEqual([
      0,
      expect.stringContaining(
        'U0GUS is a guest. A role admits guests only by id. “anyone” does not include guests.\n',
      ),
    ]);
  });

  it('keeps the good files if the direct message cannot be sent', async () => {
    const slack = await fakeSlack();
    onTestFinished(() => slack.close());
    slack.answers = [
      ok({ team_id: 'T0LOCAL', user_id: 'U0BELLHOP' }),
      ok(),
      ok({ channel: {} }),
      ok({ user: member }),
      ok({ user: member }),
      refused('messages_tab_disabled'),
    ];
    const args = ['--channel', 'C0OPS', '--me', 'U0ALICE', '--service', 'local'];
    const { folder, code, out } = await run(args, { SLACK_API_URL: slack.apiUrl });
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /\nThe direct message to U0ALICE could not be sent \(messages_tab_disabled\)\. Both files were written\.\nStart Bellhop: npm start -- --env-file bellhop\.env\n$/u,
      ),
    ]);
    expect(readdirSync(folder)).toEqual(['bellhop.env', 'bellhop.yaml']);
  });

  it('keeps the store in DATA_DIR, if that is set', async () => {
    const { folder } = await run([...ids, '--service', 'local'], { DATA_DIR: 'kept' });
    expect(parseEnv(fileIn(folder, 'bellhop.env'))).toMatchObject({ DATA_DIR: join(folder, 'kept') });
  });

  it('denies what a lead has to approve if there is no group', async () => {
    const { folder, code } = await run(['--channel', 'C0OPS', '--me', 'U0ALICE', '--service', 'local']);
    expect(code).toBe(0);
    expect(fileIn(folder, 'bellhop.yaml')).toContain(
      'responders: { users: [U0ALICE] }\n  leads: { users: [U0ALICE] }',
    );
  });

  it('leaves a secret in its file, and writes a key with any letter so that Node reads it', async () => {
    const keys = temporaryFolder();
    writeFileSync(join(keys, 'token'), `${secrets.bot}\n`);
    const env = { SLACK_BOT_TOKEN: undefined, SLACK_BOT_TOKEN_FILE: join(keys, 'token') };
    const { folder, code } = await run(
      [...ids, '--service', 'local', '--config', 'my rules.yaml', '--env', 'my.env'],
      env,
    );
    expect(code).toBe(0);
    expect(parseEnv(fileIn(folder, 'my.env'))).toMatchObject({
      SLACK_BOT_TOKEN_FILE: join(keys, 'token'),
      BELLHOP_CONFIG: join(folder, 'my rules.yaml'),
    });
    expect(fileIn(folder, 'my.env')).not.toContain(secrets.bot);
  });

  it('prints with --dry-run what it would write, without a secret, and sends and writes nothing', async () => {
    const before = await directMessages(around());
    const { folder, code, out, err } = await run([...ids, ...real(), '--dry-run'], { API_KEY: secrets.key });
    expect(code).toBe(0);
    noSecret(out + err);
    expect(out).toContain(`app-1: { id: ${id}, labels: { env: staging } }`);
    expect(out).toContain('SLACK_BOT_TOKEN=…\nSLACK_APP_TOKEN=…\n');
    expect(err).toMatch(/Nothing was written, and nothing was sent\.\n$/u);
    expect(readdirSync(folder)).toEqual([]);
    expect(await directMessages(around())).toEqual(before);
  });

  it.each(['bellhop.yaml', 'bellhop.env'])('never overwrites %s', async (name) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), 'mine');
    const { code, err } = await run([...ids, '--service', 'local'], {}, folder);
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${name} exists, and setup never overwrites a file.`),
    ]);
    expect(readdirSync(folder)).toEqual([name]);
    expect(fileIn(folder, name)).toBe('mine');
  });

  it.each([
    ['--channel', []],
    ['--me', ['--channel', 'C0OPS']],
    ['--service', ids],
    ['--project', [...ids, '--service', 'https://api.example.com']],
    ['--instance', [...ids, '--service', 'https://api.example.com', '--project', '1', '--region', '2']],
  ])('names %s if it is missing', async (option, args) => {
    const { folder, code, err } = await run(args, { API_KEY: secrets.key });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^(?:.*\n)*${option} is missing\\. Give .+\\.\n$`, 'u')),
    ]);
    expect(existsSync(join(folder, 'bellhop.yaml'))).toBe(false);
  });

  it.each([
    ['SLACK_BOT_TOKEN', { SLACK_BOT_TOKEN: undefined }],
    ['SLACK_APP_TOKEN', { SLACK_APP_TOKEN: undefined }],
    ['--address', { SLACK_APP_TOKEN: undefined, SLACK_SIGNING_SECRET: secrets.signing }],
  ])('names %s if it is not set', async (name, env) => {
    const { code, err } = await run([...ids, '--service', 'local'], env);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^${name} is missing\\. Give .+\\.\n$`, 'u')),
    ]);
  });

  it('has a wrong option explained', async () => {
    const { code, err } = await run(['--chanel', 'C0OPS']);
    expect([code, err]).toEqual([2, "Unknown option '--chanel'. Help: npm run setup -- --help\n"]);
  });
});
