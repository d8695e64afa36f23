import { webApi } from '@slack/bolt';

import type { Delay } from '../../due/work.ts';
import type { NoResponse } from '../../http/exchange.ts';
import type { Obstacle } from '../../http/obstacle.ts';
import { BellhopError } from '../../model/values/errors.ts';

interface SlackErrorDetails {
  /** From `Retry-After`. */
  readonly retryAfterSeconds?: number | undefined;
  /** Whether the same call may succeed later. */
  readonly retryable: boolean;
  /** Whether the call may have taken effect. */
  readonly sent: boolean;
  readonly findings?: readonly string[];
  readonly obstacle?: Obstacle | undefined;
  readonly cause?: unknown;
}

const nextActions: ReadonlyMap<string, string> = new Map([
  ['not_in_channel', 'Bellhop is not in this channel. Type “/invite @Bellhop”.'],
  ['channel_not_found', "Bellhop can't see this channel. Type “/invite @Bellhop”."],
  ['is_archived', 'This channel is archived. Use another channel.'],
  [
    'restricted_action',
    "Bellhop can't post in this channel. Ask a workspace admin, or run the command in another channel.",
  ],
  ['missing_scope', 'The app lacks a scope. Ask a workspace admin to reinstall it.'],
  ['ratelimited', 'Slack is rate-limiting Bellhop. Wait a minute.'],
  ['timeout', 'Slack did not answer in time.'],
  ['unreachable', "Slack can't be reached."],
  ['connection_lost', 'The connection to Slack was lost.'],
]);

const opensDialog = /^views\.(?:open|push)$/u;
const noDialog =
  "Slack can't open dialogs right now. Nothing was done. Type /bellhop requests to see the current state.";

/**
 * `slackCode` is Slack's own, such as `invalid_blocks` or `ratelimited`, or Bellhop's: `timeout`, `unreachable`, `connection_lost`,
 * `http_503`, `unreadable_reply`, `refused_url`. `message` says what to do next in Slack.
 */
export class SlackError extends BellhopError {
  override readonly name = 'SlackError';
  readonly call: string;
  readonly slackCode: string;
  readonly retryAfterSeconds: number | undefined;
  readonly sent: boolean;
  readonly findings: readonly string[];
  readonly obstacle: Obstacle | undefined;

  constructor(call: string, slackCode: string, details: SlackErrorDetails) {
    const { obstacle } = details;
    const between = `A proxy or firewall in front of Slack answered ${call} with “${slackCode}”. Allow Slack's address there.`;
    const said =
      (opensDialog.test(call) && isOutage(slackCode) ? noDialog : nextActions.get(slackCode)) ??
      (isFromBetween(slackCode) ? between : `Slack answered “${slackCode}” to ${call}.`);
    const blocked = obstacle && `Slack can't be reached: ${obstacle.what}. ${obstacle.todo}.`;
    super('slack', blocked ?? said, details);
    this.obstacle = obstacle;
    this.call = call;
    this.slackCode = slackCode;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.sent = details.sent;
    this.findings = details.findings ?? [];
  }
}

export const isRefusal = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof SlackError && codes.includes(error.slackCode);

/** `invalid_blocks`, `invalid_attachments`, `invalid_arguments` … */
export const refusesContent = (error: unknown): error is SlackError =>
  error instanceof SlackError && error.slackCode.startsWith('invalid_') && error.slackCode !== 'invalid_auth';

/** Slack itself refused, such as with `message_not_found`, so the same edit will never succeed. */
export const cannotBeEdited = (error: unknown): error is SlackError =>
  error instanceof SlackError &&
  !error.retryable &&
  !error.sent &&
  !error.slackCode.startsWith('http_') &&
  !refusesContent(error);

/** From a proxy or a firewall: Slack itself rejects tokens and calls with a 200. */
export const isFromBetween = (slackCode: string): boolean => /^http_(?:401|403|407|451)$/u.test(slackCode);

/** Calls postponed by a rate limit are quiet, because the lanes log them once a minute. */
export const delayOf = (error: unknown): Delay =>
  error instanceof SlackError
    ? { afterMs: (error.retryAfterSeconds ?? 0) * 1000, quiet: error.slackCode === 'ratelimited' }
    : { afterMs: 0, quiet: false };

const passing = new Set([
  'internal_error',
  'fatal_error',
  'service_unavailable',
  'request_timeout',
  'team_added_to_org',
  'update_failed',
  'external_channel_migrating',
]);
/** The call may have taken effect. */
const undecided = new Set(['internal_error', 'fatal_error', 'request_timeout']);

const unanswered = new Set(['timeout', 'unreachable', 'connection_lost', 'unreadable_reply', 'ratelimited']);

/** Whether Slack may refuse every message now, not only this one. */
export const isOutage = (slackCode: string): boolean =>
  slackCode.startsWith('http_') || passing.has(slackCode) || unanswered.has(slackCode);

const slackErrorCode = /^[a-z][a-z0-9_]{0,79}$/u;

export function toSlackError(method: string, error: unknown): SlackError {
  if (error instanceof SlackError) return error;
  if (error instanceof webApi.WebAPIRateLimitedError) return rateLimited(method, error.retryAfter, error);
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
  if (cause instanceof SlackError) return cause;
  return new SlackError(method, 'connection_lost', { retryable: true, sent: true, cause });
}

/** The refused call had no effect. */
export const rateLimited = (method: string, retryAfterSeconds: number, cause?: unknown): SlackError =>
  new SlackError(method, 'ratelimited', { retryAfterSeconds, retryable: true, sent: false, cause });

export function refusal(call: string, code: string, findings: readonly string[] = []): SlackError {
  if (!slackErrorCode.test(code)) return unreadableReply(call);
  return new SlackError(call, code, { retryable: passing.has(code), sent: undecided.has(code), findings });
}

/** A 200 with an unexpected body: either the call was done, or something other than Slack answered. */
export const unreadableReply = (method: string, cause?: unknown): SlackError =>
  new SlackError(method, 'unreadable_reply', { retryable: false, sent: true, cause });

/** `timeout`, `unreachable` (nothing was sent) or `connection_lost`. */
export function noAnswer(call: string, { reason, sent, code, obstacle }: NoResponse): SlackError {
  if (reason === 'too-large') return unreadableReply(call);
  const cause = code === undefined ? undefined : new Error(code);
  const lost = sent ? 'connection_lost' : 'unreachable';
  const slackCode = reason === 'deadline' ? 'timeout' : lost;
  return new SlackError(call, slackCode, { retryable: true, sent, cause, obstacle });
}
