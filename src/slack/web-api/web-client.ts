import { LogLevel, type Logger, webApi } from '@slack/bolt';
import { Headers, Response } from 'undici';

import { type Clock, type Log, onceAMinute } from '../../model/ports.ts';
import { dispatcherFor, responseOf, sendOnce } from '../../http/send.ts';
import type { OnWebApiCall, ResponseUrlPorts } from './response-url.ts';
import { type SlackApi, type SlackCall, createSlackApi } from './slack-api.ts';
import type { GrantedScopes } from './scopes.ts';
import { noAnswer, rateLimited, SlackError, toSlackError, unreadableReply } from './slack-error.ts';

interface SlackLanesOptions {
  readonly token: () => string;
  /** Ends with `/api/`. */
  readonly slackApiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly afterCall?: OnWebApiCall;
  readonly onDate?: OnDate;
  readonly scopes?: Pick<GrantedScopes, 'heard'>;
}

/** Called with the `Date` header of each answer, and when the request was sent by `performance.now()`. */
export type OnDate = (date: string | null, askedAt: number) => void;

export type SlackLanes = ReturnType<typeof createSlackLanes>;

/** Two lanes, so that a backlog of posts never delays a waiting person. They share Slack's rate limits. */
export function createSlackLanes(options: SlackLanesOptions) {
  const { slackApiUrl, clock, log } = options;
  const shared = { ...options, gate: createRateGate(clock), onHeldBack: createHeldBackLog(clock, log) };
  const dispatchers = [dispatcherFor(slackApiUrl), dispatcherFor(slackApiUrl)] as const;
  const [first, second] = dispatchers;
  return {
    /** A call times out after 5 s, and waits up to 5 s for a rate limit. */
    answers: createLane({ ...shared, dispatcher: first, timeoutMs: 5_000, patienceMs: 5_000 }),
    /** A call times out after 10 s. A rate limit is an error for the caller, who retries later. */
    background: createLane({ ...shared, dispatcher: second, timeoutMs: 10_000, patienceMs: 0 }),
    close: async (): Promise<void> => {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** Once a minute, because a burst in one channel holds back hundreds of posts, each many times. */
function createHeldBackLog(clock: Clock, log: Log): (method: string, channel: unknown) => void {
  const isDue = onceAMinute(clock);
  let calls = 0;
  return (method, channel) => {
    calls += 1;
    if (!isDue('')) return;
    log.warn({ method, channel, calls }, 'Slack rate limit: calls are delayed and retried');
    calls = 0;
  };
}

interface LaneOptions extends SlackLanesOptions, Omit<ResponseUrlPorts, 'afterCall'> {
  readonly gate: RateGate;
  readonly onHeldBack?: (method: string, channel: unknown) => void;
  /** In milliseconds: the longest wait for a rate limit. */
  readonly patienceMs: number;
}

export const createLane = (options: LaneOptions): SlackApi => createSlackApi(createCall(options), options);

/** Repeated after a lost connection. */
const idempotent = new Set([
  'auth.test',
  'chat.update',
  'chat.getPermalink',
  'users.info',
  'users.lookupByEmail',
  'usergroups.list',
  'usergroups.users.list',
  'views.publish',
]);

const lostConnection = new Set(['unreachable', 'connection_lost']);

/**
 * After a 429, the method (for `chat.*`, in that channel) is not called for as long as Slack says. Patient callers wait once, because the
 * refused call had no effect. After a lost connection, a call is repeated once if nothing was sent or the method is idempotent. The
 * client's own retries are off: they could post a message twice, and its wait after a 429 would pause every method.
 */
function createCall(options: LaneOptions): SlackCall {
  const { slackApiUrl, timeoutMs, clock, gate, log, afterCall, onHeldBack, patienceMs } = options;
  const client = new webApi.WebClient(options.token(), {
    slackApiUrl,
    timeout: timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: 50,
    fetch: fetchThrough(options),
    logger: sdkLogger(log, 'web-client'),
  });

  const once = async (method: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const began = clock.now();
    try {
      const reply = await client.apiCall(method, { ...given });
      afterCall?.(method, 'ok', clock.now() - began);
      return reply;
    } catch (error) {
      const failure = toSlackError(method, error);
      afterCall?.(method, failure.slackCode, clock.now() - began);
      throw failure;
    }
  };

  const gated = async (method: string, given: Readonly<Record<string, unknown>>): Promise<unknown> => {
    const { channel } = given;
    // Slack limits posts by channel, and other calls by method.
    const key = typeof channel === 'string' && method.startsWith('chat.') ? `${method} ${channel}` : method;
    const admitted = async (): Promise<void> => {
      const wait = gate.remaining(key);
      if (wait > patienceMs) {
        onHeldBack?.(method, channel);
        throw rateLimited(method, Math.ceil(wait / 1_000));
      }
      if (wait > 0) await clock.wait(wait);
    };
    await admitted();
    try {
      return await once(method, given);
    } catch (error) {
      if (!(error instanceof SlackError) || error.slackCode !== 'ratelimited') throw error;
      gate.close(key, error.retryAfterSeconds ?? 1);
      await admitted();
      return once(method, given);
    }
  };

  return async (method, given, schema) => {
    const reply = await gated(method, given).catch((error: unknown) => {
      const again = error instanceof SlackError && lostConnection.has(error.slackCode);
      if (again && (!error.sent || idempotent.has(method))) return gated(method, given);
      throw error;
    });
    const parsed = schema.safeParse(reply);
    if (!parsed.success) throw unreadableReply(method, parsed.error);
    return parsed.data;
  };
}

type RateGate = ReturnType<typeof createRateGate>;

/** Above this number of entries, open gates are removed. */
const sweepAbove = 1_000;

/** By method and channel. */
export function createRateGate(clock: Clock) {
  /** `until` in epoch milliseconds, `ms` in milliseconds. */
  const closed = new Map<string, { readonly until: number; readonly ms: number }>();
  const remaining = (key: string): number => {
    const { until, ms } = closed.get(key) ?? { until: 0, ms: 0 };
    const left = until - clock.now();
    // More time left than Slack requested means that the clock was set back.
    return left > ms ? 0 : Math.max(0, left);
  };
  return {
    /** In milliseconds. 0 if `key` may be tried now. */
    remaining,
    close(key: string, seconds: number): void {
      const ms = Math.max(remaining(key), seconds * 1_000);
      closed.set(key, { until: clock.now() + ms, ms });
      if (closed.size <= sweepAbove) return;
      for (const other of closed.keys()) if (remaining(other) === 0) closed.delete(other);
    },
  };
}

/** A 429 without `Retry-After` gets 1 second, because Slack's client does not recognize it otherwise. */
export const fetchThrough =
  (
    options: Pick<LaneOptions, 'dispatcher' | 'timeoutMs' | 'token' | 'onDate' | 'scopes'>,
  ): webApi.FetchFunction =>
  async (url, { body, headers: given } = {}) => {
    if (typeof body !== 'string') throw new TypeError('only text can be sent this way');
    const { dispatcher, timeoutMs, token, onDate, scopes } = options;
    const askedAt = performance.now();
    const headers = { ...Object.fromEntries(new Headers(given)), authorization: `Bearer ${token()}` };
    const attempt = await sendOnce(url, { dispatcher, timeoutMs, method: 'POST', headers, body });
    if (attempt.kind === 'no-response') throw noAnswer(String(url).split('/').at(-1) ?? '', attempt);
    const reply = responseOf(attempt, Response);
    onDate?.(reply.headers.get('date'), askedAt);
    scopes?.heard(reply.headers.get('x-oauth-scopes'));
    if (reply.status !== 429) return reply;
    const seconds = reply.headers.get('retry-after') ?? '';
    reply.headers.set('retry-after', /^\d+$/u.test(seconds) ? seconds : '1');
    return reply;
  };

/** Drops debug lines, because they contain whole messages. */
export function sdkLogger(log: Log, from: 'bolt' | 'web-client'): Logger {
  return {
    debug() {},
    info: (...parts) => log.info({ from }, text(parts)),
    warn: (...parts) => log.warn({ from }, text(parts)),
    error: (...parts) => log.error({ from }, text(parts)),
    setLevel() {},
    getLevel: () => LogLevel.INFO,
    setName() {},
  };
}

const text = (parts: readonly unknown[]): string =>
  parts
    .map((part) => (part instanceof Error ? part.message : String(part)))
    .join(' ')
    .slice(0, 2000);
