import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { clip } from '../../../src/text/words.ts';
import {
  clipMrkdwn,
  escapeText,
  oneLine,
  plainLine,
  readable,
  safeText,
} from '../../../src/slack/render/text.ts';
import { runs } from '../limits-hold.ts';
import { hostileText } from '../hostile.ts';

describe('escapeText', () => {
  test.each([
    ['<!channel>', '&lt;!channel&gt;'],
    ['R&D', 'R&amp;D'],
    ['&lt;', '&amp;lt;'],
    ['plain', 'plain'],
    ['cdn.**, storage.**', 'cdn.<!date^00000000^{_}|**>, storage.<!date^00000000^{_}|**>'],
    ['web_1 and a*b~c', 'web_1 and a*b~c'],
    ['_<b>_', '<!date^00000000^{_}|_>&lt;b&gt;<!date^00000000^{_}|_>'],
    ['a`b', 'a<!date^00000000^{_}|`>b'],
    ['12:30:45', '12:30:45'],
    ['web:fire:', 'web<!date^00000000^{_}|:>fire:'],
  ])('writes %s as %s', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });
});

describe('clip', () => {
  test.each([
    ['leaves what fits', 'abc', 3, 'abc'],
    ['says that it cut', 'abcd', 3, 'ab…'],
    ['cuts no surrogate pair', 'a😀b', 3, 'a…'],
  ])('%s', (_, text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped);
  });

  test.each([
    ['cuts no entity', 'ab&lt;cd', 5, 'ab…'],
    ['keeps an entity that fits', 'a&lt;bcd', 6, 'a&lt;…'],
    ['cuts no mention', 'a <@U0ALICE> b', 8, 'a …'],
    ['keeps a mention that fits', 'a <@U0> bcdefg', 12, 'a <@U0> bcd…'],
  ])('of mrkdwn %s', (_, text, max, clipped) => {
    expect(clipMrkdwn(text, max)).toBe(clipped);
  });

  test('never exceeds its limit, splits a character or leaves half an entity', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 200 }), (text, max) => {
        const clipped = clipMrkdwn(safeText(text, max), 2 * max);
        expect(clipped.length).toBeLessThanOrEqual(2 * max);
        expect(safeText(text, max).length).toBeLessThanOrEqual(24 * max);
        expect(clipped.isWellFormed()).toBe(true);
        const literal = /<!date\^00000000\^\{_\}\|([*_~`]+|:)>/gu;
        expect(clipped.replaceAll(literal, '').replaceAll(/&(?:amp|lt|gt);/gu, '')).not.toMatch(/[<>&]/u);
      }),
      runs(1_000),
    );
  });
});

describe('readable', () => {
  test.each([
    ['controls', 'a\u0000b\u001Bc', 'a�b�c'],
    ['what reverses the direction of reading', 'a\u202Eb\u2066c', 'a�b�c'],
    ['half a character', 'a\uD83D', 'a�'],
    ['what is blank or takes no room', 'a\u3164\u034F\u2800\u{E0064}b', 'a����b'],
    ['a separator of lines', 'a\u2028b', 'a�b'],
    ['emoji, as they are', '👩‍🚒 ❤️', '👩‍🚒 ❤️'],
    ['line breaks, which stay', 'a\r\nb\tc', 'a\nb\tc'],
  ])('shows %s', (_, text, shown) => {
    expect(readable(text)).toBe(shown);
  });

  test('puts several lines on one', () => expect(oneLine(' a\n\n b\t')).toBe('a b'));
  test('is never empty if Slack wants text', () => expect(plainLine(' \n', 10)).toBe('–'));
});
