import type { AuditEntry } from '../../model/records/audit.ts';
import { sendOnce, retryAfterMs } from '../../http/send.ts';
import { BellhopError } from '../../model/values/errors.ts';
import type { Clock } from '../../model/ports.ts';
import type { ForwardSettings } from '../../model/rulebook/rulebook.ts';
import { ocsfLine } from './ocsf.ts';
import { readOfAnswer } from './publish.ts';
import { type Answer, reasonText } from '../../http/exchange.ts';

/** Consecutive entries, as JSON lines. */
export interface Batch {
  /** Their numbers. */
  readonly first: number;
  readonly last: number;
  readonly count: number;
  readonly body: string;
}

/** In bytes, below the default limits of proxies and collectors: 1 MB for nginx, about as much for Splunk. */
const largestBody = 512_000;

/** The first sealed entries, at least one, as many as fit into a body; undefined if none is sealed. */
export function batchOf(entries: readonly AuditEntry[]): Batch | undefined {
  const lines: string[] = [];
  let size = 0;
  for (const entry of entries) {
    if (entry.hash === undefined) break;
    const line = ocsfLine(entry);
    size += Buffer.byteLength(line);
    if (lines.length > 0 && size > largestBody) break;
    lines.push(line);
  }
  const [first, last] = [entries[0], entries[lines.length - 1]];
  return first && last && { first: first.seq, last: last.seq, count: lines.length, body: lines.join('') };
}

/** The result of a batch. */
export type ForwardResult = 'accepted' | 'rejected' | 'unauthorized' | 'failed';

export interface Receipt {
  readonly result: ForwardResult;
  /** Why it was not accepted, to follow “the collector”: `answered 503`. */
  readonly problem?: string | undefined;
  /** The beginning of its answer. */
  readonly answer?: string | undefined;
  /** How long the collector asks Bellhop to wait, in milliseconds. */
  readonly waitMs?: number | undefined;
}

interface SendPorts {
  readonly clock: Clock;
  /** The value behind `secret:name`. @throws BellhopError */
  readonly resolveSecret: (reference: string) => string;
  readonly stopping: AbortSignal;
}

/** Shorter than the claim on due work, so that only one replica sends at a time. */
const timeoutMs = 25_000;

/** Sends a batch. Without an answer it counts as not accepted, although it may have arrived. */
export async function sendBatch(
  { first, last, body }: Batch,
  { url, contentType, token }: ForwardSettings,
  { clock, resolveSecret, stopping }: SendPorts,
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

/** Statuses that a smaller batch may avoid: malformed, too large, unprocessable. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422]);
const longestQuote = 200;

function receiptOf({ status, headers, body }: Answer, now: number): Receipt {
  if (status >= 200 && status <= 299) return { result: 'accepted' };
  const said = {
    problem: `answered ${status}`,
    answer: body.toString('utf8').slice(0, longestQuote),
    waitMs: retryAfterMs(headers, now),
  };
  if (rejections.has(status)) return { result: 'rejected', ...said };
  if (status === 401 || status === 403) {
    return { ...said, result: 'unauthorized', problem: `answered ${status} and does not accept the token` };
  }
  if (status >= 300 && status <= 399) {
    return { ...said, result: 'failed', problem: `answered ${status}; redirects are not followed` };
  }
  return { result: 'failed', ...said };
}

/**
 * The header with the token. `Bearer` is added unless the token has its own scheme, such as `Splunk 1234-5678`.
 * @throws BellhopError `configuration`
 */
function authorizationOf(token: string, resolveSecret: (reference: string) => string): string {
  const value = resolveSecret(token).trim();
  if (/^[!-~]+$/u.test(value)) return `Bearer ${value}`;
  if (/^[!-~]+ [!-~]+$/u.test(value)) return value;
  throw new BellhopError(
    'configuration',
    `${token} can't be sent. It must be a token, or a scheme, a space and a token, in ASCII.`,
  );
}
