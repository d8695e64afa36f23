import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  clip,
  escapeText,
  oneLine,
  plainLine,
  readable,
  safeText,
} from '../../../src/slack/render/escape.ts';
import { runs } from '../limits-hold.ts';
import { hostileText } from '../hostile.ts';

describe('escapeText', () => {
  test.each([
    ['<!channel>', '&lt;!channel&gt;'],
    ['R&D', 'R&amp;D'],
    ['&lt;', '&amp;lt;'],
    ['plain', 'plain'],
  ])('writes %s as %s', (text, escaped) => {
    expect(escapeText(text)).toBe(escaped);
  });
});

describe('clip', () => {
  test.each([
    ['leaves what fits', 'abc', 3, 'abc'],
    ['says that it cut', 'abcd', 3, 'ab…'],
    ['cuts no entity', 'ab&lt;cd', 5, 'ab…'],
    ['keeps an entity that fits', 'a&lt;bcd', 6, 'a&lt;…'],
    ['cuts no surrogate pair', 'a😀b', 3, 'a…'],
    ['keeps a bare ampersand', 'AT&TAT&T', 6, 'AT&TA…'],
  ])('%s', (_, text, max, clipped) => {
    expect(clip(text, max)).toBe(clipped);
  });

  test('never exceeds its limit, splits a character or leaves half an entity', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 1, max: 200 }), (text, max) => {
        const clipped = safeText(text, max);
        expect(clipped.length).toBeLessThanOrEqual(max);
        expect(clipped.isWellFormed()).toBe(true);
        expect(clipped.replaceAll(/&(?:amp|lt|gt);/gu, '')).not.toMatch(/[<>&]/u);
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
  test('is never empty where Slack wants text', () => expect(plainLine(' \n', 10)).toBe('–'));
});
