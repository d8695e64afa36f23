import { describe, expect, test } from 'vitest';
import {
  answer,
  closeBeforeHeaders,
  closeInBody,
  hang,
  hangInBody,
  resetBeforeHeaders,
  resetInBody,
  startFaultyServer,
  type Behaviour,
} from './faulty-server.ts';
import { failure, testTransport } from './test-transport.ts';

type Ending = 'succeeded' | 'not-sent' | 'rejected' | 'unknown-outcome';

interface Fault {
  readonly name: string;
  readonly behaviour: Behaviour;
  /** Outcome and how many requests the service saw. */
  readonly query: [Ending, number];
  readonly change: [Ending, number];
  readonly says: RegExp;
  readonly deadlineMs?: number;
}

const html = { 'content-type': 'text/html' };
const page = '<!DOCTYPE html><html><head><title>Bad Gateway</title></head><body>secret</body></html>';

const faults: Fault[] = [
  {
    name: 'hangs',
    behaviour: hang,
    deadlineMs: 1_000,
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /no complete response came within 1 s/,
  },
  {
    name: 'hangs in the body',
    behaviour: hangInBody,
    deadlineMs: 1_000,
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /no complete response/,
  },
  {
    name: 'resets before headers',
    behaviour: resetBeforeHeaders,
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /connection was reset/,
  },
  {
    name: 'closes before headers',
    behaviour: closeBeforeHeaders,
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /connection was closed/,
  },
  {
    name: 'resets in the body',
    behaviour: resetInBody,
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /in the middle of a 200 answer/,
  },
  {
    name: 'closes in the body',
    behaviour: closeInBody,
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /in the middle of a 200 answer/,
  },
  {
    name: 'answers 500',
    behaviour: answer(500, '{"message":"Boom"}'),
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /^Boom\. .* with 500 Internal Server Error\./,
  },
  {
    name: 'answers 503',
    behaviour: answer(503, '{"error":"Full"}'),
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /^Full\. .* with 503 Service Unavailable\./,
  },
  {
    name: 'answers 408',
    behaviour: answer(408, ''),
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /408 Request Timeout\./,
  },
  {
    name: 'answers 429',
    behaviour: answer(429, ''),
    query: ['rejected', 3],
    change: ['rejected', 3],
    says: /429 Too Many Requests\. Try again/,
  },
  {
    name: 'answers 400',
    behaviour: answer(400, '{"errors":{"folders":["needs an item","is short"]}}'),
    query: ['rejected', 1],
    change: ['rejected', 1],
    says: /^folders: needs an item, is short\. .* with 400 Bad Request\.$/,
  },
  {
    name: 'answers 404',
    behaviour: answer(404, '{"message":"Instance x could not be found","request_id":"r-1"}'),
    query: ['rejected', 1],
    change: ['rejected', 1],
    says: /^Instance x could not be found\. .* with 404 Not Found\.$/,
  },
  {
    name: 'answers an HTML page',
    behaviour: answer(502, page, html),
    query: ['rejected', 3],
    change: ['unknown-outcome', 1],
    says: /^Bad Gateway\. .*\/cdn\/.* with 502 Bad Gateway\./,
  },
  {
    name: 'refuses in plain text',
    behaviour: answer(422, 'no\u0000 such\nthing', { 'content-type': 'text/plain' }),
    query: ['rejected', 1],
    change: ['rejected', 1],
    says: /^no such thing\. The service answered .* with 422/,
  },
  {
    name: 'refuses with nothing',
    behaviour: answer(418, ''),
    query: ['rejected', 1],
    change: ['rejected', 1],
    says: /with 418 I'm a Teapot\.$/,
  },
  {
    name: 'redirects',
    behaviour: answer(307, '', { location: 'http://127.0.0.1:1/elsewhere' }),
    query: ['rejected', 1],
    change: ['rejected', 1],
    says: /Bellhop never follows redirects \(here to http:\/\/127\.0\.0\.1:1\/elsewhere\)/,
  },
  ...[302, 303, 304].map((status): Fault => ({
    name: `answers ${status}, which a service may well send once it is done,`,
    behaviour: answer(status, '', { location: 'http://127.0.0.1:1/done' }),
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: new RegExp(`with ${status} .* never follows`, 'u'),
  })),
  {
    name: 'answers too much',
    behaviour: answer(200, `"${'x'.repeat(5_000)}"`),
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /response is too large/,
  },
  {
    name: 'cuts its JSON short',
    behaviour: answer(200, '{"count": 1, "resul'),
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /200, but the body could not be read: it is not JSON/,
  },
  {
    name: 'answers 200 with a page',
    behaviour: answer(200, page, html),
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /it is not JSON/,
  },
  {
    name: 'answers 200 with nothing',
    behaviour: answer(200, ''),
    query: ['rejected', 1],
    change: ['unknown-outcome', 1],
    says: /it is empty/,
  },
];

describe.each(faults)('a service that $name', (fault) => {
  test.each(['query', 'change'] as const)('ends a %s as it must', async (kind) => {
    await using service = await startFaultyServer(fault.behaviour);
    const { ask, transport } = testTransport(service.url, {
      timings: { maxBodyBytes: 4_000, deadlineMs: fault.deadlineMs ?? 10_000 },
    });

    const error = await failure(ask(kind));

    expect([error.outcome, service.seen.length]).toEqual(fault[kind]);
    expect(error.message).toMatch(fault.says);
    expect(error.message).not.toContain('secret');
    const unknown = error.outcome === 'unknown-outcome';
    expect(error.message.includes('may or may not have run')).toBe(unknown);
    expect(unknown && error.retryable).toBe(false);
    // For a line on a card: what happened, without the address.
    expect(error.summary).toMatch(unknown ? /^[A-Z].{5,160}\.$/u : /\.$/u);
    expect(error.summary).not.toMatch(/\/cdn\/|may or may not/u);
    await transport.close();
  });
});

test('an error about a change that got a 500 says so in a sentence', async () => {
  await using service = await startFaultyServer(answer(500, '{"message":"Boom"}'));
  const { ask, transport } = testTransport(service.url);
  const { summary } = await failure(ask('change'));
  expect(summary).toBe('The service answered 500 Internal Server Error.');
  await transport.close();
});

/** An address where nothing listens any more. */
const closedPort = async (): Promise<string> => {
  const service = await startFaultyServer(hang);
  await service[Symbol.asyncDispose]();
  return service.url;
};

describe('a service that is not there', () => {
  test.each(['query', 'change'] as const)(
    'gets a %s tried three times, which is then not sent',
    async (kind) => {
      const ended: unknown[] = [];
      const { ask, pauses } = testTransport(await closedPort(), { afterCall: (call) => ended.push(call) });

      const error = await failure(ask(kind));

      expect(error.outcome).toBe('not-sent');
      expect(error.message).toMatch(/was not sent: the connection was refused\. Nothing happened/);
      expect(error.retryable).toBe(true);
      expect(pauses).toEqual([375, 750]);
      expect(ended).toMatchObject([{ outcome: 'not-sent', attempts: 3 }]);
    },
  );

  test('gets a change once it is up again', async () => {
    const service = await startFaultyServer(answer(200, '{}'));
    const { url, port } = service;
    await service[Symbol.asyncDispose]();
    await using later = await startFaultyServer(answer(200, '{"ok":true}'));
    const { ask } = testTransport(url, {
      ports: {
        pause: async () => {
          await new Promise((resolve) => later.server.close(resolve));
          await new Promise<void>((resolve) => later.server.listen(port, '127.0.0.1', resolve));
        },
      },
    });

    expect(await ask('change')).toEqual({ ok: true });
    expect(later.seen).toHaveLength(1);
  });

  test('is not reported for a name without an address', async () => {
    const { ask } = testTransport('http://bellhop.invalid');
    const error = await failure(ask('change'));
    expect(error.outcome).toBe('not-sent');
    expect(error.message).toMatch(/does not resolve|DNS is not responding/);
  });

  test('is not reported if TLS fails, because no request left', async () => {
    await using service = await startFaultyServer(answer(200, '{}'));
    const { ask } = testTransport(service.url.replace('http:', 'https:'));
    const error = await failure(ask('change'));
    expect([error.outcome, service.seen.length]).toEqual(['not-sent', 0]);
    expect(error.message).toContain('does not speak valid TLS (ERR_SSL_');
  });
});
