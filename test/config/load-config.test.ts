import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { loadConfig } from '../../src/config/load-config.ts';
import type { Variables } from '../../src/config/settings.ts';
import { BellhopError } from '../../src/core/errors.ts';
import { knownOperations } from './known-operations.ts';
import { temporaryFolder } from './temporary-folder.ts';

const service = { API_BASE_URL: 'https://api.example.com/v9/', API_KEY: 'key-Zx81' };
const http = { SLACK_BOT_TOKEN: 'xoxb-12-ab', SLACK_SIGNING_SECRET: 'f00dfeed' };
const socket = { SLACK_BOT_TOKEN: 'xoxb-12-ab', SLACK_APP_TOKEN: 'xapp-1-ab' };
const production = { NODE_ENV: 'production' };

function folderWithRules(): string {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'bellhop.yaml'), 'rules:\n  - { risk: read, roles: [anyone], then: allow }\n');
  return folder;
}

const load = (env: Variables, cwd = folderWithRules()) => loadConfig(env, cwd, knownOperations);

function problems(env: Variables, cwd?: string): string {
  try {
    load(env, cwd);
  } catch (error) {
    if (!(error instanceof BellhopError) || error.code !== 'configuration') throw error;
    return error.message.replaceAll(cwd ?? '/nowhere', '<cwd>');
  }
  return 'no problem';
}

/** Which side is what: `local`, `http`, `socket`, `remote`; or the variables that a line complains about. */
function verdict(env: Variables): string {
  try {
    const config = load(env);
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
  ])('%s', (_, env, expected) => {
    expect(verdict(env)).toBe(expected);
  });
});

describe('what is set', () => {
  it('is handed on, typed, with absolute paths', () => {
    const cwd = folderWithRules();
    mkdirSync(join(cwd, 'keys'));
    const { rulebook, ...config } = load(
      {
        ...service,
        ...http,
        API_CLIENT_ID: '42',
        SLACK_API_URL: 'http://127.0.0.1:4000/api',
        DATA_DIR: 'state',
        HOST: '0.0.0.0',
        PORT: '8080',
        LOG_LEVEL: 'debug',
        BELLHOP_SECRETS_DIR: 'keys',
      },
      cwd,
    );
    expect(config).toEqual({
      production: false,
      slack: {
        kind: 'http',
        botToken: 'xoxb-12-ab',
        signingSecret: 'f00dfeed',
        apiUrl: 'http://127.0.0.1:4000/api/',
      },
      service: { baseUrl: 'https://api.example.com/v9/', apiKey: 'key-Zx81', clientId: 42 },
      store: { dataDir: join(cwd, 'state') },
      dataDir: join(cwd, 'state'),
      host: '0.0.0.0',
      port: 8080,
      localPort: 4000,
      localServicePort: 4100,
      logLevel: 'debug',
      configFile: join(cwd, 'bellhop.yaml'),
      secretsDir: join(cwd, 'keys'),
    });
    expect(rulebook.policy.rules).toHaveLength(1);
  });

  it('has defaults where it is not set', () => {
    const cwd = folderWithRules();
    expect(load({ ...service, ...socket }, cwd)).toMatchObject({
      slack: { kind: 'socket', appToken: 'xapp-1-ab', apiUrl: 'https://slack.com/api/' },
      store: { dataDir: join(cwd, '.data') },
      host: '127.0.0.1',
      port: 3000,
      logLevel: 'info',
    });
  });

  it('may be port 0 for all, which takes whatever is free', () => {
    const ports = { PORT: '0', LOCAL_PORT: '0', LOCAL_SERVICE_PORT: '0' };
    expect(load(ports)).toMatchObject({ port: 0, localPort: 0, localServicePort: 0 });
  });

  it('names the PostgreSQL server as it was given', () => {
    const databaseUrl = 'postgresql://bell:p%40ss@db.internal:5432/bellhop?sslmode=require';
    expect(load({ DATABASE_URL: databaseUrl }).store).toEqual({ databaseUrl });
  });

  it('cannot be changed afterwards', () => {
    const config = load({ ...service, ...http });
    expect(() => Object.assign(config.service, { apiKey: 'other' })).toThrow(TypeError);
    expect(() => Object.assign(config.rulebook.policy.rules[0] ?? {}, { effect: 'deny' })).toThrow(TypeError);
  });
});

describe('what a value must be', () => {
  it.each<[string, Variables, readonly string[]]>([
    [
      'a bot token and an app token swapped',
      { ...service, SLACK_BOT_TOKEN: 'xapp-1-ab', SLACK_APP_TOKEN: 'xoxb-12-ab' },
      [
        'SLACK_BOT_TOKEN holds an app-level token, which belongs into SLACK_APP_TOKEN: use the Bot User OAuth Token (xoxb-…).',
        'SLACK_APP_TOKEN holds a bot token, which belongs into SLACK_BOT_TOKEN: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.',
      ],
    ],
    [
      'the token of a user',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxp-12-ab' },
      ['SLACK_BOT_TOKEN holds the token of a user: use the Bot User OAuth Token (xoxb-…).'],
    ],
    [
      'a token that rotates',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxe.xoxb-12-ab' },
      [
        'SLACK_BOT_TOKEN holds a token that expires; turn off token rotation for the app: use the Bot User OAuth Token (xoxb-…).',
      ],
    ],
    [
      'a bot token with a space in it',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxb-12 ab' },
      ['SLACK_BOT_TOKEN has a character that no token has: use the Bot User OAuth Token (xoxb-…).'],
    ],
    [
      'a word for a token',
      { ...service, ...http, SLACK_BOT_TOKEN: 'changeme' },
      ['SLACK_BOT_TOKEN is not a bot token: use the Bot User OAuth Token (xoxb-…).'],
    ],
    [
      'a word for an app token',
      { ...service, ...socket, SLACK_APP_TOKEN: 'changeme' },
      [
        'SLACK_APP_TOKEN is not an app-level token: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.',
      ],
    ],
    [
      'a token for a signing secret',
      { ...service, ...http, SLACK_SIGNING_SECRET: 'xoxb-12-ab' },
      [
        'SLACK_SIGNING_SECRET is not a signing secret: copy it from Basic Information of the app; it is no token and has no spaces.',
      ],
    ],
    [
      'a key with its scheme',
      { ...http, ...service, API_KEY: 'apikey key-Zx81' },
      [
        'API_KEY has a space or a character that a header cannot carry: give the key alone, without the word “apikey”.',
      ],
    ],
    [
      'a key that no header can carry',
      { ...http, ...service, API_KEY: 'ключ' },
      [
        'API_KEY has a space or a character that a header cannot carry: give the key alone, without the word “apikey”.',
      ],
    ],
    [
      'an address without a scheme',
      { ...http, ...service, API_BASE_URL: 'api.example.com' },
      [
        'API_BASE_URL is not an address: give one that begins with https://, such as https://api.example.com.',
      ],
    ],
    [
      'an address of another kind',
      { ...http, ...service, API_BASE_URL: 'ftp://api.example.com' },
      [
        'API_BASE_URL is not an address: give one that begins with https://, such as https://api.example.com.',
      ],
    ],
    [
      'an address with a password',
      { ...http, ...service, API_BASE_URL: 'https://me:pw@api.example.com' },
      ['API_BASE_URL carries a user or password: leave them out of the address.'],
    ],
    [
      'an address with a query',
      { ...http, ...service, API_BASE_URL: 'https://api.example.com/?a=1' },
      ['API_BASE_URL has a “?” or “#” part: give only the address, such as https://api.example.com.'],
    ],
    [
      'no address of Slack',
      { ...http, ...service, SLACK_API_URL: 'slack' },
      [
        'SLACK_API_URL is not an address: give one that begins with https://, such as https://slack.com/api/.',
      ],
    ],
    [
      'a client id that is no number',
      { ...http, ...service, API_CLIENT_ID: '4x' },
      ['API_CLIENT_ID is not a client id: give a whole number, or leave it unset.'],
    ],
    [
      'a database that is no PostgreSQL',
      { DATABASE_URL: 'mysql://u:hunter22@h/d' },
      [
        'DATABASE_URL is not the address of a PostgreSQL server: give postgres://user:password@host:5432/database, with special characters of the password percent-encoded.',
      ],
    ],
    [
      'a database password that is not encoded',
      { DATABASE_URL: 'postgres://u:100%@h/d' },
      [
        'DATABASE_URL is not the address of a PostgreSQL server: give postgres://user:password@host:5432/database, with special characters of the password percent-encoded.',
      ],
    ],
    [
      'a port that is a word',
      { PORT: 'http' },
      ['PORT is not a port: give a whole number from 0 to 65535, such as 3000.'],
    ],
    [
      'a port that is too large',
      { PORT: '65536' },
      ['PORT is not a port: give a whole number from 0 to 65535, such as 3000.'],
    ],
    [
      'a negative port',
      { LOCAL_PORT: '-1' },
      ['LOCAL_PORT is not a port: give a whole number from 0 to 65535, such as 4000.'],
    ],
    [
      'a port with a fraction',
      { LOCAL_SERVICE_PORT: '4100.5' },
      ['LOCAL_SERVICE_PORT is not a port: give a whole number from 0 to 65535, such as 4100.'],
    ],
    ['two on one port', { PORT: '4000' }, ['LOCAL_PORT is the same port as PORT (4000): give each its own.']],
    [
      'three on one port',
      { PORT: '5000', LOCAL_PORT: '5000', LOCAL_SERVICE_PORT: '5000' },
      [
        'LOCAL_PORT is the same port as PORT (5000): give each its own.',
        'LOCAL_SERVICE_PORT is the same port as LOCAL_PORT (5000): give each its own.',
      ],
    ],
    [
      'a host with a port',
      { HOST: 'localhost:3000' },
      ['HOST is not a host: give a name or an IP address alone, such as 0.0.0.0; the port is PORT.'],
    ],
    [
      'a level in capitals',
      { LOG_LEVEL: 'INFO' },
      [
        'LOG_LEVEL is not a level: give one of trace, debug, info, warn, error, fatal, silent. Did you mean “info”?',
      ],
    ],
    [
      'a level that is none',
      { LOG_LEVEL: 'chatty' },
      ['LOG_LEVEL is not a level: give one of trace, debug, info, warn, error, fatal, silent.'],
    ],
    [
      'a folder of secrets that is not there',
      { BELLHOP_SECRETS_DIR: 'nowhere' },
      ['BELLHOP_SECRETS_DIR is not a folder: give the folder that holds one file for each secret.'],
    ],
    [
      'several at once',
      { ...service, PORT: 'x', LOG_LEVEL: 'warning', SLACK_BOT_TOKEN: 'xoxb-1' },
      [
        'SLACK_SIGNING_SECRET is missing: set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'PORT is not a port: give a whole number from 0 to 65535, such as 3000.',
        'LOG_LEVEL is not a level: give one of trace, debug, info, warn, error, fatal, silent.',
      ],
    ],
    [
      'production with local halves',
      { ...production, API_BASE_URL: 'local', SLACK_BOT_TOKEN: 'local' },
      [
        'SLACK_BOT_TOKEN is “local”, which production does not allow: set the bot token of the app.',
        'SLACK_SIGNING_SECRET is missing: set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'API_BASE_URL is “local”, which production does not allow: set the address of the service.',
        'API_KEY is missing: set the API key of the service.',
      ],
    ],
    [
      'a misspelt name',
      { SLACK_SIGNING_SECRT: 's' },
      [
        'SLACK_SIGNING_SECRT is not a setting of Bellhop: did you mean SLACK_SIGNING_SECRET?',
        'SLACK_BOT_TOKEN is missing: set the bot token of the app (xoxb-…, under OAuth & Permissions), or “local” to use the local workspace on purpose.',
        'SLACK_SIGNING_SECRET is missing: set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'API_BASE_URL is missing: set the address of the service, or “local” to use the local service on purpose.',
        'API_KEY is missing: set the API key of the service.',
      ],
    ],
  ])('%s', (_, env, expected) => {
    expect(problems(env).split('\n')).toEqual(expected);
  });
});

describe('a problem', () => {
  it('never quotes what a variable holds, whichever secret was put into it', () => {
    const names = [
      'API_BASE_URL',
      'API_KEY',
      'API_CLIENT_ID',
      'SLACK_BOT_TOKEN',
      'SLACK_BOT_TOKENS',
      'SLACK_SIGNING_SECRET',
      'SLACK_APP_TOKEN',
      'SLACK_API_URL',
      'DATABASE_URL',
      'HOST',
      'PORT',
      'LOCAL_PORT',
      'LOCAL_SERVICE_PORT',
      'LOG_LEVEL',
      'BELLHOP_SECRETS_DIR',
    ];
    const shapes = [
      (secret: string) => secret,
      (secret: string) => `xoxb-${secret} ${secret}`,
      (secret: string) => `xapp-${secret}/`,
      (secret: string) => `https://u:${secret}@host/`,
      (secret: string) => `postgres://u:${secret}%@host/`,
      (secret: string) => `${secret}\n${secret}`,
    ];
    for (const shape of shapes) {
      const value = shape('Zq7');
      const text = problems(Object.fromEntries(names.map((name) => [name, value])));
      expect(text).toContain('SLACK_BOT_TOKEN');
      expect(text).not.toContain('Zq7');
    }
  });
});

describe('where the rules come from', () => {
  const real = { ...service, ...http };

  it('is the sample while all is local and there is no bellhop.yaml', () => {
    const config = load({}, temporaryFolder());
    expect(config.configFile).toBeUndefined();
    expect(Object.keys(config.rulebook.inventory.instances)).toEqual(['web-1', 'web-2', 'db-1']);
  });

  it('is the sample with a real Slack and the local service, which nothing depends on', () => {
    expect(load({ ...http, API_BASE_URL: 'local' }, temporaryFolder()).configFile).toBeUndefined();
  });

  it('is bellhop.yaml where there is one, also in local mode', () => {
    const cwd = folderWithRules();
    expect(load({}, cwd).configFile).toBe(join(cwd, 'bellhop.yaml'));
  });

  it('is what BELLHOP_CONFIG names, before bellhop.yaml', () => {
    const cwd = folderWithRules();
    writeFileSync(join(cwd, 'other.yaml'), 'project: 7\n');
    const config = load({ ...real, BELLHOP_CONFIG: 'other.yaml' }, cwd);
    expect(config.configFile).toBe(join(cwd, 'other.yaml'));
    expect(config.rulebook.inventory.project).toBe(7);
  });

  it.each<[string, Variables, (cwd: string) => void, string]>([
    [
      'no file beside a real service',
      real,
      () => {},
      'bellhop.yaml is missing in <cwd>: copy bellhop.example.yaml and fit it to your instances and people, or set BELLHOP_CONFIG.',
    ],
    [
      'a named file that is not there',
      { BELLHOP_CONFIG: 'gone.yaml' },
      () => {},
      'gone.yaml does not exist: set BELLHOP_CONFIG to your bellhop.yaml; bellhop.example.yaml is one to begin with.',
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
        'PORT is not a port: give a whole number from 0 to 65535, such as 3000.',
        'bellhop.yaml:2:13: rules[0].then: must be one of allow, confirm, approve, deny. Did you mean “allow”?',
      ].join('\n'),
    ],
  ])('cannot be %s', (_, env, prepare, expected) => {
    const cwd = temporaryFolder();
    prepare(cwd);
    expect(problems(env, cwd)).toBe(expected);
  });
});
