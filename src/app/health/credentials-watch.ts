import type { CallRecord } from '../../service/http/call-observer.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { CheckedSignature } from '../../slack/receive/signature.ts';
import { onceAMinute } from './once-a-minute.ts';
import type { Readiness } from './readiness.ts';

// The key and the signing secret are the same on every replica, and anybody may send a wrong signature: neither takes a replica out.

/** The parts of `/readyz`. */
export const tokenPart = 'slack token';
export const keyPart = 'service key';
export const signaturesPart = 'signatures';

interface WatchPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, 'set'>;
}

/** Notices by any call to the service that API_KEY is refused, and that it is taken again. */
export function createKeyWatch({ clock, log, readiness }: WatchPorts): (call: CallRecord) => void {
  const isDue = onceAMinute(clock);
  return ({ endpoint, status }) => {
    if (status === 401 || status === 403) {
      readiness.set(keyPart, false, `the service answered ${status} to ${endpoint}: check API_KEY`);
      if (isDue('')) log.warn({ endpoint, status }, 'the service refuses API_KEY');
    } else if (status !== undefined && status < 500) readiness.set(keyPart, true);
  };
}

/** Notices that what looks signed by Slack is refused, and that something is taken again. */
export function createSignatureWatch({
  clock,
  log,
  readiness,
}: WatchPorts): (checked: CheckedSignature) => void {
  const isDue = onceAMinute(clock);
  return ({ verdict, ageMs }) => {
    if (verdict === 'right') return readiness.set(signaturesPart, true);
    const timestampAgeSeconds = Math.round(ageMs / 1000);
    const problem =
      verdict === 'wrong time'
        ? `a timestamp is ${timestampAgeSeconds} s old: check the clock of this machine`
        : 'a signature is wrong and its timestamp is not: check SLACK_SIGNING_SECRET';
    readiness.set(signaturesPart, false, problem);
    if (isDue(''))
      log.warn({ verdict, timestampAgeSeconds, problem }, 'a payload was refused by its signature');
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

/** Notices by any call to Slack that the bot token is refused, and that it is taken again. */
export function createTokenWatch(readiness: Readiness, log: Log): (method: string, outcome: string) => void {
  let refused = false;
  return (method, outcome) => {
    if (tokenRefusals.includes(outcome)) {
      refused = true;
      readiness.set(tokenPart, false, outcome);
      log.error(
        { method, problem: outcome },
        'Slack refuses SLACK_BOT_TOKEN: nobody is answered until it takes it again, or it is replaced',
      );
    } else if (refused && outcome === 'ok' && method !== 'response_url') {
      refused = false;
      readiness.set(tokenPart, true);
      log.info({ method }, 'Slack takes SLACK_BOT_TOKEN again');
    }
  };
}
