import { webApi } from '@slack/bolt';

import type { Delay } from '../../due/work.ts';
import type { NoResponse } from '../../http/exchange.ts';
import { BellhopError, errorCode } from '../../model/errors.ts';

interface SlackErrorDetails {
  /** From `Retry-After`, where Slack sent it. */
  readonly retryAfterSeconds?: number | undefined;
  /** The same call may succeed later, unchanged. */
  readonly retryable: boolean;
  /** It may have taken effect although it failed: a message can be there. False where Slack refused it outright. */
  readonly sent: boolean;
  /** What Slack says is wrong with which block, for the log. */
  readonly findings?: readonly string[];
  readonly cause?: unknown;
}

/** What a person can do in Slack about its codes, and about ours. */
const nextActions: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'I am not in this channel: type “/invite @Bellhop”.'],
  ['channel_not_found', 'I cannot see this channel: type “/invite @Bellhop”.'],
  ['is_archived', 'This channel is archived: run the command in another one.'],
  [
    'restricted_action',
    'I may not post in this channel: ask a workspace admin, or run the command in another channel.',
  ],
  ['missing_scope', 'The app lacks a scope: ask a workspace admin to install it again.'],
  ['ratelimited', 'Slack is rate-limiting this: wait a minute.'],
  ['timeout', 'Slack did not answer in time.'],
  ['unreachable', 'Slack cannot be reached.'],
  ['connection_lost', 'The connection to Slack was lost.'],
]);

/**
 * A call to Slack that failed. `slackCode` is Slack's own (`invalid_blocks`, `channel_not_found`, `ratelimited`), or one of
 * ours: `timeout`, `unreachable`, `http_503`, `unreadable_reply`, `refused_url`. `message` says what to do in Slack.
 */
export class SlackError extends BellhopError {
  override readonly name = 'SlackError';
  /** The method, or what else was called. */
  readonly call: string;
  readonly slackCode: string;
  readonly retryAfterSeconds: number | undefined;
  readonly sent: boolean;
  readonly findings: readonly string[];

  constructor(call: string, slackCode: string, details: SlackErrorDetails) {
    super('slack', nextActions.get(slackCode) ?? `Slack answered “${slackCode}” to ${call}.`, details);
    this.call = call;
    this.slackCode = slackCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.sent = details.sent;
    this.findings = details.findings ?? [];
  }
}

/** When a call that failed may be made again. What is only put off the lanes log, once a minute for all of it. */
export const delayOf = (error: unknown): Delay =>
  error instanceof SlackError
    ? { afterMs: (error.retryAfterSeconds ?? 0) * 1000, quiet: error.slackCode === 'ratelimited' }
    : { afterMs: 0, quiet: false };

/** Errors of Slack's own making that the same call may not meet again. */
const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
]);
/** Of these, which may have come after the effect. */
const undecided = new Set(['internal_error', 'fatal_error', 'request_timeout']);

const slackErrorCode = /^[a-z][a-z0-9_]{0,79}$/u;

/** Whatever a call of `method` threw, as the one error that callers know. */
export function toSlackError(method: string, error: unknown): SlackError {
  if (error instanceof SlackError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) {
    return new SlackError(method, 'ratelimited', {
      retryAfterSeconds: error.retryAfter,
      retryable: true,
      sent: false,
      cause: error,
    });
  }
  if (error instanceof webApi.WebAPIPlatformError) {
    return refusal(method, error.data.error, error.data.response_metadata?.messages);
  }
  if (error instanceof webApi.WebAPIHTTPError) {
    return new SlackError(method, `http_${error.statusCode}`, {
      retryable: error.statusCode >= 500,
      sent: error.statusCode >= 500,
    });
  }
  const cause = error instanceof webApi.WebAPIRequestError ? error.original : error;
  return connectionError(method, cause);
}

/** A 200 that says `ok: false`. */
export function refusal(call: string, code: string, findings: readonly string[] = []): SlackError {
  if (!slackErrorCode.test(code)) return unreadableReply(call);
  return new SlackError(call, code, { retryable: passing.has(code), sent: undecided.has(code), findings });
}

/** A 200 that is not what the method promises: it was done, or something other than Slack answered. */
export const unreadableReply = (method: string, cause?: unknown): SlackError =>
  new SlackError(method, 'unreadable_reply', {
    retryable: false,
    sent: true,
    cause,
  });

/** Before any byte left: the name or the port was not there, or nobody answered at it in time. */
const neverConnected = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** A failure below HTTP: `timeout`, `unreachable` (nothing was sent) or `connection_lost`. */
function connectionError(call: string, cause: unknown): SlackError {
  if (isTimeout(cause)) {
    return new SlackError(call, 'timeout', { retryable: true, sent: true, cause });
  }
  const code = errorCode(cause) ?? '';
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return unreadableReply(call, cause);
  const sent = !neverConnected.has(code);
  return new SlackError(call, sent ? 'connection_lost' : 'unreachable', { retryable: true, sent, cause });
}

/** What no HTTP answer to a call comes to. */
export function noAnswer(call: string, { reason, sent, code }: NoResponse): SlackError {
  if (reason === 'too-large') return unreadableReply(call);
  const cause = code === undefined ? undefined : new Error(code);
  if (reason === 'deadline') return new SlackError(call, 'timeout', { retryable: true, sent, cause });
  return new SlackError(call, sent ? 'connection_lost' : 'unreachable', { retryable: true, sent, cause });
}

const isTimeout = (error: unknown): boolean =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || error.name === 'AbortError' || isTimeout(error.cause));
