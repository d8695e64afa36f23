import { describe, expect, it } from 'vitest';

import type { CallRecord } from '../../src/service/http/transport.ts';
import { createMetrics } from '../../src/app/health/metrics.ts';
import {
  keyPart,
  observeService,
  observeSlack,
  signaturesPart,
  tokenPart,
} from '../../src/app/health/observe-calls.ts';
import { createReadiness } from '../../src/host/readiness.ts';
import { createDrivenClock } from '../driven-clock.ts';

function stage() {
  const warned: object[] = [];
  const log = {
    debug: () => undefined,
    info: () => undefined,
    warn: (details: object) => void warned.push(details),
    error: () => undefined,
  };
  const clock = createDrivenClock();
  const readiness = createReadiness(clock, []);
  return { warned, clock, readiness, ports: { clock, log, readiness, metrics: createMetrics() } };
}

const call = (status: number | undefined): CallRecord => ({
  endpoint: 'listFloatingIps',
  area: 'cloud',
  method: 'GET',
  path: '/',
  status,
  outcome: status === 200 ? 'succeeded' : 'rejected',
  milliseconds: 1,
  attempts: 1,
  keyAccepted: status === undefined || status >= 500 ? undefined : status !== 401 && status !== 403,
});

describe('the key of the service', () => {
  it.each([401, 403])('is known to be refused from a %i until something is answered', (status) => {
    const { readiness, ports } = stage();
    const watch = observeService(ports).afterCall;
    watch(call(status));
    expect(readiness.parts()[keyPart('cloud')]).toMatchObject({
      ok: false,
      required: false,
      lastError: `the service answered ${status} to the last call, listFloatingIps; check API_KEY`,
    });
    for (const nothing of [500, 503, undefined]) watch(call(nothing));
    expect(readiness.parts()[keyPart('cloud')]?.ok).toBe(false);
    watch(call(404));
    expect(readiness.parts()[keyPart('cloud')]?.ok).toBe(true);
    expect(readiness.ready()).toBe(true);
  });

  it('that is refused is warned of once a minute', async () => {
    const { warned, clock, ports } = stage();
    const watch = observeService(ports).afterCall;
    for (let calls = 0; calls < 100; calls += 1) watch(call(401));
    expect(warned).toEqual([{ endpoint: 'listFloatingIps', status: 401 }]);
    watch(call(403));
    expect(warned[1]).toMatchObject({ status: 403 });
    await clock.advance(60_000);
    watch(call(401));
    expect(warned).toHaveLength(3);
  });
});

describe('signatures', () => {
  it.each([
    ['wrong', 2000, 'check SLACK_SIGNING_SECRET', 2],
    ['wrong time', 612_000, "a timestamp is 612 s old; check this machine's clock", 612],
    ['wrong time', -400_000, "a timestamp is -400 s old; check this machine's clock", -400],
  ] as const)(
    'that are %s, %i ms old, are reported with what to check',
    async (verdict, ageMs, told, seconds) => {
      const { warned, clock, readiness, ports } = stage();
      const watch = observeSlack(ports).onSignature;
      for (let payloads = 0; payloads < 100; payloads += 1) watch({ verdict, ageMs });
      expect(readiness.parts()[signaturesPart]).toMatchObject({ ok: false, required: false });
      expect(readiness.parts()[signaturesPart]?.lastError).toContain(told);
      expect(warned).toMatchObject([{ verdict, timestampAgeSeconds: seconds }]);
      await clock.advance(60_000);
      watch({ verdict, ageMs });
      expect(warned).toHaveLength(2);
      watch({ verdict: 'right', ageMs: 0 });
      expect(readiness.parts()[signaturesPart]?.ok).toBe(true);
    },
  );

  it('are reported once when the first of Slack arrives, for someone who sets it up', () => {
    const { logged, signatures: watch } = tokenStage();
    watch({ verdict: 'wrong', ageMs: 0 });
    watch({ verdict: 'right', ageMs: 0 });
    watch({ verdict: 'right', ageMs: 0 });
    const first = 'the first signed request from Slack has arrived';
    expect(logged.filter((line) => line.includes(first))).toHaveLength(1);
  });
});

function tokenStage() {
  const logged: string[] = [];
  const log = {
    info: (_: object, message: string) => void logged.push(`info: ${message}`),
    warn: () => undefined,
    error: (details: object) => void logged.push(`error: ${JSON.stringify(details)}`),
  };
  const clock = createDrivenClock();
  const readiness = createReadiness(clock, [tokenPart]);
  readiness.set(tokenPart, true);
  const watch = (method: string, outcome: string): void => observed.afterCall(method, outcome, 1);
  const observed = observeSlack({ clock, log, readiness, metrics: createMetrics() });
  const { onSignature: signatures, endOldOutage } = observed;
  return { clock, logged, readiness, watch, signatures, endOldOutage };
}

describe('messages', () => {
  const outages = ['http_503', 'timeout', 'unreachable', 'connection_lost', 'internal_error', 'ratelimited'];

  it.each(outages)('are down from %s until Slack takes one', async (outcome) => {
    const { readiness, watch, clock } = tokenStage();
    const part = () => readiness.parts()['slack messages'];
    watch('chat.postMessage', 'ok');
    watch('users.info', outcome);
    expect(part()).toBeUndefined();
    await clock.advance(31_000);
    watch('chat.update', outcome);
    const since = clock.now();
    await clock.advance(31_000);
    watch('chat.postMessage', outcome);
    watch('users.info', 'ok');
    watch('response_url', 'ok');
    expect(part()).toMatchObject({ ok: false, since, lastError: outcome });
    expect(readiness.ready()).toBe(true);
    watch('chat.postMessage', 'channel_not_found');
    expect(part()).toMatchObject({ ok: true });
  });

  it('are not down for longer than ten minutes because of a message that no one repeated', async () => {
    const { readiness, watch, clock, endOldOutage } = tokenStage();
    const isDown = () => readiness.parts()['slack messages']?.ok === false;
    watch('chat.update', 'http_503');
    await clock.advance(9 * 60_000);
    watch('chat.update', 'http_503');
    await clock.advance(9 * 60_000);
    endOldOutage();
    expect(isDown()).toBe(true);
    await clock.advance(60_001);
    endOldOutage();
    expect(isDown()).toBe(false);
  });

  it('are limited, not down, while a burst in one channel is limited and others take messages', async () => {
    const { readiness, watch, clock } = tokenStage();
    const part = () => readiness.parts()['slack messages'];
    watch('chat.postMessage', 'ok');
    expect(part()).toBeUndefined();
    watch('chat.postMessage', 'ratelimited');
    watch('chat.postMessage', 'ok');
    expect(part()).toMatchObject({ ok: true, detail: 'rate-limited' });
    await clock.advance(31_000);
    watch('chat.postMessage', 'ok');
    expect(part()?.ok).toBe(true);
    expect(part()?.detail).toBeUndefined();
  });

  it('that are down stay down when one of them is limited', async () => {
    const { readiness, watch } = tokenStage();
    watch('chat.postMessage', 'ok');
    watch('chat.postMessage', 'http_503');
    watch('chat.postMessage', 'ratelimited');
    expect(readiness.parts()['slack messages']).toMatchObject({ ok: false });
  });
});

describe('the bot token', () => {
  it.each(['invalid_auth', 'not_authed', 'account_inactive', 'token_revoked', 'token_expired'])(
    'is not ready, and loud, from %s until a call works again',
    (problem) => {
      const { logged, readiness, watch } = tokenStage();
      watch('chat.update', problem);
      expect(readiness.ready()).toBe(false);
      expect(readiness.parts()[tokenPart]).toMatchObject({ lastError: problem });
      watch('response_url', 'ok');
      expect(readiness.ready()).toBe(false);
      watch('auth.test', 'ok');
      expect(readiness.ready()).toBe(true);
      expect(logged).toEqual([
        `error: {"method":"chat.update","problem":"${problem}"}`,
        'info: Slack accepts SLACK_BOT_TOKEN again',
      ]);
    },
  );

  it.each(['ok', 'ratelimited', 'channel_not_found', 'timeout', 'http_503', 'missing_scope'])(
    'stays ready after %s, which says nothing of the token',
    (outcome) => {
      const { logged, readiness, watch } = tokenStage();
      watch('chat.postMessage', outcome);
      expect(readiness.ready()).toBe(true);
      expect(logged).toEqual([]);
    },
  );
});
