import type { ResponseHeaders } from './attempt.ts';

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
