import type { CallRecord } from '../../service/http/call-observer.ts';
import type { AuditDraft, AuditEvent } from '../../model/audit.ts';
import { tokenRefusals } from './credentials-watch.ts';

/** Events that end something carry its outcome. */
const outcomes: Partial<Readonly<Record<AuditEvent, true | string>>> = {
  read: true,
  ended: true,
  settled: true,
  cancelled: true,
  superseded: true,
  expired: true,
  refused: true,
  'denied approval': true,
  denied: 'denied',
  invalid: 'invalid',
  'ignored click': 'ignored click',
};

/** The outcome of a command that this entry ends with; undefined for the steps on the way. */
export function operationOutcome({ event, outcome }: AuditDraft): string | undefined {
  const known = outcomes[event];
  return known === true ? (outcome ?? 'other') : known;
}

export const answerResults = ['ok', 'rejected', 'refused', 'failed'] as const;

/** What a call to the service came to: a key that is refused and a service that fails are not what people asked for. */
export function answerResult({ status, outcome }: CallRecord): (typeof answerResults)[number] {
  if (status === 401 || status === 403) return 'refused';
  if (status === undefined || status >= 500) return 'failed';
  return outcome === 'succeeded' ? 'ok' : 'rejected';
}

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
