import type { CallRecord } from '../../service/http/call-observer.ts';
import type { Clock, Log } from '../../model/ports.ts';
import type { CheckedSignature } from '../../slack/receive/signature.ts';
import { onceAMinute } from './once-a-minute.ts';
import type { Readiness } from './readiness.ts';

// Both are the same on every replica, and anybody may send a wrong signature: neither takes a replica out.

/** The parts of `/readyz`. */
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
