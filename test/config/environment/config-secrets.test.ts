import { describe, expect, it } from 'vitest';

import { configSecrets } from '../../../src/config/environment/secrets.ts';

const store = { dataDir: '/data' };
const apiUrl = 'https://slack.com/api/';

describe('the secrets of a configuration', () => {
  it.each<
    [string, Omit<Parameters<typeof configSecrets>[0], 'proxies'> & { proxies?: string[] }, readonly string[]]
  >([
    ['none if everything is local', { slack: 'local', service: 'local', store }, []],
    [
      'token, signing secret and key',
      {
        slack: { kind: 'http', botToken: 'xoxb-1', signingSecrets: ['sign', 'old-sign'], apiUrl },
        service: { baseUrl: 'https://h/', apiKeys: ['key'] },
        store,
      },
      ['xoxb-1', 'sign', 'old-sign', 'key'],
    ],
    [
      'both tokens of Socket Mode',
      { slack: { kind: 'socket', botToken: 'xoxb-1', appToken: 'xapp-1', apiUrl }, service: 'local', store },
      ['xoxb-1', 'xapp-1'],
    ],
    [
      'the password of the database, as written and as sent',
      { slack: 'local', service: 'local', store: { databaseUrl: 'postgres://u:p%40ss@h/d' } },
      ['p%40ss', 'p@ss'],
    ],
    [
      'a password among the parameters',
      {
        slack: 'local',
        service: 'local',
        store: { databaseUrl: 'postgres:///d?host=/run&password=p%40ss' },
      },
      ['p@ss'],
    ],
    [
      'the password of a proxy, as written and as sent',
      { slack: 'local', service: 'local', store, proxies: ['http://p:3128', 'https://u:p%40ss@p:3128'] },
      ['p%40ss', 'p@ss'],
    ],
  ])('are %s', (_, config, expected) => {
    expect(configSecrets({ proxies: [], ...config })).toEqual(expected);
  });
});
