import { LogLevel, type Logger, webApi } from '@slack/bolt';
import { type Dispatcher, Headers, Response } from 'undici';

import { type Clock, type Log, onceAMinute } from '../../model/ports.ts';
import { dispatcherFor, responseOf, sendOnce } from '../../http/send.ts';
import { type SlackApi, createSlackApi } from './slack-api.ts';
import type { GrantedScopes } from './scopes.ts';
import { type OnWebApiCall, createRateGate, createSlackCall } from './slack-call.ts';
import { noAnswer } from './slack-error.ts';

interface WebClientOptions {
  /** The current value, read for each call. */
  readonly token: () => string;
  /** `/api/` included. */
  readonly slackApiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly onDate?: OnDate;
  readonly scopes?: Pick<GrantedScopes, 'heard'>;
}

/** Called with the `Date` of each answer, and the time of the request by `performance.now()`. */
export type OnDate = (date: string | null, askedAt: number) => void;

/**
 * A client of the Web API that makes each call once, with a timeout. Its own retries would post a message twice, and its own
 * wait after a 429 pauses every method; `slack-call.ts` does both per method.
 */
export const createWebClient = (options: WebClientOptions): webApi.WebClient =>
  new webApi.WebClient(options.token(), {
    slackApiUrl: options.slackApiUrl,
    timeout: options.timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    maxRequestConcurrency: 50,
    fetch: fetchThrough(options),
    logger: sdkLogger(options.log, 'web-client'),
  });

/** Adds a missing `Retry-After` of 1 second to a 429, because the client does not recognize one without it. */
export const fetchThrough =
  ({
    dispatcher,
    timeoutMs,
    token,
    onDate,
    scopes,
  }: Pick<
    WebClientOptions,
    'dispatcher' | 'timeoutMs' | 'token' | 'onDate' | 'scopes'
  >): webApi.FetchFunction =>
  async (url, { body, headers } = {}) => {
    if (typeof body !== 'string') throw new TypeError('only text can be sent this way');
    const askedAt = performance.now();
    const given = { ...Object.fromEntries(new Headers(headers)), authorization: `Bearer ${token()}` };
    const attempt = await sendOnce(url, { dispatcher, timeoutMs, method: 'POST', headers: given, body });
    if (attempt.kind === 'no-response') throw noAnswer(String(url).split('/').at(-1) ?? '', attempt);
    const reply = responseOf(attempt, Response);
    onDate?.(reply.headers.get('date'), askedAt);
    scopes?.heard(reply.headers.get('x-oauth-scopes'));
    if (reply.status !== 429) return reply;
    const seconds = reply.headers.get('retry-after') ?? '';
    reply.headers.set('retry-after', /^\d+$/u.test(seconds) ? seconds : '1');
    return reply;
  };

/** Writes the lines of Slack's packages to our log. Debug lines, which contain whole messages, are dropped. */
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

interface SlackLanesOptions {
  /** The current value, read for each call. */
  readonly token: () => string;
  /** `/api/` included. */
  readonly slackApiUrl: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly onCall?: OnWebApiCall;
  readonly onDate?: OnDate;
  readonly scopes?: Pick<GrantedScopes, 'heard'>;
}

export interface SlackLanes {
  /** For a person who waits: 5 s, and up to 5 s of patience with a rate limit. */
  readonly answers: SlackApi;
  /** For everything else: 10 s; a rate limit goes to the caller, who retries later. */
  readonly background: SlackApi;
  close(): Promise<void>;
}

const lanes = {
  answers: { timeoutMs: 5_000, patienceMs: 5_000 },
  background: { timeoutMs: 10_000, patienceMs: 0 },
} as const;

/** The Web API in two lanes, so that a backlog of posts never delays a waiting person. They share Slack's rate limits. */
export function createSlackLanes(options: SlackLanesOptions): SlackLanes {
  const { slackApiUrl, clock, onCall = () => undefined } = options;
  const gate = createRateGate(clock);
  const onHeldBack = createHeldBackLog(clock, options.log);
  const dispatchers: Dispatcher[] = [];
  const lane = ({ timeoutMs, patienceMs }: (typeof lanes)[keyof typeof lanes]): SlackApi => {
    const dispatcher = dispatcherFor(slackApiUrl);
    dispatchers.push(dispatcher);
    const client = createWebClient({ ...options, dispatcher, timeoutMs });
    const call = createSlackCall({ client, clock, gate, onCall, onHeldBack, patienceMs });
    return createSlackApi(call, { slackApiUrl, dispatcher, clock, timeoutMs, onCall });
  };
  return {
    answers: lane(lanes.answers),
    background: lane(lanes.background),
    close: async () => {
      await Promise.all(dispatchers.map((dispatcher) => dispatcher.destroy()));
    },
  };
}

/** A burst in one channel holds back hundreds of posts, each many times over: one line a minute says so. */
function createHeldBackLog(clock: Clock, log: Log): (method: string, channel: unknown) => void {
  const isDue = onceAMinute(clock);
  let calls = 0;
  return (method, channel) => {
    calls += 1;
    if (!isDue('')) return;
    log.warn({ method, channel, calls }, 'Slack rate limit: calls are held back and retried');
    calls = 0;
  };
}
