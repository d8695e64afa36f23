/** Lower-case names. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** One complete HTTP response, whatever its status. */
export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly body: Buffer;
}

export type NoResponseReason =
  | 'connection'
  | 'first-byte-timeout'
  | 'deadline'
  | 'cancelled'
  | 'too-large'
  | 'not-http'
  | 'invalid'
  | 'closed'
  | 'lease-lost'
  | 'breaker-open'
  | 'busy';

/** No complete response. */
export interface NoResponse {
  readonly kind: 'no-response';
  /** False only where it is certain that not one byte of the request left. */
  readonly sent: boolean;
  readonly reason: NoResponseReason;
  /** Of a response whose body broke off. */
  readonly status?: number | undefined;
  /** What the network layer said, such as ECONNREFUSED. */
  readonly code?: string | undefined;
}

export type Attempt = Answer | NoResponse;

/**
 * The wait that `Retry-After` asks for, in milliseconds; undefined where there is none or it cannot be read.
 * A date is taken against the response's own `Date`, so that two clocks that differ do no harm. RFC 9110, 10.2.3.
 */
export function retryAfterMs(headers: ResponseHeaders, now: number): number | undefined {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const until = httpDate(text);
  if (until === undefined) return undefined;
  const sent = typeof headers['date'] === 'string' ? httpDate(headers['date']) : undefined;
  return Math.max(0, until - (sent ?? now));
}

function httpDate(text: string): number | undefined {
  const time = /^[A-Z][a-z]{2,8},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The pause before trying again: doubled with each retry before, and up to half of it left to chance. In milliseconds. */
export const backoffMs = (
  baseMs: number,
  retries: number,
  { random }: { readonly random: () => number },
): number => baseMs * 2 ** retries * (0.5 + random() / 2);
