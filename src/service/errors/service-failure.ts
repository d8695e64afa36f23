import { STATUS_CODES } from 'node:http';

import { ServiceError, type CallOutcome } from '../../model/errors.ts';
import { type Answer, type NoResponse, retryAfterMs } from '../../http/attempt.ts';
import { type MaskText, clipLine } from './clean-text.ts';
import type { CallKind } from '../schemas/endpoints.ts';
import { readServiceReason } from './service-reason.ts';
import { isServiceSilent, noResponseText } from './no-response.ts';

/** The call that failed, as an error names it. */
export interface FailedCall {
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly mask: MaskText;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Redirects that a service may as well answer once a change is done: see another, look there, nothing new. */
const perhapsDone: ReadonlySet<number> = new Set([302, 303, 304]);

/**
 * The error for an answer outside 2xx. A change that got a 5xx, a 408 or one of those redirects may have happened; a
 * query changes nothing, so it is `rejected` whatever happened to it.
 */
export function failureOfAnswer(call: FailedCall, answer: Answer): ServiceError {
  const { status, headers } = answer;
  const { reason, requestId } = readServiceReason(answer, call.mask);
  const unknown = call.kind === 'change' && (status >= 500 || status === 408 || perhapsDone.has(status));
  const overloaded = status === 429 || status === 408 || status >= 500;
  const waitMs = retryAfterMs(headers, call.now);
  const why = reason === undefined ? '' : `${reason}${/[.!?…]$/.test(reason) ? '' : '.'} `;
  const said = STATUS_CODES[status] === undefined ? `${status}` : `${status} ${STATUS_CODES[status]}`;
  const next = nextStep(call, answer, unknown, waitMs);
  const message = `${why}The service answered ${subject(call)} with ${said}. ${next}`;
  const summary = `The service answered ${said}.`;
  return new ServiceError(unknown ? 'unknown-outcome' : 'rejected', message.trim(), {
    method: call.method,
    path: call.mask(call.path),
    summary: unknown ? summary : `${why}${summary} ${next}`.trim(),
    status,
    retryable: overloaded && !unknown,
    serviceRequestId: requestId,
    retryAfterSeconds: waitMs === undefined ? undefined : Math.ceil(waitMs / 1000),
  });
}

/** The error for a call that got no complete answer. */
export function failureOfNoResponse(call: FailedCall, silence: NoResponse, waitedMs: number): ServiceError {
  const why = noResponseText(silence, waitedMs);
  const outcome: CallOutcome = !silence.sent
    ? 'not-sent'
    : call.kind === 'change'
      ? 'unknown-outcome'
      : 'rejected';
  const blame = isServiceSilent(silence) ? 'The service is not answering; Bellhop is fine. ' : '';
  const message = {
    'not-sent': `${subject(call)} was not sent: ${why}. ${silence.reason === 'cancelled' ? 'Nothing happened.' : 'Nothing happened; try again in a moment.'}`,
    'unknown-outcome': `${subject(call)} was sent, but ${why}. ${checkFirst}`,
    rejected: `${subject(call)} got no answer: ${why}. Try again in a moment.`,
  }[outcome];
  return new ServiceError(outcome, `${blame}${message}`, {
    method: call.method,
    path: call.mask(call.path),
    summary: `${blame}${why.charAt(0).toUpperCase()}${why.slice(1)}.`,
    retryable: outcome !== 'unknown-outcome' && silence.reason !== 'too-large',
    status: silence.status,
    cause: silence.code === undefined ? undefined : new Error(silence.code),
  });
}

/** The error for a 2xx whose body is not what the interface promises. `problem`: "it is not JSON". */
export function failureOfBody(call: FailedCall, status: number, problem: string): ServiceError {
  const start = `The service answered ${subject(call)} with ${status}, but the body could not be read: ${problem}.`;
  const unknown = call.kind === 'change';
  const message = unknown
    ? `${start} ${checkFirst}`
    : `${start} Check that API_BASE_URL is the address of the service.`;
  return new ServiceError(unknown ? 'unknown-outcome' : 'rejected', message, {
    method: call.method,
    path: call.mask(call.path),
    summary: `The service answered ${status}, but the body could not be read: ${problem}.`,
    status,
  });
}

function subject(call: FailedCall): string {
  const times = call.attempts > 1 ? ` (${call.attempts} attempts)` : '';
  return `${call.method} ${clipLine(call.mask(call.path), 300)}${times}`;
}

const checkFirst = 'It may or may not have happened: check before you run it again.';

function nextStep(call: FailedCall, answer: Answer, unknown: boolean, waitMs: number | undefined): string {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const location = typeof headers['location'] === 'string' ? headers['location'] : 'nowhere';
    const redirect = `Redirects (here to ${clipLine(call.mask(location), 200)}) are never followed`;
    return unknown ? `${redirect}. ${checkFirst}` : `${redirect}: check API_BASE_URL.`;
  }
  if (unknown) return checkFirst;
  if (status === 401) return 'Check API_KEY: the service does not accept it.';
  if (status === 403) {
    return call.kind === 'change'
      ? 'API_KEY may be read-only: use a key that may change things.'
      : 'API_KEY may not read this: use a key that may.';
  }
  if (status === 429 || status === 503) {
    return waitMs === undefined ? 'Try again in a moment.' : `Try again in ${Math.ceil(waitMs / 1000)} s.`;
  }
  return status >= 500 ? 'Try again in a moment.' : '';
}
