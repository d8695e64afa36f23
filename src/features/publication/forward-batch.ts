import type { EventMeanings } from '../../model/audit-event.ts';
import type { AuditEntry } from '../../model/records/audit.ts';
import { sendOnce, retryAfterMs } from '../../http/send.ts';
import { badConfiguration, BellhopError } from '../../model/values/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { ForwardSettings } from './section.ts';
import { ocsfLine } from './ocsf.ts';
import { readOfAnswer } from './publish.ts';
import { type Answer, reasonText } from '../../http/exchange.ts';

export interface Batch extends Readonly<Record<'first' | 'last', number>> {
  readonly body: string;
}

/** In bytes. Below the defaults of proxies and collectors, which are 1 MB for nginx and about as much for Splunk. */
const largestBody = 512_000;

/** At least one entry. Undefined if no entry is sealed. */
export function batchOf(entries: readonly AuditEntry[], events: EventMeanings): Batch | undefined {
  const lines: string[] = [];
  let size = 0;
  for (const entry of entries) {
    if (entry.hash === undefined) break;
    const line = ocsfLine(entry, events);
    size += Buffer.byteLength(line);
    if (lines.length > 0 && size > largestBody) break;
    lines.push(line);
  }
  const [first, last] = [entries[0], entries[lines.length - 1]];
  return first && last && { first: first.seq, last: last.seq, body: lines.join('') };
}

/** Has the number, time, kind and hash of the entry, with the problem instead of its content. */
export function stubOf(
  [entry]: readonly AuditEntry[],
  events: EventMeanings,
  problem = 'rejects it',
): Batch | undefined {
  if (entry?.hash === undefined) return undefined;
  const { seq, at, event, hash } = entry;
  const note = `stub: the collector ${problem}; the log has the entry under this number and hash`;
  return { first: seq, last: seq, body: ocsfLine({ seq, at, event, hash, note, policyHash: '' }, events) };
}

export type ForwardResult = Receipt['result'] | 'stub';

export interface Receipt {
  readonly result: 'accepted' | 'rejected' | 'unauthorized' | 'failed';
  /** Follows “the collector”, as in `answered 503`. */
  readonly problem?: string | undefined;
  readonly answer?: string | undefined;
  /** In milliseconds, as the collector asks. */
  readonly waitMs?: number | undefined;
}

export interface SendPorts {
  readonly clock: Clock;
  readonly resolveSecret: (reference: string) => string;
}

/** In milliseconds. Shorter than the claim on due work, so that only one replica sends at a time. */
const timeoutMs = 25_000;

/** A batch without an answer counts as not accepted, although it may have arrived. */
export async function sendBatch(
  { first, last, body }: Batch,
  { url, contentType, token }: ForwardSettings,
  { clock, resolveSecret }: SendPorts,
  stopping: AbortSignal,
): Promise<Receipt> {
  const late = new AbortController();
  const cancel = clock.every(timeoutMs, () => late.abort());
  try {
    const attempt = await sendOnce(url, {
      method: 'POST',
      headers: {
        'content-type': contentType,
        authorization: authorizationOf(token, resolveSecret),
        'bellhop-first': String(first),
        'bellhop-last': String(last),
      },
      body,
      signal: AbortSignal.any([stopping, late.signal]),
      timeoutMs,
      enough: readOfAnswer,
    });
    if (attempt.kind === 'answer') return receiptOf(attempt, clock.now());
    const isLate = ['deadline', 'cancelled'].includes(attempt.reason);
    return { result: 'failed', problem: `did not answer${isLate ? ' (timed out)' : reasonText(attempt)}` };
  } catch (error) {
    if (!(error instanceof BellhopError)) throw error;
    return { result: 'unauthorized', problem: `can't be called: ${error.message}` };
  } finally {
    cancel();
  }
}

/** These mean malformed, too large and unprocessable. A smaller batch may be accepted. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422]);
const longestQuote = 200;

function receiptOf({ status, headers, body }: Answer, now: number): Receipt {
  if (status >= 200 && status <= 299) return { result: 'accepted' };
  const said = {
    problem: `answered ${status}`,
    answer: body.toString('utf8').slice(0, longestQuote),
    waitMs: retryAfterMs(headers, now),
  };
  if (rejections.has(status)) return { ...said, result: 'rejected' };
  if (status === 401 || status === 403)
    return { ...said, result: 'unauthorized', problem: `${said.problem} and does not accept the token` };
  const redirects = status >= 300 && status <= 399 ? '; redirects are not followed' : '';
  return { ...said, result: 'failed', problem: said.problem + redirects };
}

/**
 * Adds `Bearer` unless the token has a scheme, such as `Splunk 1234-5678`.
 * @throws BellhopError `configuration`
 */
function authorizationOf(token: string, resolveSecret: (reference: string) => string): string {
  const value = resolveSecret(token).trim();
  if (/^[!-~]+( [!-~]+)?$/u.test(value)) return value.includes(' ') ? value : `Bearer ${value}`;
  throw badConfiguration(
    `${token} can't be sent. It must be a token, or a scheme, a space and a token, in ASCII.`,
  );
}
