import { LogLevel, webApi } from '@slack/bolt';
import { type Dispatcher, request } from 'undici';

import type { Log } from '../../core/model/ports.ts';

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

type FetchFunction = webApi.FetchFunction;
type FetchResponse = Awaited<ReturnType<FetchFunction>>;

/** The part of WHATWG fetch that Slack's client uses, on undici's `request`, whose errors tell what happened. */
const slackFetch =
  (dispatcher: Dispatcher): FetchFunction =>
  async (url, init = {}) => {
    const { method = 'GET', headers, body, signal } = init;
    if (body !== undefined && typeof body !== 'string') throw new TypeError('only text is sent this way');
    const reply = await request(url, {
      dispatcher,
      method: method === 'POST' ? 'POST' : 'GET',
      ...(headers && { headers }),
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    return asFetchResponse(String(url), reply);
  };

function asFetchResponse(
  url: string,
  { statusCode, headers, body }: Awaited<ReturnType<typeof request>>,
): FetchResponse {
  const flat = new Map(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
  // A 429 that does not say until when would be an error of no kind.
  if (statusCode === 429 && !/^\d+$/u.test(flat.get('retry-after') ?? '')) flat.set('retry-after', '1');
  return {
    ok: statusCode >= 200 && statusCode < 300,
    status: statusCode,
    statusText: '',
    url,
    headers: { get: (name) => flat.get(name.toLowerCase()) ?? null, entries: () => flat.entries() },
    arrayBuffer: () => body.arrayBuffer(),
    json: () => body.json(),
    text: () => body.text(),
  };
}
