import { createHmac } from 'node:crypto';

import * as fc from 'fast-check';

import type { Wire } from './victims.ts';

const sign = (secret: string, timestamp: string, body: string | Buffer, version = 'v0'): string =>
  `${version}=${createHmac('sha256', secret).update(`v0:${timestamp}:`).update(body).digest('hex')}`;

const headersOf = (timestamp: string, signature: string): Record<string, string> => ({
  'x-slack-request-timestamp': timestamp,
  'x-slack-signature': signature,
});

const now = (offset = 0): string => String(Math.floor(Date.now() / 1000) + offset);

/** As Slack signs. */
export function signed(secret: string, { body }: Wire): Record<string, string> {
  const timestamp = now();
  return headersOf(timestamp, sign(secret, timestamp, body));
}

type Forgery = (secret: string, wire: Wire) => Record<string, string>;

/** Ways in which a request is not signed by Slack, or not now. */
const forgeries: Readonly<Record<string, Forgery>> = {
  'no headers': () => ({}),
  'no signature': () => ({ 'x-slack-request-timestamp': now() }),
  'another secret': (secret, { body }) => headersOf(now(), sign(`${secret}x`, now(), body)),
  'the signature of another body': (secret, { body }) =>
    headersOf(now(), sign(secret, now(), `${String(body)} `)),
  'of ten minutes ago': (secret, { body }) => headersOf(now(-600), sign(secret, now(-600), body)),
  'of in ten minutes': (secret, { body }) => headersOf(now(600), sign(secret, now(600), body)),
  'signed for another time': (secret, { body }) => headersOf(now(), sign(secret, now(-30), body)),
  'another version': (secret, { body }) => headersOf(now(), sign(secret, now(), body, 'v1')),
  'no hex': () => headersOf(now(), `v0=${'z'.repeat(64)}`),
  'cut short': (secret, { body }) => headersOf(now(), sign(secret, now(), body).slice(0, -1)),
};

export const forged: fc.Arbitrary<Forgery> = fc.constantFrom(...Object.values(forgeries));
