import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { answer, closeInBody, hang, resetBeforeHeaders, startFaultyServer } from './faulty-server.ts';
import type { Behaviour } from './faulty-server.ts';
import { jsonBody } from '../../src/service/errors/reply.ts';
import { cloudCall } from '../../src/areas/cloud/client/endpoints.ts';
import { failure, testKey, testTransport } from './test-transport.ts';

describe('a change', () => {
  test('is repeated after 429 and then succeeds, once done', async () => {
    await using service = await startFaultyServer(answer(429, ''), answer(200, '{"done":true}'));
    const { ask } = testTransport(service.url);
    expect(await ask('change')).toEqual({ done: true });
    expect(service.seen).toHaveLength(2);
  });

  test('that got 429 first and a reset then is of unknown outcome', async () => {
    await using service = await startFaultyServer(answer(429, ''), resetBeforeHeaders);
    const { ask } = testTransport(service.url);
    expect((await failure(ask('change'))).outcome).toBe('unknown-outcome');
    expect(service.seen).toHaveLength(2);
  });

  test('takes a fresh connection, so that a stale one cannot make it unknown', async () => {
    await using service = await startFaultyServer(answer(200, '{}'));
    const { ask } = testTransport(service.url);
    const connections: number[] = [];
    service.server.on('connection', (socket) => connections.push(socket.remotePort ?? 0));
    for (const _ of [1, 2, 3, 4, 5]) await ask('query');
    const ofQueries = connections.length;
    for (const _ of [1, 2, 3]) await ask('change');
    expect(ofQueries).toBeLessThan(5);
    expect(connections.length - ofQueries).toBe(3);
    expect(service.seen.slice(5).map(({ headers }) => headers.connection)).toEqual([
      'close',
      'close',
      'close',
    ]);
  });

  test('given up before it is sent is not sent, afterwards unknown', async () => {
    const early = new AbortController();
    early.abort();
    const late = new AbortController();
    await using service = await startFaultyServer(() => late.abort());
    const { ask } = testTransport(service.url);

    const [before, after] = [
      await failure(ask('change', early.signal)),
      await failure(ask('change', late.signal)),
    ];

    expect(before.message).toContain('was not sent: the call was cancelled. Nothing happened.');
    expect([before.outcome, after.outcome, service.seen.length]).toEqual(['not-sent', 'unknown-outcome', 1]);
  });
});

const apiKeys = () => ['new-key', 'old-key'];
const shown = (service: {
  readonly seen: readonly { readonly headers: { readonly authorization?: string | undefined } }[];
}) => service.seen.map(({ headers }) => headers.authorization);

describe('with a new key and the old one', () => {
  test('a change that the service refuses with 401 is sent once more, with the old one', async () => {
    await using service = await startFaultyServer(answer(401, '{}'), answer(200, '{"done":true}'));
    expect(await testTransport(service.url, { apiKeys }).ask('change')).toEqual({ done: true });
    expect(shown(service)).toEqual(['apikey new-key', 'apikey old-key']);
  });

  test.each([
    ['a reset', resetBeforeHeaders],
    ['a 500', answer(500, '')],
    ['a 403', answer(403, '{}')],
  ])('a change is never sent again after %s', async (_, behaviour) => {
    await using service = await startFaultyServer(behaviour, answer(200, '{}'));
    await failure(testTransport(service.url, { apiKeys }).ask('change'));
    expect(shown(service)).toEqual(['apikey new-key']);
  });

  test('two that are refused are a refusal, and the old key alone is shown once', async () => {
    await using service = await startFaultyServer(answer(401, '{}'), answer(401, '{}'), answer(401, '{}'));
    expect((await failure(testTransport(service.url, { apiKeys }).ask('change'))).status).toBe(401);
    expect(shown(service)).toEqual(['apikey new-key', 'apikey old-key']);
    await failure(testTransport(service.url, { apiKeys: () => ['old-key'] }).ask('change'));
    expect(service.seen).toHaveLength(3);
  });

  test('each call takes the keys of its moment', async () => {
    await using service = await startFaultyServer(answer(200, '{}'));
    let key = 'first';
    const { ask } = testTransport(service.url, { apiKeys: () => [key] });
    await ask('query');
    key = 'second';
    await ask('query');
    expect(shown(service)).toEqual(['apikey first', 'apikey second']);
  });
});

test('a change given up while the connection is made is not sent, then or later', async () => {
  await using service = await startFaultyServer(answer(200, '{}'));
  const connected = once(service.server, 'connection');
  const { ask, transport } = testTransport(service.url);
  const impatient = new AbortController();

  const given = failure(ask('change', impatient.signal));
  // Promise jobs run before the network does: the attempt has begun by then and no connection is open yet.
  for (let jobs = 0; jobs < 50; jobs += 1) await Promise.resolve();
  impatient.abort();

  expect((await given).outcome).toBe('not-sent');
  await connected;
  await transport.close();
  expect(service.seen).toEqual([]);
});

describe('a change whose caller may no longer send it', () => {
  const reboot = cloudCall('rebootInstance', { project: 1, region: 2, id: 'i-1' });
  const asked = (transport: ReturnType<typeof testTransport>['transport'], answers: boolean[]) =>
    failure(
      transport.call(reboot, { correlationId: 'c-1', maySend: () => answers.shift() ?? false }, jsonBody),
    );

  test('is not sent, although a connection is open', async () => {
    await using service = await startFaultyServer(answer(200, '{}'));
    const connected = once(service.server, 'connection');
    const error = await asked(testTransport(service.url).transport, []);
    expect(error.outcome).toBe('not-sent');
    expect(error.message).toContain('was not sent: Bellhop lost its lease on the request');
    await connected;
    expect(service.seen).toEqual([]);
  });

  test('is not sent again after a 429', async () => {
    await using service = await startFaultyServer(answer(429, ''), answer(200, '{}'));
    const error = await asked(testTransport(service.url).transport, [true, false]);
    expect([error.outcome, service.seen.length]).toEqual(['not-sent', 1]);
  });
});

describe('a query', () => {
  test('that hangs is asked again while the deadline lasts', async () => {
    await using service = await startFaultyServer(hang, answer(200, '{"second":true}'));
    const { ask } = testTransport(service.url, { timings: { firstByteMs: 50 } });
    expect(await ask('query')).toEqual({ second: true });
    expect(service.seen).toHaveLength(2);
  });

  test('recovers from each passing fault', async () => {
    for (const fault of [resetBeforeHeaders, closeInBody, answer(500, ''), answer(408, '')]) {
      await using service = await startFaultyServer(fault, fault, answer(200, '[1]'));
      expect(await testTransport(service.url).ask('query')).toEqual([1]);
      expect(service.seen).toHaveLength(3);
    }
  });
});

/** Five seconds later, on a clock that is an hour ahead of ours. */
const later = (response: Parameters<Behaviour>[0]): void => {
  const now = Date.now();
  response.setHeader('date', new Date(now + 3_600_000).toUTCString());
  response.setHeader('retry-after', new Date(now + 3_605_000).toUTCString());
  response.writeHead(429).end();
};

describe('Retry-After', () => {
  test('is waited for in seconds', async () => {
    await using service = await startFaultyServer(answer(429, '', { 'retry-after': '7' }), answer(200, '{}'));
    const { ask, pauses } = testTransport(service.url);
    await ask('change');
    expect(pauses).toEqual([7_000]);
  });

  test('is waited for as a date, against the clock of the service', async () => {
    await using service = await startFaultyServer(later, answer(200, '{}'));
    const { ask, pauses } = testTransport(service.url);
    await ask('query');
    expect(pauses).toEqual([5_000]);
  });

  test('is not waited for once the caller gives up: the last answer counts', async () => {
    await using service = await startFaultyServer(answer(429, '{"message":"slow down"}'));
    const impatient = new AbortController();
    const pause = (_: number, signal: AbortSignal): Promise<void> => {
      impatient.abort();
      return Promise.reject(new Error('aborted', { cause: signal.reason }));
    };
    const { ask } = testTransport(service.url, { ports: { pause } });
    const error = await failure(ask('change', impatient.signal));
    expect([error.outcome, error.status, service.seen.length]).toEqual(['rejected', 429, 1]);
  });

  test('beyond the deadline ends the call at once and is passed on', async () => {
    await using service = await startFaultyServer(answer(429, '', { 'retry-after': '60' }));
    const { ask, pauses } = testTransport(service.url);
    const error = await failure(ask('change'));
    expect([error.outcome, error.retryAfterSeconds, pauses]).toEqual(['rejected', 60, []]);
    expect(error.message).toContain('Try again in 60 s.');
  });
});

const brokenListener = (): never => {
  throw new Error('metrics are broken');
};

describe('what is sent and told', () => {
  test('each call carries the key, its correlation id and its body, under the prefix of the base URL', async () => {
    await using service = await startFaultyServer(answer(200, '{}'));
    const ended: unknown[] = [];
    const { ask } = testTransport(`${service.url}/gate/way/`, { afterCall: (call) => ended.push(call) });
    await ask('change');
    expect(service.seen).toMatchObject([
      {
        method: 'PUT',
        url: '/gate/way/cdn/raw_log_settings',
        headers: {
          authorization: `apikey ${testKey}`,
          'x-request-id': 'c-1',
          'content-type': 'application/json',
        },
        body: '{"enabled":true}',
      },
    ]);
    expect(ended).toMatchObject([
      {
        endpoint: 'updateRawLogSettings',
        method: 'PUT',
        path: '/cdn/raw_log_settings',
        status: 200,
        outcome: 'succeeded',
        attempts: 1,
      },
    ]);
  });

  test('the key and what the mask hides are in no message, even if the service repeats them', async () => {
    await using service = await startFaultyServer(
      answer(400, JSON.stringify({ message: `bad key ${testKey} for hunter2` })),
    );
    const { ask } = testTransport(service.url, { mask: (text) => text.replaceAll('hunter2', '***') });
    expect((await failure(ask('change'))).message).toContain('bad key •••• for ***. The');
  });

  test.each([
    [401, 'query', /Check API_KEY/],
    [403, 'change', /API_KEY may be read-only/],
    [403, 'query', /API_KEY is not allowed to read this/],
  ] as const)('%i of a %s says what to do', async (status, kind, says) => {
    await using service = await startFaultyServer(answer(status, '{"message":"Unauthorized"}'));
    expect((await failure(testTransport(service.url).ask(kind))).message).toMatch(says);
  });

  test('a listener that throws does not turn a success into a failure', async () => {
    await using service = await startFaultyServer(answer(200, '{"ok":1}'));
    expect(await testTransport(service.url, { afterCall: brokenListener }).ask('change')).toEqual({ ok: 1 });
  });

  test('the end of a call is logged once', async () => {
    await using service = await startFaultyServer(
      answer(200, '{}', { deprecation: '@1767225600', sunset: 'Thu, 01 Jan 2026 00:00:00 GMT' }),
    );
    const warnings: object[] = [];
    const { ask } = testTransport(service.url, { logger: { warn: (details) => warnings.push(details) } });
    for (const kind of ['query', 'query', 'change'] as const) await ask(kind);
    expect(warnings).toMatchObject([
      { endpoint: 'listCapacity', deprecation: '@1767225600' },
      { endpoint: 'updateRawLogSettings' },
    ]);
  });
});

describe('settings', () => {
  test.each(['nonsense', 'ftp://host', 'http://user:pass@host', 'http://host/?a=1'])(
    '%s is not a base URL',
    (url) => {
      expect(() => testTransport(url)).toThrow(/API_BASE_URL/);
    },
  );

  test.each(['', 'two words', 'line\nbreak'])('%j is not an API key', (apiKey) => {
    expect(() => testTransport('http://host', { apiKeys: () => [apiKey] })).toThrow(/API_KEY/);
  });

  test('of another account are named, also once its key was rotated to something that no header can carry', async () => {
    const settings = { address: 'accounts.eu.base_url', key: 'accounts.eu.key' };
    const unusable = ['two\nlines'];
    expect(() => testTransport('http://host', { apiKeys: () => unusable, settings })).toThrow(
      /^accounts\.eu\.key must be printable/u,
    );
    let keys = ['first'];
    const { ask } = testTransport('http://127.0.0.1:1', { apiKeys: () => keys, settings });
    keys = unusable;
    const { outcome, message } = await failure(ask('change'));
    expect(outcome).toBe('not-sent');
    expect(message).toContain('Nothing happened. Check accounts.eu.key.');
    expect(message).not.toContain('lines');
  });
});
