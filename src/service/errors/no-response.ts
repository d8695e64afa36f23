import type { NoResponse, NoResponseReason } from '../../http/attempt.ts';

const reasons: Record<Exclude<NoResponseReason, 'connection'>, string> = {
  'first-byte-timeout': 'the service took too long to begin its answer',
  deadline: 'the time limit was over',
  cancelled: 'the call was cancelled',
  'too-large': 'the answer is larger than can be taken',
  'not-http': 'what came back is not HTTP',
  invalid: 'the request cannot be written as HTTP',
  closed: 'Bellhop is stopping',
  'lease-lost': 'Bellhop lost its lease on the request before it could send it',
  'breaker-open': 'the service failed many times in a row, so calls to it are paused for a few seconds',
  busy: 'too many calls to the service are waiting already',
};

/** Codes of Node's net, dns and tls, and of undici. */
const codes: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the network cannot be reached',
  ETIMEDOUT: 'no connection came about in time',
  ENOTFOUND: 'the host of API_BASE_URL has no address',
  EAI_AGAIN: 'the name service does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'no connection came about in time',
  UND_ERR_SOCKET: 'the connection was closed',
};

const notItsFault: ReadonlySet<NoResponseReason> = new Set([
  'connection',
  'first-byte-timeout',
  'deadline',
  'breaker-open',
]);

/** To begin with, where the service is to blame: whoever reads it wonders whether the bot is. */
export const isServiceSilent = ({ reason }: NoResponse): boolean => notItsFault.has(reason);

/** Why there is no answer, to follow "was not sent:" or "was sent, but". */
export function noResponseText(silence: NoResponse, waitedMs: number): string {
  const { reason, code, status } = silence;
  if (reason === 'deadline' && silence.sent)
    return `no complete answer came within ${Math.max(1, Math.round(waitedMs / 1000))} s`;
  if (reason !== 'connection') return reasons[reason];
  const words = code === undefined ? 'the connection failed' : (codes[code] ?? connectionWords(code));
  return status === undefined ? words : `${words} in the middle of a ${status} answer`;
}

function connectionWords(code: string): string {
  const certificate = /CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|ERR_SSL|EPROTO/.test(code);
  return certificate ? `no secure connection came about (${code})` : `the connection failed (${code})`;
}
