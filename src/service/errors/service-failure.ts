import { STATUS_CODES } from 'node:http';

import { type CallOutcome, ServiceError } from '../../model/values/errors.ts';
import type { CallKind } from '../schemas/endpoints.ts';
import type { MaskText } from '../../command/redactor.ts';
import { isObject, parseExactJson } from '../../text/exact.ts';
import { wordsIn } from '../../text/reason.ts';
import { capitalized, clipLine, orUndefined } from '../../text/words.ts';
import { decoded } from '../../http/body.ts';
import type { Answer, Attempt, NoResponse, NoResponseReason } from '../../http/exchange.ts';
import { retryAfterMs } from '../../http/send.ts';

export interface FailedCall {
  readonly kind: CallKind;
  readonly method: string;
  readonly path: string;
  readonly attempts: number;
  readonly mask: MaskText;
  /** In epoch milliseconds. */
  readonly now: number;
  /** Whether an answer outside 2xx proves that a change was not made. Default: docs/interface.md. */
  readonly provesRefusal?: ((status: number) => boolean) | undefined;
  readonly settings: CallSettings;
}

export interface CallSettings {
  readonly address: string;
  readonly key: string;
}

export const interfaceSettings: CallSettings = { address: 'API_BASE_URL', key: 'API_KEY' };

/** May follow a completed change. */
const perhapsDone: ReadonlySet<number> = new Set([302, 303, 304]);

const provesRefusal = (status: number): boolean => status < 500 && status !== 408 && !perhapsDone.has(status);

/** A change that got a 5xx, a 408 or such a redirect may have happened. A query that got any error is `rejected`. */
export function failureOfAnswer(call: FailedCall, answer: Answer): ServiceError {
  const { status, headers } = answer;
  const told = readServiceReason(answer, call.mask);
  const { reason, requestId } = told;
  const unknown = call.kind === 'change' && !(call.provesRefusal ?? provesRefusal)(status);
  const overloaded = status === 429 || status === 408 || status >= 500;
  const waitMs = retryAfterMs(headers, call.now);
  const why = reason === undefined ? '' : `${reason}${/[.!?…]$/.test(reason) ? '' : '.'} `;
  const said = STATUS_CODES[status] === undefined ? `${status}` : `${status} ${STATUS_CODES[status]}`;
  const next = nextStep(call, answer, { ...told, unknown }, waitMs);
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

export function failureOfNoResponse(call: FailedCall, silence: NoResponse, waitedMs: number): ServiceError {
  const why = noResponseText(silence, waitedMs);
  const outcome: CallOutcome = !silence.sent
    ? 'not-sent'
    : call.kind === 'change'
      ? 'unknown-outcome'
      : 'rejected';
  const { obstacle, reason } = silence;
  const blame =
    isServiceSilent(silence) && !obstacle ? 'The service is not answering. Bellhop is fine. ' : '';
  const next = reason === 'invalid' ? ` Check ${call.settings.key}.` : ' Try again in a moment.';
  const again = reason === 'cancelled' ? '' : next;
  const message = {
    'not-sent': `${subject(call)} was not sent: ${why}. Nothing happened.${obstacle ? ` ${obstacle.todo}.` : again}`,
    'unknown-outcome': `${subject(call)} was sent, but ${why}. ${checkFirst}`,
    rejected: `${subject(call)} got no answer: ${why}. ${obstacle ? `${obstacle.todo}.` : 'Try again in a moment.'}`,
  }[outcome];
  return new ServiceError(outcome, `${blame}${message}`, {
    method: call.method,
    path: call.mask(call.path),
    summary: `${blame}${capitalized(why)}.${obstacle ? ` ${obstacle.todo}.` : ''}`,
    retryable: outcome !== 'unknown-outcome' && silence.reason !== 'too-large',
    status: silence.status,
    noAnswer: { why, todo: obstacle?.todo },
    cause: silence.code === undefined ? undefined : new Error(silence.code),
  });
}

/**
 * For a 2xx with a body that the interface does not allow.
 * @param problem a clause such as "it is not JSON"
 */
export function failureOfBody(call: FailedCall, status: number, problem: string): ServiceError {
  const start = `The service answered ${subject(call)} with ${status}, but the body could not be read: ${problem}.`;
  const unknown = call.kind === 'change';
  const message = unknown
    ? `${start} ${checkFirst}`
    : `${start} Check that ${call.settings.address} is the address of the service.`;
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

const checkFirst = 'The change may or may not have run. Check before you run it again.';

function nextStep(
  call: FailedCall,
  answer: Answer,
  { unknown, ...told }: ServiceReason & { readonly unknown: boolean },
  waitMs: number | undefined,
): string {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    const location = typeof headers['location'] === 'string' ? headers['location'] : 'nowhere';
    const redirect = `Bellhop never follows redirects (here to ${clipLine(call.mask(location), 200)})`;
    return unknown ? `${redirect}. ${checkFirst}` : `${redirect}. Check ${call.settings.address}.`;
  }
  if (unknown) return checkFirst;
  const { key } = call.settings;
  if (told.isPage && status < 500)
    return 'This is a web page, not an answer from the service. Check the proxies and firewalls on the way.';
  if (status === 401) return `Check ${key}: the service does not accept it.`;
  if (status === 403 && refusesKey(status, told)) {
    return call.kind === 'change'
      ? `${key} may be read-only. Use a key with write access.`
      : `${key} is not allowed to read this. Use a key with read access.`;
  }
  if (status === 429 || status === 503) {
    return waitMs === undefined ? 'Try again in a moment.' : `Try again in ${Math.ceil(waitMs / 1000)} s.`;
  }
  return status >= 500 ? 'Try again in a moment.' : '';
}

/** Masked, on one line, at most 500 characters. */
interface ServiceReason {
  readonly reason: string | undefined;
  readonly requestId: string | undefined;
  /** A web page comes from a proxy or firewall. */
  readonly isPage?: true;
}

/** A 403 with a reason concerns the request, not the key. */
const refusesKey = (status: number, { reason, isPage }: ServiceReason): boolean =>
  !isPage && (status === 401 || (status === 403 && reason === undefined));

/** Undefined if the answer is not the service's, or says nothing about the key. */
export function keyAccepted(attempt: Attempt, mask: MaskText): boolean | undefined {
  if (attempt.kind !== 'answer' || attempt.status >= 500) return undefined;
  if (isPage(startOf(attempt), attempt)) return undefined;
  // Only a 403 is read for its reason, because that parses the body once more.
  return attempt.status !== 403 ? attempt.status !== 401 : !refusesKey(403, readServiceReason(attempt, mask));
}

const longestReason = 500;
const longestRequestId = 100;
/** In bytes. The rest of an error body is not read. */
const readBytes = 64 * 1024;

const startOf = ({ body, headers }: Answer): string =>
  decoded(body.subarray(0, readBytes), String(headers['content-type'])).trim();

const isPage = (text: string, { headers }: Pick<Answer, 'headers'>): boolean =>
  text.startsWith('<') &&
  (/^<(?:!doctype|html|head|body)/i.test(text) || String(headers['content-type']).includes('html'));

/**
 * Any area's error body: problem details (RFC 9457), other JSON, XML or plain text. The reason in an HTML page is its title.
 * Source: docs/interface.md#errors.
 */
export function readServiceReason(answer: Answer, mask: MaskText): ServiceReason {
  const text = startOf(answer);
  const clean = (raw: string, longest: number): string | undefined =>
    clipLine(mask(raw), longest) || undefined;
  const titled = text.startsWith('<') ? /<(?:title|h1|message)\b[^<>]*>([^<]*)</i.exec(text)?.[1] : undefined;
  if (isPage(text, answer)) {
    return { reason: clean(titled ?? '', longestReason), requestId: undefined, isPage: true };
  }
  const json = orUndefined(() => ({ body: parseExactJson(text) }));
  if (!json) return { reason: notBare(clean(titled ?? text, longestReason)), requestId: undefined };
  const { request_id: id, ...said } = isObject(json.body) ? json.body : { reason: json.body };
  return {
    // A reason of unknown shape is shown with its field names.
    reason: notBare(clean(wordsIn(said) || wordsIn({ reason: said }), longestReason)),
    requestId: clean(wordsIn(id), longestRequestId),
  };
}

const bare: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map((text = '') => text.toLowerCase()));

/** The number and name of a status, such as “404 Not Found”, are not a reason. */
function notBare(reason = ''): string | undefined {
  const said = reason.toLowerCase().replaceAll(/^\d{3}\b[ :-]*|\.$/gu, '');
  return said === '' || bare.has(said) ? undefined : reason;
}

const reasons: Record<Exclude<NoResponseReason, 'connection'>, string> = {
  'first-byte-timeout': 'the service took too long to respond',
  deadline: 'the time limit was reached',
  cancelled: 'the call was cancelled',
  'too-large': 'the response is too large',
  'not-http': 'the response is not HTTP',
  invalid: 'the request is not valid HTTP',
  closed: 'Bellhop is stopping',
  'lease-lost': 'Bellhop lost its lease on the request before sending anything',
  'breaker-open': 'the service failed many times in a row, so calls to it are paused for a few seconds',
  busy: 'too many calls to the service are waiting already',
};

/** From Node's net, dns and tls, and from undici. */
const codes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ENOENT: 'the socket does not exist',
  EACCES: 'Bellhop is not allowed to open the socket',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'the connection timed out',
  ENOTFOUND: 'its host name does not resolve',
  EAI_AGAIN: 'DNS is not responding',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection was closed',
};

const notItsFault: ReadonlySet<NoResponseReason> = new Set([
  'connection',
  'first-byte-timeout',
  'deadline',
  'breaker-open',
]);

/** Whether the service caused the silence. The message then says so first, because readers may suspect the bot. */
const isServiceSilent = ({ reason }: NoResponse): boolean => notItsFault.has(reason);

/** Follows "was not sent:" or "was sent, but". */
function noResponseText(silence: NoResponse, waitedMs: number): string {
  const { reason, code, status, obstacle } = silence;
  if (reason === 'deadline' && silence.sent)
    return `no complete response came within ${Math.max(1, Math.round(waitedMs / 1000))} s`;
  if (reason !== 'connection') return reasons[reason];
  const words = obstacle?.what ?? codes[code ?? ''] ?? `the connection failed${code ? ` (${code})` : ''}`;
  return status === undefined ? words : `${words} in the middle of a ${status} answer`;
}
