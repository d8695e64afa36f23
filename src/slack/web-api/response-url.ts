import type { Dispatcher } from 'undici';
import { z } from 'zod';

import { sendOnce } from '../../http/send.ts';
import type { Clock } from '../../model/ports.ts';
import type { Message } from '../render/blocks.ts';
import { parseJson } from '../../text/words.ts';
import { noAnswer, refusal, SlackError } from './slack-error.ts';

/** `outcome` is Slack's error code, or `ok`. */
export type OnWebApiCall = (method: string, outcome: string, ms: number) => void;

export interface ResponseUrlPorts {
  readonly slackApiUrl: string;
  readonly dispatcher: Dispatcher;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly afterCall?: OnWebApiCall;
}

export interface ResponseAnswer extends Message {
  readonly replaceOriginal?: boolean | undefined;
  readonly thread?: string | undefined;
  /** Without retries, because a retry would come too late. */
  readonly once?: boolean | undefined;
}

const refusedReply = z.object({ error: z.string().regex(/^[a-z_]{1,60}$/u) });
const notOk = z.object({ ok: z.literal(false), error: z.string().catch('') });

/**
 * Slack accepts 5 answers in 30 minutes.
 * @throws SlackError `used_url`, `expired_url`, `timeout` …
 */
async function respondTo(
  { dispatcher, timeoutMs }: ResponseUrlPorts,
  url: string,
  { text, blocks, replaceOriginal = false, thread }: ResponseAnswer,
): Promise<void> {
  const attempt = await sendOnce(url, {
    dispatcher,
    timeoutMs,
    method: 'POST',
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: JSON.stringify({
      text,
      blocks,
      response_type: 'ephemeral',
      replace_original: replaceOriginal,
      thread_ts: thread,
      unfurl_links: false,
      unfurl_media: false,
      link_names: false,
    }),
  });
  if (attempt.kind === 'no-response') throw noAnswer('response_url', attempt);
  const { status, headers } = attempt;
  const said = attempt.body.toString('utf8');
  if (status !== 200) throw refused(status, headers['retry-after'], said);
  const { data } = notOk.safeParse(parseJson(said));
  if (data) throw refusal('response_url', data.error);
}

function refused(status: number, retryAfter: unknown, said: string): SlackError {
  const limited = status === 429;
  const seconds = Number(retryAfter);
  return new SlackError('response_url', codeIn(said) ?? (limited ? 'ratelimited' : `http_${status}`), {
    retryable: limited || status >= 500,
    sent: status >= 500,
    retryAfterSeconds: limited ? (seconds > 0 && seconds < Infinity ? seconds : 1) : undefined,
  });
}

/** Slack answers either `{"ok":false,"error":"used_url"}` or the bare word. */
const codeIn = (said: string): string | undefined =>
  refusedReply.safeParse(parseJson(said) ?? { error: said.trim() }).data?.error;

/** In milliseconds. The sum is longer than most Slack outages, the number within Slack's limit of 5 answers. */
const pausesMs = [1_000, 4_000, 10_000, 20_000];

/** In seconds, for a rate limit. */
const longestRetryAfter = 60;

/** Answers beyond this number are not retried. */
const maxWaiting = 200;

export type Responder = (url: string, answer: ResponseAnswer) => Promise<void>;

/** @param once without retries, because a retry would come too late */
export type Patiently = <T>(send: () => Promise<T>, once?: boolean) => Promise<T>;

/**
 * Retries for half a minute, because answers are not stored. If Slack accepted an answer without confirming it, the answer appears twice,
 * which is harmless.
 */
export function createPatience(clock: Clock): Patiently {
  let waiting = 0;
  return async (send, once = false) => {
    for (const pause of once ? [] : pausesMs) {
      try {
        return await send();
      } catch (error) {
        const seconds =
          error instanceof SlackError && error.retryable ? (error.retryAfterSeconds ?? 0) : Infinity;
        if (seconds > longestRetryAfter || waiting >= maxWaiting) throw error;
        waiting += 1;
        await clock.wait(Math.max(pause, seconds * 1_000));
        waiting -= 1;
      }
    }
    return send();
  };
}

/** @throws SlackError `refused_url`, or the error of the last attempt */
export function createResponder(ports: ResponseUrlPorts, patiently = createPatience(ports.clock)): Responder {
  const { slackApiUrl, clock, afterCall } = ports;
  const attempt: Responder = async (url, answer) => {
    const began = clock.now();
    const ended = (outcome: string): void => afterCall?.('response_url', outcome, clock.now() - began);
    try {
      await respondTo(ports, url, answer);
      ended('ok');
    } catch (error) {
      if (error instanceof SlackError) ended(error.slackCode);
      throw error;
    }
  };
  return async (url, answer) => {
    if (!isSlackAddress(url, slackApiUrl, 'hooks'))
      throw new SlackError('response_url', 'refused_url', { retryable: false, sent: false });
    await patiently(() => attempt(url, answer), answer.once);
  };
}

const domains = ['slack.com', 'slack-gov.com'] as const;

/**
 * A forged address must not make the bot call into our network. Accepts hosts in Slack's domains, only `host` if given, and the origin of
 * `SLACK_API_URL`.
 */
export function isSlackAddress(address: string, slackApiUrl: string, host?: string): boolean {
  if (!URL.canParse(address)) return false;
  const { origin, protocol, hostname } = new URL(address);
  if (origin === new URL(slackApiUrl).origin) return true;
  return domains.some((domain) =>
    host === undefined
      ? protocol === 'https:' && hostname.endsWith(`.${domain}`)
      : origin === `https://${host}.${domain}`,
  );
}
