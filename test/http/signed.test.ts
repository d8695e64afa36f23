import { expect, it } from 'vitest';

import { isSigned } from '../../src/http/incoming.ts';

// printf abc | openssl dgst -sha256 -hmac secret
const right = '9946dad4e00e913fc8be8e5d3f7e110a4a9e832f83fb09c345285d78638d8a0e';

it.each([
  ['right', true, [right]],
  ['right with the older of two secrets', true, [right], ['newer', 'secret']],
  ['of other bytes', false, [right.replace(/^9/u, '8')]],
  ['too short', false, [right.slice(1)]],
  ['too long', false, [`${right}00`]],
  ['as long, but no text in ASCII', false, ['é'.repeat(32)]],
  ['absent', false, []],
])('a signature that is %s: %s', (_, expected, claimed, secrets = ['secret']) => {
  expect(isSigned(claimed, secrets, 'a', Buffer.from('bc'))).toBe(expected);
});
