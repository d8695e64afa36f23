import { array, assert, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';

import { createRedactor } from '../../src/command/redactor.ts';

const secret = 'p@ss "w\\rd/7+é&<';

describe('a learnt secret is hidden', () => {
  it.each<[string, string]>([
    ['as it is', `key ${secret} refused`],
    ['in JSON', JSON.stringify({ error: secret })],
    ['in JSON within JSON', JSON.stringify({ body: JSON.stringify({ error: secret }) })],
    ['in a path', `/a/${encodeURIComponent(secret)}/b`],
    [
      'in a path with small hex digits',
      encodeURIComponent(secret).replaceAll(/%../gu, (escape) => escape.toLowerCase()),
    ],
    ['in a form', new URLSearchParams({ key: secret }).toString()],
    ['in a page', '<p>p@ss "w\\rd/7+é&amp;&lt;</p>'],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in the base64 of login and password', Buffer.from(`me:${secret}`).toString('base64')],
    ['in base64 with a longer login', Buffer.from(`root:${secret}:x`).toString('base64')],
    ['in base64 with a login longer still', Buffer.from(`admin:${secret}`).toString('base64')],
    ['twice', `${secret}${secret}`],
  ])('%s', (_, text) => {
    const mask = createRedactor();
    expect(mask.redact(text)).toBe(text);
    mask.learn(secret);
    const masked = mask.redact(text);
    expect(masked).toContain('••••');
    expect(remains(masked)).toBe(false);
  });

  it('leaves the words around it', () => {
    const mask = createRedactor();
    mask.learn('hunter22');
    expect(mask.redact('login root, password hunter22, refused')).toBe('login root, password ••••, refused');
  });

  it('also a line of a private key alone, but not the lines that every key has', () => {
    const mask = createRedactor();
    mask.learn('-----BEGIN KEY-----\nMIIEvQIBADANBgkq\nhkiG9w0BAQEFAASC\n-----END KEY-----');
    expect(mask.redact('bad line: hkiG9w0BAQEFAASC')).toBe('bad line: ••••');
    expect(mask.redact('expected -----BEGIN KEY-----')).toBe('expected -----BEGIN KEY-----');
  });

  it('even one that is not valid text', () => {
    const mask = createRedactor();
    mask.learn('half\ud800pair');
    expect(mask.redact('a half\ud800pair b')).toBe('a •••• b');
  });

  it('the longer of two first, so that nothing of it is left', () => {
    const mask = createRedactor();
    mask.learn('abcd');
    mask.learn('abcd-efgh');
    expect(mask.redact('abcd-efgh abcd')).toBe('•••• ••••');
  });

  it('whatever the secrets and wherever they stand', () => {
    const value = string({ unit: 'binary', minLength: 4, maxLength: 40 });
    assert(
      property(array(value, { minLength: 1, maxLength: 5 }), string(), (secrets, around) => {
        const mask = createRedactor();
        for (const one of secrets) mask.learn(one);
        const [first = ''] = secrets;
        const text = mask.redact(
          `${around}${first}${JSON.stringify(first)}${encodeURIComponent(first.toWellFormed())}`,
        );
        expect(text.replaceAll('••••', '')).not.toContain(first);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

/** Whether eight characters in a row of the secret, plain or in base64, can still be read. */
function remains(masked: string): boolean {
  const plain = [...masked.matchAll(/[A-Za-z0-9+/_-]{12,}/gu)].map(([run]) =>
    Buffer.from(run, 'base64').toString(),
  );
  return [masked, ...plain].some((text) => text.includes('w\\rd') || text.includes('p@ss "'));
}

describe('nothing else is hidden', () => {
  it('where nothing was learnt', () => {
    expect(createRedactor().redact('a word')).toBe('a word');
  });

  it('where what was learnt is as short as a word', () => {
    const mask = createRedactor();
    mask.learn('abc');
    mask.learn('');
    expect(mask.redact('abc')).toBe('abc');
  });

  it('once a hundred later secrets were learnt, unless it was among the first hundred', () => {
    const mask = createRedactor();
    for (let count = 1; count <= 201; count += 1) mask.learn(`secret number ${count}!`);
    expect(mask.redact('secret number 1! secret number 100! secret number 101! secret number 102!')).toBe(
      '•••• •••• secret number 101! ••••',
    );
  });
});
