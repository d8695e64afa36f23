import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Of one length whatever was shown, so that comparing takes the same time. */
const digestOf = (text: string): Buffer => hash('sha256', text, 'buffer');

const isSame = (one: string, other: string): boolean => timingSafeEqual(digestOf(one), digestOf(other));

/** Longer ones hold no secret of ours. */
const longestHeader = 4096;

/** Whether `Authorization` shows the secret. Without one it takes as long, and is false. */
export function showsSecret(header: string | undefined, secret: string | undefined): boolean {
  const [, shown = ''] = /^bearer +(\S+) *$/iu.exec((header ?? '').slice(0, longestHeader)) ?? [];
  return isSame(shown, secret ?? '') && secret !== undefined && shown !== '';
}

/** PagerDuty sends one signature for each secret while they are rotated. */
const mostSignatures = 10;
const signature = /^v1=([0-9a-f]{64})$/u;

/** What `X-PagerDuty-Signature` claims; empty where it can be no signature of the body. */
export const claimedSignatures = (header: string | undefined): readonly string[] =>
  (header ?? '')
    .slice(0, longestHeader)
    .split(',')
    .slice(0, mostSignatures)
    .flatMap((part) => signature.exec(part.trim())?.[1] ?? []);

/** Whether one of them is the HMAC-SHA256 of the body. */
export function isSigned(claimed: readonly string[], secret: string, body: Buffer): boolean {
  const expected = createHmac('sha256', secret).update(body).digest('hex');
  // Each is compared, whichever fits.
  return claimed.map((one) => isSame(one, expected)).includes(true);
}
