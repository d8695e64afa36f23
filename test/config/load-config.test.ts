import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Variables } from '../../src/config/environment/environment.ts';
import { service, http, socket, production, folderWithRules, load, problems } from './loading.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/**
 * The kinds of Slack and service that the variables choose, such as `slack socket, service remote`; or the variables
 * that a line complains about.
 */
async function verdict(env: Variables): Promise<string> {
  try {
    const config = await load(env);
    const slack = config.slack === 'local' ? 'local' : config.slack.kind;
    return `slack ${slack}, service ${config.service === 'local' ? 'local' : 'remote'}`;
  } catch (error) {
    return (error as Error).message
      .split('\n')
      .map((line) => line.split(' ')[0])
      .join(' ');
  }
}

describe('which half is local and which is real', () => {
  it.each<[string, Variables, string]>([
    ['nothing set', {}, 'slack local, service local'],
    [
      'only other variables set',
      { PORT: '0', LOG_LEVEL: 'warn', DATABASE_URL: 'postgres://h/d' },
      'slack local, service local',
    ],
    [
      'empty strings count as unset',
      { API_BASE_URL: '', SLACK_BOT_TOKEN: '  ' },
      'slack local, service local',
    ],
    ['development', { NODE_ENV: 'development' }, 'slack local, service local'],
    ['everything over HTTP', { ...service, ...http }, 'slack http, service remote'],
    ['everything over Socket Mode', { ...service, ...socket }, 'slack socket, service remote'],
    [
      'an app token wins over a signing secret',
      { ...service, ...http, ...socket },
      'slack socket, service remote',
    ],
    ['the service local on purpose', { ...http, API_BASE_URL: 'local' }, 'slack http, service local'],
    ['Slack local on purpose', { ...service, SLACK_BOT_TOKEN: 'local' }, 'slack local, service remote'],
    [
      'both local on purpose',
      { API_BASE_URL: 'local', SLACK_BOT_TOKEN: 'local' },
      'slack local, service local',
    ],
    ['only the service', service, 'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET'],
    ['only Slack', http, 'API_BASE_URL API_KEY'],
    ['only a key', { API_KEY: 'k' }, 'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET API_BASE_URL'],
    ['only a bot token', { SLACK_BOT_TOKEN: 'xoxb-1' }, 'SLACK_SIGNING_SECRET API_BASE_URL API_KEY'],
    ['only a signing secret', { SLACK_SIGNING_SECRET: 's' }, 'SLACK_BOT_TOKEN API_BASE_URL API_KEY'],
    ['only an app token', { SLACK_APP_TOKEN: 'xapp-1' }, 'SLACK_BOT_TOKEN API_BASE_URL API_KEY'],
    [
      'only the address of Slack',
      { SLACK_API_URL: 'http://127.0.0.1:9/api/' },
      'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET API_BASE_URL API_KEY',
    ],
    ['the service local, Slack not said', { API_BASE_URL: 'local' }, 'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET'],
    ['Slack local, the service not said', { SLACK_BOT_TOKEN: 'local' }, 'API_BASE_URL API_KEY'],
    [
      'a misspelt variable alone',
      { SLACK_BOT_TOKN: 'xoxb-1' },
      'SLACK_BOT_TOKN SLACK_BOT_TOKEN SLACK_SIGNING_SECRET API_BASE_URL API_KEY',
    ],
    ['a misspelt address of Slack', { ...service, ...http, SLACK_API_URI: 'http://h/api/' }, 'SLACK_API_URI'],
    [
      'a variable of another program',
      { SLACK_WEBHOOK: 'https://h/', API_TOKEN_FILE: 'x' },
      'slack local, service local',
    ],
    ['production, everything set', { ...production, ...service, ...http }, 'slack http, service remote'],
    ['production, nothing set', production, 'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET API_BASE_URL API_KEY'],
    [
      'production in capitals',
      { NODE_ENV: 'Production' },
      'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET API_BASE_URL API_KEY',
    ],
    [
      'production, the service local',
      { ...production, ...http, API_BASE_URL: 'local' },
      'API_BASE_URL API_KEY',
    ],
    [
      'production, Slack local',
      { ...production, ...service, SLACK_BOT_TOKEN: 'local' },
      'SLACK_BOT_TOKEN SLACK_SIGNING_SECRET',
    ],
  ])('%s', async (_, env, expected) => {
    expect(await verdict(env)).toBe(expected);
  });
});

describe('plain http', () => {
  it.each(['http://127.0.0.1:8080', 'http://127.8.9.1', 'http://localhost:3000', 'http://[::1]:3000'])(
    'is taken in production to this machine: %s',
    async (address) => {
      const env = { ...production, ...http, API_BASE_URL: address, API_KEY: 'k', SLACK_API_URL: address };
      expect(await verdict(env)).toBe('slack http, service remote');
    },
  );

  it('is taken to any host where nothing is production', async () => {
    const env = { ...http, ...service, API_BASE_URL: 'http://api.example.com' };
    expect(await verdict(env)).toBe('slack http, service remote');
  });
});

describe('PostgreSQL', () => {
  const env = { ...production, ...http, ...service };
  const refused =
    'DATABASE_URL has no sslmode=verify-full, so traffic to another machine could be read or changed. ' +
    'Production requires it, with sslrootcert=/path/to/ca.pem for your own authority, or DATABASE_TLS=off.';

  it.each([
    'db.internal/d',
    'db.internal/d?sslmode=disable',
    'db.internal/d?sslmode=require',
    'db.internal/d?sslmode=verify-ca&sslrootcert=ca.pem',
    'db.internal/d?sslmode=no-verify',
    'db.internal/d?ssl=true',
    'db.internal/d?sslmode=verify-full&sslmode=disable',
    'db.internal/d?sslmode=disable&sslmode=verify-full',
    'localhost.example.com/d',
    'localhost/d?host=db.internal',
    '%2Frun%2Fpostgresql/d?host=db.internal',
    // On the host in PGHOST.
    '/d',
  ])('is refused in production without a verified connection, unless DATABASE_TLS=off: %s', async (rest) => {
    const DATABASE_URL = `postgres://${rest}`;
    expect(await problems({ ...env, DATABASE_URL })).toBe(refused);
    expect((await load({ ...env, DATABASE_URL, DATABASE_TLS: 'off' })).store).toEqual({
      databaseUrl: DATABASE_URL,
    });
    expect((await load({ DATABASE_URL })).store).toEqual({ databaseUrl: DATABASE_URL });
  });

  it.each([
    'db.internal/d?sslmode=verify-full',
    'db.internal/d?sslrootcert=ca.pem&sslmode=verify-full',
    'localhost/d',
    'LOCALHOST:5433/d',
    '127.0.0.1/d',
    '[::1]:5432/d',
    'db.internal/d?host=127.0.0.1',
    'db.internal/d?host=::1',
    '%2Fvar%2Frun%2Fpostgresql/d',
    '/d?host=/var/run/postgresql',
  ])('is taken in production, verified or on this machine: %s', async (rest) => {
    const DATABASE_URL = `postgres://${rest}`;
    expect((await load({ ...env, DATABASE_URL })).store).toEqual({ databaseUrl: DATABASE_URL });
  });
});

describe('what is set', () => {
  it('is handed on, typed, with absolute paths', async () => {
    const cwd = folderWithRules();
    mkdirSync(join(cwd, 'keys'));
    const { rulebook, warnings, ...config } = await load(
      {
        ...service,
        ...http,
        API_CLIENT_ID: '42',
        SLACK_API_URL: 'http://127.0.0.1:4000/api',
        DATA_DIR: 'state',
        HOST: '0.0.0.0',
        PORT: '8080',
        LOG_LEVEL: 'debug',
        https_proxy: 'http://proxy:3128',
        BELLHOP_SECRETS_DIR: 'keys',
      },
      cwd,
    );
    expect(config).toEqual({
      production: false,
      slack: {
        kind: 'http',
        botToken: 'xoxb-12-ab',
        signingSecrets: ['f00dfeed'],
        apiUrl: 'http://127.0.0.1:4000/api/',
      },
      service: { baseUrl: 'https://api.example.com/v9/', apiKeys: ['key-Zx81'], clientId: 42 },
      store: { dataDir: join(cwd, 'state') },
      dataDir: join(cwd, 'state'),
      host: '0.0.0.0',
      port: 8080,
      localPort: 4000,
      localServicePort: 4100,
      proxies: ['http://proxy:3128'],
      logLevel: 'debug',
      configFile: join(cwd, 'bellhop.yaml'),
      secretsDir: join(cwd, 'keys'),
      secretFiles: {},
    });
    expect(warnings()).toEqual([
      "bellhop.yaml:2:3: warning: rules: no rule covers cdn.raw-logs on CDN account, so it is denied to everyone. If that's intended, add a “then: deny” rule.",
      "bellhop.yaml:2:3: warning: rules: no rule covers storage.post on storage notifications, so it is denied to everyone. If that's intended, add a “then: deny” rule.",
    ]);
    expect(rulebook.policy.rules).toHaveLength(1);
  });

  it('has defaults if it is not set', async () => {
    const cwd = folderWithRules();
    expect(await load({ ...service, ...socket }, cwd)).toMatchObject({
      slack: { kind: 'socket', appToken: 'xapp-1-ab', apiUrl: 'https://slack.com/api/' },
      store: { dataDir: join(cwd, '.data') },
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
    });
  });

  it('may be port 0 for all, which takes whatever is free', async () => {
    const ports = { PORT: '0', LOCAL_PORT: '0', LOCAL_SERVICE_PORT: '0' };
    expect(await load(ports)).toMatchObject({ port: 0, localPort: 0, localServicePort: 0 });
  });

  it('names the PostgreSQL server as it was given', async () => {
    const databaseUrl = 'postgresql://bell:p%40ss@db.internal:5432/bellhop?sslmode=require';
    expect((await load({ DATABASE_URL: databaseUrl })).store).toEqual({ databaseUrl });
  });

  it('cannot be changed afterwards', async () => {
    const config = await load({ ...service, ...http });
    expect(() => Object.assign(config.service, { apiKey: 'other' })).toThrow(TypeError);
    expect(() => Object.assign(config.rulebook.policy.rules[0] ?? {}, { effect: 'deny' })).toThrow(TypeError);
  });
});

describe('where the rules come from', () => {
  const real = { ...service, ...http };

  it('is the sample while all is local and there is no bellhop.yaml', async () => {
    const config = await load({}, temporaryFolder());
    expect(config.configFile).toBeUndefined();
    expect(Object.keys(config.rulebook.inventory.instances)).toEqual(['web-1', 'web-2', 'web-3', 'db-1']);
  });

  it('is the sample with a real Slack and the local service, which nothing depends on', async () => {
    expect((await load({ ...http, API_BASE_URL: 'local' }, temporaryFolder())).configFile).toBeUndefined();
  });

  it('is bellhop.yaml if there is one, also in local mode', async () => {
    const cwd = folderWithRules();
    expect((await load({}, cwd)).configFile).toBe(join(cwd, 'bellhop.yaml'));
  });

  it('is what BELLHOP_CONFIG names, before bellhop.yaml', async () => {
    const cwd = folderWithRules();
    writeFileSync(join(cwd, 'other.yaml'), 'project: 7\n');
    const config = await load({ ...real, BELLHOP_CONFIG: 'other.yaml' }, cwd);
    expect(config.configFile).toBe(join(cwd, 'other.yaml'));
    expect(config.rulebook.inventory.project).toBe(7);
  });

  it.each<[string, Variables, (cwd: string) => void, string]>([
    [
      'no file beside a real service',
      real,
      () => {},
      'bellhop.yaml is missing in <cwd>. Copy examples/bellhop.minimal.yaml and adapt it, or set BELLHOP_CONFIG.',
    ],
    [
      'a named file that is not there',
      { BELLHOP_CONFIG: 'gone.yaml' },
      () => {},
      'gone.yaml does not exist. Set BELLHOP_CONFIG to your bellhop.yaml; examples/bellhop.minimal.yaml is a starting point.',
    ],
    ['a folder', {}, (cwd) => mkdirSync(join(cwd, 'bellhop.yaml')), 'bellhop.yaml is a folder, not a file.'],
    [
      'a link that leads nowhere',
      {},
      (cwd) => symlinkSync('gone', join(cwd, 'bellhop.yaml')),
      'bellhop.yaml does not exist.',
    ],
    ['a device', { BELLHOP_CONFIG: '/dev/zero' }, () => {}, '/dev/zero is not a regular file.'],
    [
      'a broken file, together with a broken variable',
      { PORT: 'x' },
      (cwd) => writeFileSync(join(cwd, 'bellhop.yaml'), 'rules:\n  - { then: alow }\n'),
      [
        'PORT is not a port. Set a whole number from 0 to 65535, such as 3000.',
        'bellhop.yaml:2:13: rules[0].then: must be one of allow, confirm, approve, deny. Did you mean “allow”?',
      ].join('\n'),
    ],
  ])('cannot be %s', async (_, env, prepare, expected) => {
    const cwd = temporaryFolder();
    prepare(cwd);
    expect(await problems(env, cwd)).toBe(expected);
  });
});
