import { LogLevel, webApi } from '@slack/bolt';
import type { Dispatcher } from 'undici';

import type { Log } from '../../core/model/ports.ts';
import { slackFetch } from './slack-fetch.ts';

interface WebClientOptions {
  readonly token: string;
  /** `/api/` included. */
  readonly slackApiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly timeoutMs: number;
  readonly log: Log;
}

/**
 * A client of the Web API that tries each call once and within a time. Slack's defaults are unfit for us: no time-out,
 * ten retries in half an hour on `chat.postMessage` too, and one 429 pauses every method.
 */
export const createWebClient = (options: WebClientOptions): webApi.WebClient =>
  new webApi.WebClient(options.token, {
    slackApiUrl: options.slackApiUrl,
    timeout: options.timeoutMs,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    allowAbsoluteUrls: false,
    maxRequestConcurrency: 50,
    fetch: slackFetch(options.dispatcher),
    logger: webClientLogger(options.log),
  });

/** Warnings and errors alone: the client's debug lines hold whole messages. */
function webClientLogger(log: Log): webApi.Logger {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (...parts: unknown[]) => log.warn({ client: 'slack' }, parts.map(String).join(' ').slice(0, 500)),
    error: (...parts: unknown[]) => log.error({ client: 'slack' }, parts.map(String).join(' ').slice(0, 500)),
    setLevel: () => undefined,
    getLevel: () => LogLevel.WARN,
    setName: () => undefined,
  };
}
