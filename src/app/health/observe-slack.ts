import type { CheckedSignature } from '../../slack/receive/events-route.ts';
import { traceSlackCall } from '../process/tracing.ts';
import { seconds } from './metrics.ts';
import { onceAMinute, type Reports } from './readiness.ts';

// The signing secret is the same on every replica, and anybody may send a wrong signature: it takes none out.

/** The parts of `/readyz`. */
export const tokenPart = 'slack token';
export const signaturesPart = 'signatures';

/** Reports what Slack sends and answers: whether it can be reached, and takes the token and the signing secret. */
export function observeSlack({ clock, log, readiness, metrics }: Reports) {
  const isDue = onceAMinute(clock);
  let tokenRefused = false;
  return {
    onConnected: (connected: boolean, problem?: string): void => readiness.set('slack', connected, problem),
    /** An answer to a payload, or to a request that is none. */
    onAnswer: (kind: string, status: number, ms: number): void =>
      metrics.acks.observe({ kind, status }, seconds(ms)),
    onCall: (method: string, outcome: string, ms: number): void => {
      metrics.slackCalls.observe({ method, outcome: slackOutcome(outcome) }, seconds(ms));
      traceSlackCall(method, outcome, ms);
      if (tokenRefusals.includes(outcome)) {
        tokenRefused = true;
        readiness.set(tokenPart, false, outcome);
        log.error(
          { method, problem: outcome },
          'Slack refuses SLACK_BOT_TOKEN: nobody is answered until it takes it again, or it is replaced',
        );
      } else if (tokenRefused && outcome === 'ok' && method !== 'response_url') {
        tokenRefused = false;
        readiness.set(tokenPart, true);
        log.info({ method }, 'Slack takes SLACK_BOT_TOKEN again');
      }
    },
    onSignature: ({ verdict, ageMs }: CheckedSignature): void => {
      if (verdict === 'right') return readiness.set(signaturesPart, true);
      const timestampAgeSeconds = Math.round(ageMs / 1000);
      const problem =
        verdict === 'wrong time'
          ? `a timestamp is ${timestampAgeSeconds} s old: check the clock of this machine`
          : 'a signature is wrong and its timestamp is not: check SLACK_SIGNING_SECRET';
      readiness.set(signaturesPart, false, problem);
      if (isDue(''))
        log.warn({ verdict, timestampAgeSeconds, problem }, 'a payload was refused by its signature');
    },
  };
}

/** What Slack says to a token that it no longer takes. */
export const tokenRefusals = [
  'invalid_auth',
  'not_authed',
  'account_inactive',
  'token_revoked',
  'token_expired',
];

/** The outcomes that somebody would look for. Slack has hundreds of codes; the rest are `other`. */
const shown = new Set([
  'ok',
  'ratelimited',
  'timeout',
  'unreachable',
  'connection_lost',
  'unreadable_reply',
  ...tokenRefusals,
  'missing_scope',
  'invalid_blocks',
  'channel_not_found',
  'not_in_channel',
  'message_not_found',
  'expired_trigger_id',
  'expired_url',
  'used_url',
  'internal_error',
]);

/** A label for what a call to Slack came to. */
export function slackOutcome(code: string): string {
  if (shown.has(code)) return code;
  return code.startsWith('http_5') ? 'http_5xx' : 'other';
}
