import { describe, expect, it } from 'vitest';
import type { Variables } from '../../../src/config/environment/environment.ts';
import { http, service, production, problems, socket } from '../loading.ts';

const noProxy =
  'is not the address of a proxy. Use http://proxy.example.com:3128, with user:password@ if it requires a login, and special ' +
  'characters of these percent-encoded.';

describe('what a value must be', () => {
  it.each<[string, Variables, readonly string[]]>([
    [
      'a bot token and an app token swapped',
      { ...service, SLACK_BOT_TOKEN: 'xapp-1-ab', SLACK_APP_TOKEN: 'xoxb-12-ab' },
      [
        'SLACK_BOT_TOKEN is an app-level token, which belongs in SLACK_APP_TOKEN: use the Bot User OAuth Token (xoxb-…).',
        'SLACK_APP_TOKEN is a bot token, which belongs in SLACK_BOT_TOKEN: use one with the scope connections:write (xapp-…, under Basic Information), or leave it unset for HTTP mode.',
      ],
    ],
    [
      'a proxy without its scheme, and a file that holds no certificate',
      {
        ...service,
        ...http,
        HTTPS_PROXY: 'u:hunter2@proxy:3128',
        HTTP_PROXY: 'proxy',
        NODE_EXTRA_CA_CERTS: import.meta.filename,
      },
      [
        `HTTPS_PROXY ${noProxy}`,
        `HTTP_PROXY ${noProxy}`,
        'NODE_EXTRA_CA_CERTS is not a readable file of certificates. Give a file with your CA certificates (PEM).',
      ],
    ],
    [
      'proxies in lower case, which take precedence, one of them with a password that is not encoded',
      {
        ...service,
        ...http,
        HTTPS_PROXY: 'http://proxy:3128',
        https_proxy: 'http://u:50%hunter2@proxy:3128',
        http_proxy: 'proxy',
      },
      [`HTTPS_PROXY ${noProxy}`, `HTTP_PROXY ${noProxy}`],
    ],
    [
      'the token of a user',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxp-12-ab' },
      ['SLACK_BOT_TOKEN is a user token: use the Bot User OAuth Token (xoxb-…).'],
    ],
    [
      'a token that rotates',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxe.xoxb-12-ab' },
      [
        'SLACK_BOT_TOKEN is a token that expires; turn off token rotation for the app: use the Bot User OAuth Token (xoxb-…).',
      ],
    ],
    [
      'a bot token with a space in it',
      { ...service, ...http, SLACK_BOT_TOKEN: 'xoxb-12 ab' },
      ['SLACK_BOT_TOKEN has an invalid character: use the Bot User OAuth Token (xoxb-…).'],
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
        'SLACK_SIGNING_SECRET is not a signing secret. Copy it from Basic Information of the app. It is not a token and has no spaces.',
      ],
    ],
    [
      'a key with its scheme',
      { ...http, ...service, API_KEY: 'apikey key-Zx81' },
      [
        'API_KEY has a character that is not allowed in a header. Set the key alone, without the word “apikey”.',
      ],
    ],
    [
      'a key that no header can carry',
      { ...http, ...service, API_KEY: 'ключ' },
      [
        'API_KEY has a character that is not allowed in a header. Set the key alone, without the word “apikey”.',
      ],
    ],
    [
      'an address without a scheme',
      { ...http, ...service, API_BASE_URL: 'api.example.com' },
      ['API_BASE_URL is not an address. Use one that starts with https://, such as https://api.example.com.'],
    ],
    [
      'an address of another kind',
      { ...http, ...service, API_BASE_URL: 'ftp://api.example.com' },
      ['API_BASE_URL is not an address. Use one that starts with https://, such as https://api.example.com.'],
    ],
    [
      'an address with a password',
      { ...http, ...service, API_BASE_URL: 'https://me:pw@api.example.com' },
      ['API_BASE_URL contains a user or password. Remove them from the address.'],
    ],
    [
      'an address with a query',
      { ...http, ...service, API_BASE_URL: 'https://api.example.com/?a=1' },
      ['API_BASE_URL has a “?” or “#” part. Set only the address, such as https://api.example.com.'],
    ],
    [
      'no address of Slack',
      { ...http, ...service, SLACK_API_URL: 'slack' },
      ['SLACK_API_URL is not an address. Use one that starts with https://, such as https://slack.com/api/.'],
    ],
    [
      'a client id that is not a number',
      { ...http, ...service, API_CLIENT_ID: '4x' },
      ['API_CLIENT_ID is not a client id. Set a whole number, or leave it unset.'],
    ],
    [
      'a database other than PostgreSQL',
      { DATABASE_URL: 'mysql://u:hunter22@h/d' },
      [
        'DATABASE_URL is not the address of a PostgreSQL server. Use postgres://user:password@host:5432/database, and percent-encode special characters in the user and password, such as / as %2F, ? as %3F, # as %23 and % as %25.',
      ],
    ],
    [
      'a database password that is not encoded',
      { DATABASE_URL: 'postgres://u:100%@h/d' },
      [
        'DATABASE_URL is not the address of a PostgreSQL server. Use postgres://user:password@host:5432/database, and percent-encode special characters in the user and password, such as / as %2F, ? as %3F, # as %23 and % as %25.',
      ],
    ],
    [
      'a port that is a word',
      { PORT: 'http' },
      ['PORT is not a port. Set a whole number from 0 to 65535, such as 3000.'],
    ],
    [
      'a port that is too large',
      { PORT: '65536' },
      ['PORT is not a port. Set a whole number from 0 to 65535, such as 3000.'],
    ],
    [
      'a negative port',
      { LOCAL_PORT: '-1' },
      ['LOCAL_PORT is not a port. Set a whole number from 0 to 65535, such as 4000.'],
    ],
    [
      'a port with a fraction',
      { LOCAL_SERVICE_PORT: '4100.5' },
      ['LOCAL_SERVICE_PORT is not a port. Set a whole number from 0 to 65535, such as 4100.'],
    ],
    [
      'one word for two ports, which is not repeated',
      { PORT: 'Zq7', LOCAL_PORT: 'Zq7' },
      [
        'PORT is not a port. Set a whole number from 0 to 65535, such as 3000.',
        'LOCAL_PORT is not a port. Set a whole number from 0 to 65535, such as 4000.',
      ],
    ],
    [
      'two on one port',
      { PORT: '4000' },
      ['LOCAL_PORT is the same port as PORT (4000). Use different ports.'],
    ],
    [
      'three on one port',
      { PORT: '5000', LOCAL_PORT: '5000', LOCAL_SERVICE_PORT: '5000' },
      [
        'LOCAL_PORT is the same port as PORT (5000). Use different ports.',
        'LOCAL_SERVICE_PORT is the same port as LOCAL_PORT (5000). Use different ports.',
      ],
    ],
    [
      'a host with a port',
      { HOST: 'localhost:3000' },
      ['HOST is not a host. Set a name or an IP address, such as 0.0.0.0; the port is PORT.'],
    ],
    [
      'a level in capitals',
      { LOG_LEVEL: 'INFO' },
      [
        'LOG_LEVEL is not a level. Use one of trace, debug, info, warn, error, fatal, silent. Did you mean “info”?',
      ],
    ],
    [
      'an unknown level',
      { LOG_LEVEL: 'chatty' },
      ['LOG_LEVEL is not a level. Use one of trace, debug, info, warn, error, fatal, silent.'],
    ],
    [
      'a folder of secrets that is not there',
      { BELLHOP_SECRETS_DIR: 'nowhere' },
      ['BELLHOP_SECRETS_DIR is not a folder. Set it to the folder with one file per secret.'],
    ],
    [
      'several at once',
      { ...service, PORT: 'x', LOG_LEVEL: 'warning', SLACK_BOT_TOKEN: 'xoxb-1' },
      [
        'SLACK_SIGNING_SECRET is missing. Set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'PORT is not a port. Set a whole number from 0 to 65535, such as 3000.',
        'LOG_LEVEL is not a level. Use one of trace, debug, info, warn, error, fatal, silent.',
      ],
    ],
    [
      'production with local halves',
      { ...production, API_BASE_URL: 'local', SLACK_BOT_TOKEN: 'local' },
      [
        'SLACK_BOT_TOKEN is “local”, which production does not allow. Set the bot token of the app.',
        'SLACK_SIGNING_SECRET is missing. Set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'API_BASE_URL is “local”, which production does not allow. Set the address of the service.',
        'API_KEY is missing. Set the API key of the service.',
      ],
    ],
    [
      'production over plain http',
      {
        ...production,
        ...http,
        ...service,
        API_BASE_URL: 'http://api.example.com',
        SLACK_API_URL: 'http://slack.internal/api/',
      },
      [
        'SLACK_API_URL starts with http://, which would send secrets unencrypted to another machine. Production needs https://.',
        'API_BASE_URL starts with http://, which would send secrets unencrypted to another machine. Production needs https://.',
      ],
    ],
    [
      'production over plain http, to a host that only looks like this machine',
      { ...production, ...http, ...service, API_BASE_URL: 'http://127.0.0.1.example.com' },
      [
        'API_BASE_URL starts with http://, which would send secrets unencrypted to another machine. Production needs https://.',
      ],
    ],
    ['a word for DATABASE_TLS', { DATABASE_TLS: 'no' }, ['DATABASE_TLS must be off or unset.']],
    [
      'a misspelt name',
      { SLACK_SIGNING_SECRT: 's' },
      [
        'SLACK_SIGNING_SECRT is not a setting of Bellhop: did you mean SLACK_SIGNING_SECRET?',
        'SLACK_BOT_TOKEN is missing. Set the bot token of the app (xoxb-…, under OAuth & Permissions), or “local” to use the local workspace on purpose.',
        'SLACK_SIGNING_SECRET is missing. Set the signing secret of the app (under Basic Information), or SLACK_APP_TOKEN for Socket Mode.',
        'API_BASE_URL is missing. Set the address of the service, or “local” to use the local service on purpose.',
        'API_KEY is missing. Set the API key of the service.',
      ],
    ],
  ])('%s', async (_, env, expected) => {
    expect((await problems(env)).split('\n')).toEqual(expected);
  });
});

describe('a problem', () => {
  it('never quotes what a variable holds, whichever secret was put into it', async () => {
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
      'DATABASE_TLS',
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
      const text = await problems(Object.fromEntries(names.map((name) => [name, value])));
      expect(text).toContain('SLACK_BOT_TOKEN');
      expect(text).not.toContain('Zq7');
    }
  });
});
