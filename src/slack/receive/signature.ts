import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

import { limits } from '../render/limits.ts';

/** What a request claims about itself before its body is read. */
export interface ClaimedSignature {
  readonly timestamp: string;
  readonly digest: Buffer;
}

const seconds = /^\d{1,12}$/u;
const signature = /^v0=([0-9a-f]{64})$/u;

/**
 * The claim of a request, or undefined where it has none that could be right: a header is missing, or the time is more
 * than 5 minutes away either way. `now` is epoch milliseconds.
 */
export function claimedSignature(headers: IncomingHttpHeaders, now: number): ClaimedSignature | undefined {
  const timestamp = headers['x-slack-request-timestamp'];
  const claimed = headers['x-slack-signature'];
  if (typeof timestamp !== 'string' || typeof claimed !== 'string' || !seconds.test(timestamp))
    return undefined;
  if (Math.abs(now - Number(timestamp) * 1000) > limits.signatureAgeMs) return undefined;
  const digest = signature.exec(claimed)?.[1];
  return digest === undefined ? undefined : { timestamp, digest: Buffer.from(digest, 'hex') };
}

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
