import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { quoteWord } from '../../../src/text/words.ts';
import { hiddenCharacter, longestText } from '../../../src/command/grammar/refuse.ts';
import { splitWords } from '../../../src/command/grammar/words.ts';

describe('typed text', () => {
  it.each<[name: string, typed: string, words: readonly string[]]>([
    [
      'splits at any white space',
      ' reboot \t web-1\n now\u00A0please ',
      ['reboot', 'web-1', 'now', 'please'],
    ],
    ['keeps quoted words together', 'a "b c" d', ['a', 'b c', 'd']],
    ['reads smart quotes as quotes', '“b c” ‘d e’ „f g“', ['b c', 'd e', 'f g']],
    ['reads mixed quotes as phones leave them', '“b c" "d e” \'f g’', ['b c', 'd e', 'f g']],
    [
      'reads backticks, as names are pasted',
      '`web-1` `b c` --reason=`it hangs`',
      ['web-1', 'b c', '--reason=it hangs'],
    ],
    ['leaves a backtick in a word alone', "a`b `it's`", ['a`b', "it's"]],
    ['reads guillemets', '«b c»', ['b c']],
    ['leaves an apostrophe in a word alone', 'don\'t won’t 5"', ["don't", 'won’t', '5"']],
    ['lets a quote stand inside a group', '"he said "no" twice"', ['he said "no', 'twice"']],
    ['lets a quote stand inside a group behind a backslash', '"say \\"no\\" twice"', ['say "no" twice']],
    ['lets an apostrophe stand inside double quotes', '"it\'s stuck"', ["it's stuck"]],
    [
      'leaves backslashes alone elsewhere',
      'C:\\new "C:\\new dir" \\\\srv',
      ['C:\\new', 'C:\\new dir', '\\\\srv'],
    ],
    ['halves backslashes before a closing quote', '"dir\\\\" x', ['dir\\', 'x']],
    ['groups the value of an option', '--reason="b c" —reason=“d e”', ['--reason=b c', '--reason=d e']],
    [
      'makes the dash of autocorrect two again',
      '—reason –-reason —Reason',
      ['--reason', '--reason', '--Reason'],
    ],
    ['keeps a dash that does not start an option', '— –5 a—b', ['—', '–5', 'a—b']],
    ['leaves a dash alone that is quoted', '--reason "—see the ticket"', ['--reason', '—see the ticket']],
    ['takes an empty word in quotes', 'a "" b', ['a', '', 'b']],
    [
      'takes emoji and mentions as they are',
      '🔥 👩‍🚒 ❤️ 🇱🇺 <!channel> <@U1|bob>',
      ['🔥', '👩‍🚒', '❤️', '🇱🇺', '<!channel>', '<@U1|bob>'],
    ],
  ])('%s', (_, typed, words) => {
    expect(splitWords(typed)).toEqual(words);
  });

  it.each<[name: string, typed: string]>([
    ['a control character', 'reboot web\u00071'],
    ['NUL', 'a\0b'],
    ['a character that turns the direction of text', 'reboot \u202E1-bew'],
    ['an isolate', 'a\u2066b'],
    ['a mark of direction', 'a\u200Fb'],
    ['a space without width', 'web\u200B-1'],
    ['a soft hyphen', 'web\u00AD-1'],
    ['delete', 'a\u007Fb'],
    ['a letter that is blank', 'web\u31641'],
    ['a half-width letter that is blank', 'web\uFFA01'],
    ['a braille pattern without dots', 'web\u28001'],
    ['a joiner of graphemes', 'web\u034F-1'],
    ['a byte order mark', '\uFEFFweb-1'],
    ['tag characters', 'web-1\u{E0064}\u{E0062}'],
    ['variation selectors that carry bytes', 'web-1\u{E0154}\uFE01'],
    ['a separator of lines', 'web-1\u2028web-2'],
    ['a separator of paragraphs', 'web-1\u2029web-2'],
    ['the mark of an annotation', 'web\uFFF9-1'],
  ])('refuses %s, which hides what is typed', (_, typed) => {
    expect(() => splitWords(typed)).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: Your command contains invisible characters. Type it instead of pasting.]`,
    );
  });

  it('refuses a quote that is never closed', () => {
    expect(() =>
      splitWords('reboot web-1 --reason "stuck since the deploy'),
    ).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: The quote before “stuck since the dep…” is never closed. Add the closing quote after the last word.]`,
    );
    expect(() => splitWords('reboot “🔥'.padEnd(60, '🔥'))).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: The quote before “🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥🔥…” is never closed. Add the closing quote after the last word.]`,
    );
    expect(() => splitWords('"dir\\" x')).toThrow('never closed');
  });

  it('refuses 10,000 characters unread', () => {
    expect(() => splitWords('"'.repeat(10_000))).toThrowErrorMatchingInlineSnapshot(
      `[BellhopError: Your command has 10,000 characters. The limit is 3,000. Shorten it.]`,
    );
    expect(splitWords('x'.repeat(longestText))).toHaveLength(1);
  });

  it('never fails in another way', () => {
    const pieces = fc.constantFrom(
      '"',
      "'",
      '“',
      '”',
      '«',
      '»',
      '\\',
      ' ',
      '=',
      '--a',
      '—',
      'x',
      '\n',
      '\u202E',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces).map((parts) => parts.join('')),
        ),
        (typed) => {
          expect(failureOf(() => splitWords(typed))).toSatisfy(
            (failure) => failure === undefined || failure instanceof BellhopError,
          );
        },
      ),
      { numRuns: 3000 },
    );
  });
});

describe('a quoted word', () => {
  it.each([
    ['web-1', 'web-1'],
    ['two words', '"two words"'],
    ['', '""'],
    ['it\'s "odd"', '"it\'s \\"odd\\""'],
    ['"a" b', '"\\"a\\" b"'],
    ['ends in \\ x\\', '"ends in \\ x\\\\"'],
    ['—dash', '"—dash"'],
  ])('%j is typed %s', (word, typed) => {
    expect(quoteWord(word)).toBe(typed);
  });

  it('is read back alike, whatever it holds', () => {
    const letters = fc.constantFrom(
      '"',
      "'",
      '“',
      '”',
      '‘',
      '’',
      '«',
      '»',
      '\\',
      ' ',
      '\n',
      '-',
      '—',
      '=',
      'a',
      '🔥',
    );
    const word = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.array(letters, { maxLength: 12 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(
        fc.array(
          word.filter((each) => !hiddenCharacter.test(each)),
          { maxLength: 6 },
        ),
        (words) => {
          expect(splitWords(words.map(quoteWord).join(' '))).toEqual(words);
        },
      ),
      { numRuns: 5000 },
    );
  });
});

function failureOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
