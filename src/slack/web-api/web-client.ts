import { LogLevel, type Logger, webApi } from '@slack/bolt';
import { type Dispatcher, fetch, Headers, Response } from 'undici';

import type { Log } from '../../model/ports.ts';

interface WebClientOptions {
  /** Of the moment: each call is made with it. */
  readonly token: () => string;
  /** `/api/` included. */
  readonly slackApiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly log: Log;
  readonly onDate?: OnDate;
}

/** Told of the `Date` of each answer, and when it was asked for by `performance.now()`. */
export type OnDate = (date: string | null, askedAt: number) => void;

/**
 * A client of the Web API that makes each call once and within a time. Its own retries know no methods, so they would
 * post a message twice, and its own wait after a 429 pauses every method: `slack-call.ts` does both by method.
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

/** A 429 always says after how many seconds, 1 where Slack does not: the client takes one without for no rate limit. */
const fetchThrough =
  ({ dispatcher, token, onDate }: WebClientOptions): webApi.FetchFunction =>
  async (url, { body, ...init } = {}) => {
    if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent this way');
    const askedAt = performance.now();
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${token()}`);
    const reply = await fetch(url, { ...init, headers, body: body ?? null, dispatcher });
    onDate?.(reply.headers.get('date'), askedAt);
    if (reply.status !== 429) return reply;
    // The client does not read it, and the connection would stay taken.
    await reply.body?.cancel();
    const seconds = reply.headers.get('retry-after') ?? '';
    return new Response(null, {
      status: 429,
      headers: { 'retry-after': /^\d+$/u.test(seconds) ? seconds : '1' },
    });
  };

/** What Slack's packages say, in our log. Their debug lines, which hold whole messages, are never made. */
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
