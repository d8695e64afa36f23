import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { obstacleOf, passages, type Passage } from '../../src/http/obstacle.ts';
import { sendOnce } from '../../src/http/send.ts';
import { makeAuthority } from '../certificates.ts';
import { startConnectProxy, startTlsBefore } from '../connect-proxy.ts';
import { answer, hang, resetBeforeHeaders, startFaultyServer } from '../service/faulty-server.ts';
import { failure, testTransport } from '../service/test-transport.ts';
import { until } from '../until.ts';

const authority = makeAuthority();
const defaults = getCACertificates('default');
beforeEach(() => setDefaultCACertificates([...defaults, authority.cert]));
afterEach(() => {
  setDefaultCACertificates(defaults);
  vi.unstubAllEnvs();
});

const right = authority.issue(['api.example.com', 'localhost', '0.0.0.0']);
const stranger = makeAuthority('Stranger').issue(['api.example.com', 'localhost']);

const wrong = [
  [
    'that has expired',
    authority.issue(['api.example.com', 'localhost'], [-30, -1]),
    'CERT_HAS_EXPIRED',
    'has expired',
    'Renew it, or set the clock of this machine',
  ],
  [
    'of next month',
    authority.issue(['api.example.com', 'localhost'], [30, 60]),
    'CERT_NOT_YET_VALID',
    'is not valid yet',
    'Set the clock of this machine',
  ],
  [
    'of another host',
    authority.issue(['other.example.com']),
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'is for another host',
    'Use the host name that is in its certificate',
  ],
  [
    'of an unknown authority',
    stranger,
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'is not trusted',
    'Set NODE_EXTRA_CA_CERTS to the file of its certificate authority',
  ],
] as const;

/** A service behind TLS, and a proxy that leads to it for every requested host. */
async function openService(behaviour = answer(200, '{}')) {
  const service = await startFaultyServer(behaviour);
  const tls = await startTlsBefore(() => service.port, right);
  const proxy = await startConnectProxy(() => tls.port);
  onTestFinished(async () => {
    await proxy.close();
    await tls.close();
    await service.close();
  });
  vi.stubEnv('HTTPS_PROXY', proxy.url);
  return { service, tls, proxy };
}

function transport(url = 'https://api.example.com') {
  const opened = testTransport(url, { timings: { connectMs: 1_000 } });
  onTestFinished(() => opened.transport.close());
  return opened;
}

describe('a certificate', () => {
  it.each(wrong)(
    '%s is named with its host and what to do, and nothing was sent',
    async (_, shown, code, what, todo) => {
      const { service, tls, proxy } = await openService();
      tls.show(shown);
      const told: Passage[] = [];
      passages.on('passage', (passage) => told.push(passage));
      onTestFinished(() => void passages.removeAllListeners());
      for (const [url, host] of [
        [`https://localhost:${tls.port}`, `localhost:${tls.port}`],
        ['https://api.example.com', 'api.example.com'],
      ] as const) {
        const obstacle = { what: `the TLS certificate of ${host} ${what} (${code})`, todo };
        expect(await sendOnce(url, {})).toMatchObject({ sent: false, code, obstacle });
        expect(told.at(-1)).toEqual({ origin: url, obstacle });
      }
      expect(proxy.asked).toEqual(['api.example.com:443']);
      expect(service.seen).toEqual([]);
      tls.show(right);
      expect(await sendOnce('https://api.example.com', {})).toMatchObject({ status: 200 });
      expect(told.at(-1)).toEqual({ origin: 'https://api.example.com', obstacle: undefined });
    },
  );

  it('that is wrong ends a change as not sent, in words that say so, and leaves others to be blamed for what they do', async () => {
    const { tls } = await openService();
    tls.show(wrong[0][1]);
    const { ask } = transport();
    // Several failures in a row: no circuit breaker may hide the reason.
    for (const kind of ['change', 'query', 'change', 'change', 'change', 'change', 'change'] as const) {
      const { outcome, message, summary } = await failure(ask(kind));
      expect(outcome).toBe('not-sent');
      expect(message).toMatch(
        /was not sent: the TLS certificate of api\.example\.com has expired \(CERT_HAS_EXPIRED\)\. Nothing happened\. Renew it/u,
      );
      expect(summary).toBe(
        'The TLS certificate of api.example.com has expired (CERT_HAS_EXPIRED). Renew it, or set the clock of this machine.',
      );
    }
  });

  it('is missing where a server does not speak TLS', async () => {
    const { service } = await openService();
    const attempt = await sendOnce(service.url.replace('http://127.0.0.1', 'https://localhost'), {});
    expect(attempt).toMatchObject({ sent: false, obstacle: { todo: 'Check its address and port' } });
    expect(attempt).toHaveProperty(
      'obstacle.what',
      expect.stringMatching(/^localhost:\d+ does not speak valid TLS \(/u),
    );
  });
});

describe('through a proxy', () => {
  it('calls of both kinds reach the service once each, and it sees nothing of the proxy', async () => {
    const { service, proxy } = await openService();
    const { ask } = transport();
    await ask('query');
    await ask('change');
    await ask('change');
    // A change uses a separate connection.
    expect(proxy.asked).toEqual(Array.from({ length: 3 }, () => 'api.example.com:443'));
    expect(service.seen.map(({ headers }) => headers.host)).toEqual(
      Array.from({ length: 3 }, () => 'api.example.com'),
    );
    expect(JSON.stringify(service.seen)).not.toContain('proxy-');
  });

  it.each([
    [407, '407'],
    [403, '403'],
    [502, '502'],
    ['hang up', 'UND_ERR_SOCKET'],
    ['silent', 'UND_ERR_HEADERS_TIMEOUT'],
  ] as const)('that answers a CONNECT with %s a change was provably not sent', async (manner, code) => {
    const { service, proxy } = await openService();
    proxy.behave(manner);
    const { outcome, message } = await failure(transport().ask('change'));
    expect(outcome).toBe('not-sent');
    expect(message).toContain(
      `not sent: the proxy in HTTPS_PROXY did not open a connection to api.example.com (${code}). Nothing happened. Check HTTPS_PROXY`,
    );
    expect(service.seen).toEqual([]);
  });

  it('that is not there a change was provably not sent', async () => {
    const { proxy } = await openService();
    vi.stubEnv('HTTPS_PROXY', 'http://someone:a-password@127.0.0.1:1');
    const { outcome, message } = await failure(transport().ask('change'));
    expect(outcome).toBe('not-sent');
    expect(message).toContain(
      'the proxy in HTTPS_PROXY did not open a connection to api.example.com (ECONNREFUSED)',
    );
    expect(message).not.toContain('a-password');
    expect(proxy.asked).toEqual([]);
  });

  it('a tunnel that is cut once bytes were sent leaves a change unknown, and it is not sent again', async () => {
    const { service, proxy } = await openService(hang);
    const ended = failure(transport().ask('change'));
    await until(() => service.seen.length === 1);
    proxy.cut();
    const { outcome, message } = await ended;
    expect([outcome, service.seen.length]).toEqual(['unknown-outcome', 1]);
    expect(message).toContain('was sent, but the connection was closed');
  });

  it('a service that resets leaves a change unknown', async () => {
    const { service } = await openService(resetBeforeHeaders);
    const { outcome } = await failure(transport().ask('change'));
    expect([outcome, service.seen.length]).toEqual(['unknown-outcome', 1]);
  });

  it.each(['0.0.0.0', '.0.0.0', '*'])(
    'nothing goes that NO_PROXY has as %s, nor what leads to this machine',
    async (noProxy) => {
      const { service, tls, proxy } = await openService();
      vi.stubEnv('NO_PROXY', noProxy);
      await transport(`https://0.0.0.0:${tls.port}`).ask('change');
      vi.stubEnv('NO_PROXY', '');
      await transport(`https://localhost:${tls.port}`).ask('change');
      expect([service.seen.length, proxy.asked]).toEqual([2, []]);
    },
  );

  it.each([
    [407, 'unknown-outcome', 'was sent, but the proxy in HTTP_PROXY requires a login (407)'],
    [502, 'unknown-outcome', 'with 502 Bad Gateway. The change may or may not have run'],
    [504, 'unknown-outcome', 'with 504 Gateway Timeout. The change may or may not have run'],
    [403, 'rejected', 'Squid says no. The service answered'],
  ])(
    'that forwards plain http and answers %i by itself, a change is never called not sent',
    async (status, outcome, text) => {
      const proxy = await startFaultyServer(answer(status, 'Squid says no'));
      onTestFinished(proxy.close);
      vi.stubEnv('HTTP_PROXY', proxy.url);
      const failed = await failure(transport('http://api.example.com').ask('change'));
      expect(failed.outcome).toBe(outcome);
      expect(failed.message).toContain(text);
      expect(proxy.seen.map(({ url }) => url)).toEqual(['http://api.example.com/cdn/raw_log_settings']);
    },
  );

  it('a proxy behind TLS is used, too, and its own certificate is distinguished from the host’s', () => {
    expect(obstacleOf('api.example.com', 'PROXY_CERT_HAS_EXPIRED')?.what).toBe(
      'the TLS certificate of the proxy in HTTPS_PROXY has expired (CERT_HAS_EXPIRED)',
    );
    expect(obstacleOf('api.example.com', 'ECONNREFUSED')).toBeUndefined();
  });
});
