import * as fc from 'fast-check';

/** Strings that have broken chat bots: markup, controls, direction marks, half characters, emoji, length. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '<!channel>',
    '<@U0ALICE>',
    '<https://evil.example|click>',
    '&amp;&lt;&',
    '```\n*bold* _it_ ~no~',
    '\u202Etxt.exe\u2066',
    '\u0000\u0007\u001B[31m',
    '\uD83D',
    '👩‍👩‍👧‍👦🏳️‍🌈',
    '&'.repeat(3_000),
    '<'.repeat(10_000),
    'x'.repeat(10_000),
    '😀'.repeat(5_000),
    '',
    ' \n\t ',
    'failed',
    'awaiting approval',
    // Beginnings that patterns look for, over and over.
    '-eyJ'.repeat(3_000),
    '<@UA|'.repeat(3_000),
    '<title'.repeat(3_000),
    '\\'.repeat(10_000),
  ),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary', maxLength: 60 }),
);

/** Sizes of lists near and beyond Slack's limits. */
export const hostileList = <T>(item: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.array(item, { maxLength, size: 'max' });
