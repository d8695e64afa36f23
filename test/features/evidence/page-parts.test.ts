import { createHash, randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { Buffer as PageBuffer } from '../../../src/features/evidence/page/node/buffer.ts';
import { hash } from '../../../src/features/evidence/page/node/crypto.ts';

const samples = Array.from({ length: 300 }, (_, length) => randomBytes(length));

it('the page hashes as Node does, whatever the length', () => {
  const nodes = samples.map((bytes) => createHash('sha256').update(bytes).digest('hex'));
  expect(samples.map((bytes) => hash('sha256', bytes))).toEqual(nodes);
  for (const text of ['é\u{1F600}', 'é\u{1F600}x'.repeat(3000), '']) {
    const expected = createHash('sha256').update(text).digest('latin1');
    expect(hash('sha256', text, 'latin1')).toBe(expected);
  }
});

it.each(['hex', 'base64', 'base64url', 'latin1', 'utf8'] as const)(
  'the page reads and writes %s as Node does',
  (encoding) => {
    for (const bytes of samples) {
      const text = encoding === 'utf8' ? `é\u{1F600} ${bytes.length}` : bytes.toString(encoding);
      const read = PageBuffer.from(text, encoding);
      expect([...read]).toEqual([...Buffer.from(text, encoding)]);
      expect(read.toString(encoding)).toBe(text);
      expect(read.equals(Buffer.from(text, encoding))).toBe(true);
    }
  },
);
