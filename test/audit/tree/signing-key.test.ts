import { describe, expect, it } from 'vitest';

import { openNote, signNote, verifierOf } from '../../../src/audit/tree/signed-note.ts';
import { formatSigningKey, makeSigningKey, parseSigningKey } from '../../../src/audit/tree/signing-key.ts';

describe('a signing key', () => {
  const key = makeSigningKey('bellhop.example.com/audit');
  const written = formatSigningKey(key);

  it('signs alike after it was written down and read', () => {
    const note = signNote('A line.\n', key.name, [parseSigningKey(`${written}\n`)]);
    expect(openNote(note, [verifierOf(key, key.name)]).signatures).toHaveLength(1);
    expect(parseSigningKey(written).name).toBe(key.name);
  });

  it.each([
    ['empty', ''],
    ['cut off', written.slice(0, -4)],
    ['one for another name', written.replace('bellhop', 'doorman')],
    ['a verifier key', written.replace('PRIVATE+KEY+', '')],
    [
      'of another kind',
      [...written.split('+').slice(0, 4), Buffer.alloc(33, 6).toString('base64')].join('+'),
    ],
  ])('is refused where it is %s, without a word of it', (_, text) => {
    expect(() => parseSigningKey(text)).toThrow(
      /^The key of the audit log is invalid\. Create one with `npm run audit -- new-key`: PRIVATE\+KEY\+name\+hash\+base64\.$/u,
    );
  });
});
