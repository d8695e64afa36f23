import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { isSame } from '../../http/incoming.ts';
import type { Hook, HookSignature } from '../../model/rulebook.ts';
import type { Clock } from '../../model/ports.ts';

/** Longer ones hold no secret of ours. */
const longestHeader = 4096;

/** Whether `Authorization` shows one of the secrets. */
export function showsSecret(header: string | undefined, secrets: readonly string[]): boolean {
  const [, shown = ''] = /^bearer +(\S+) *$/iu.exec((header ?? '').slice(0, longestHeader)) ?? [];
  // Each is compared, whichever fits.
  return secrets.map((secret) => isSame(shown, secret)).includes(true) && shown !== '';
}

const pagerDuty: HookSignature = { header: 'x-pagerduty-signature', prefix: 'v1=' };

/** How the bodies of a hook are signed; undefined if its sender shows the secret. */
export const signatureOf = ({ kind, signature }: Hook): HookSignature | undefined =>
  kind === 'pagerduty' ? pagerDuty : signature;

/** PagerDuty sends one signature for each secret while they are rotated. */
const mostSignatures = 10;
const hexadecimal = /^[0-9a-f]{64}$/u;

/** The signatures in the header; empty if none can match the body. */
export const claimedSignatures = (
  { header, prefix }: HookSignature,
  headers: IncomingHttpHeaders,
): readonly string[] =>
  String(headers[header] ?? '')
    .slice(0, longestHeader)
    .split(',')
    .slice(0, mostSignatures)
    .map((part) => part.trim())
    .flatMap((part) => (part.startsWith(prefix) ? [part.slice(prefix.length)] : []))
    .filter((claimed) => hexadecimal.test(claimed));

/** Whether one of them is the HMAC-SHA256 of the body with one of the secrets. */
export function isSigned(claimed: readonly string[], secrets: readonly string[], body: Buffer): boolean {
  const expected = secrets.map((secret) => createHmac('sha256', secret).update(body).digest('hex'));
  return expected.flatMap((digest) => claimed.map((one) => isSame(one, digest))).includes(true);
}

/** A burst, then a rate per second. */
interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A storm of thousands of groups is one delivery each: these pass at once, a flood does not. */
export const hookRate: Rate = { burst: 3_000, perSecond: 50 };

/** Each name by itself. */
interface RateLimit {
  /** 0 where this one may pass; else the seconds until one may. */
  take(name: string): number;
}

interface Bucket {
  readonly left: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Names are those of hooks or agents: as many as there are in bellhop.yaml. */
export function createRateLimit(clock: Pick<Clock, 'now'>, { burst, perSecond }: Rate): RateLimit {
  const buckets = new Map<string, Bucket>();
  return {
    take(name) {
      const now = clock.now();
      const { left, at } = buckets.get(name) ?? { left: burst, at: now };
      // Nothing is gained while the clock is set back.
      const filled = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      buckets.set(name, { left: passes ? filled - 1 : filled, at: now });
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}
