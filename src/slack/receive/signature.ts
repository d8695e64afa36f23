import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { limits } from '../render/limits.ts';

/** What a request claims about itself before its body is read. */
export interface ClaimedSignature {
  readonly timestamp: string;
  readonly digest: Buffer;
  /** By our clock, in milliseconds; negative where it is from the future. */
  readonly ageMs: number;
}

/** What became of a claim. A wrong time tells of a clock, a wrong signature of the secret. */
export interface CheckedSignature {
  readonly verdict: 'right' | 'wrong' | 'wrong time';
  readonly ageMs: number;
}

const seconds = /^\d{1,12}$/u;
const signature = /^v0=([0-9a-f]{64})$/u;

/** The claim of a request; undefined where it has none that could ever be right. `now` is epoch milliseconds. */
export function claimedSignature(headers: IncomingHttpHeaders, now: number): ClaimedSignature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const claimed = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof claimed !== 'string' || !seconds.test(timestamp))
    return undefined;
  const digest = signature.exec(claimed)?.[1];
  if (digest === undefined) return undefined;
  return { timestamp, digest: Buffer.from(digest, 'hex'), ageMs: now - Number(timestamp) * 1000 };
}

/** Not more than 5 minutes away either way. */
export const isFresh = ({ ageMs }: ClaimedSignature): boolean => Math.abs(ageMs) <= limits.signatureAgeMs;

/**
 * Slack's v0 signature over the raw bytes of a body, compared in constant time. Source:
 * docs.slack.dev/authentication/verifying-requests-from-slack.
 */
export function createSignatureCheck(
  signingSecret: string,
): (claim: ClaimedSignature, body: Buffer) => boolean {
  const key = createSecretKey(signingSecret, 'utf8');
  return ({ timestamp, digest }, body) =>
    timingSafeEqual(createHmac('sha256', key).update(`v0:${timestamp}:`).update(body).digest(), digest);
}
