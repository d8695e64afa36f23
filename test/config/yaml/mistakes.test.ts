import { describe, expect, it } from 'vitest';

import { mistakesIn } from '../rulebook/mistakes-in.ts';

/** Seven levels of nine aliases each: five million values in half a kilobyte. */
const bomb = ['regions: &a0 { 1: x }', ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(nineTimes)].join('\n');

function nineTimes(name: string, level: number): string {
  return `${name}: &a${level + 1} [${Array(9).fill(`*a${level}`).join(', ')}]`;
}

describe('a file that is not the expected YAML is rejected, with line, column and what to do', () => {
  it.each<[string, string, ...string[]]>([
    [
      'a duplicate key',
      'instances:\n  web-1: { id: a }\n  web-1: { id: b }\n',
      'bellhop.yaml:3:3: duplicate key “web-1”.',
    ],
    [
      'a key that is the same as text',
      'regions: { 76: A, "76": B }\n',
      'bellhop.yaml:1:19: duplicate key “76”.',
    ],
    ['a quote that is not closed', 'project: "1\n', 'bellhop.yaml:2:1: a quote is not closed.'],
    [
      'a tab for indentation',
      'instances:\n\tweb-1: { id: a }\n',
      'bellhop.yaml:2:1: tabs cannot indent; use spaces.',
    ],
    [
      'a bracket too many',
      'rules: []]\n',
      'bellhop.yaml:1:10: this bracket closes nothing; delete it, or open it before.',
    ],
    [
      'a tag',
      'project: !!js/function "f"\n',
      'bellhop.yaml:1:10: tags (!…) are not used here; write the plain value.',
    ],
    [
      'a binary tag',
      'project: !!binary aGk=\n',
      'bellhop.yaml:1:10: tags (!…) are not used here; write the plain value.',
    ],
    [
      'two documents',
      'project: 1\n---\nproject: 2\n',
      'bellhop.yaml:2:1: the file has more than one document; keep one.',
    ],
    ['an alias of nothing', 'project: *p\n', 'bellhop.yaml:1:10: there is no anchor &p before this alias.'],
    [
      'an alias that leads into itself',
      'instances: &i { web-1: *i }\n',
      'bellhop.yaml:1:15: this alias refers to itself.',
    ],
    [
      'a merge key, which YAML 1.2 has not',
      'instances:\n  a: &a { id: a }\n  b: { <<: *a, id: b }\n',
      'bellhop.yaml:3:8: merge keys (<<) are not supported; write the keys out here.',
    ],
    [
      'a merge key under a directive of YAML 1.1',
      '%YAML 1.1\n---\ninstances:\n  a: &a { id: a }\n  b: { <<: *a, id: b }\n',
      'bellhop.yaml:5:8: merge keys (<<) are not supported; write the keys out here.',
    ],
    [
      'aliases that multiply',
      bomb,
      'bellhop.yaml:1:1: the file has more than 300000 values when its aliases (*…) are written out.',
    ],
    ['a pit of brackets', '['.repeat(100_000), 'bellhop.yaml:1:1: the file is nested too deeply.'],
    [
      'a pit of braces that closes',
      `${'{a: '.repeat(60)}1${'}'.repeat(60)}`,
      'bellhop.yaml:1:133: this is nested more than 32 levels deep.',
    ],
    [
      'a key that is a list',
      '? [a]\n: 1\n',
      'bellhop.yaml:1:3: a key must be one word or text, not a list or a mapping.',
    ],
  ])('%s', (_, yaml, ...expected) => {
    expect(mistakesIn(yaml)).toEqual(expected);
  });
});

describe('a syntax error is explained in words that need no knowledge of YAML', () => {
  it.each<[string, string, string]>([
    [
      'a bracket left open',
      'rules:\n  - { name: a, then: deny\n  - { name: b }\n',
      '3:3: a bracket before this is not closed, or the text inside it is not indented more than its key.',
    ],
    [
      'a list closed at its key',
      'a: [\n  b\n]\nc: [d\ne: 1\n',
      '5:1: a bracket before this is not closed, or the text inside it is not indented more than its key.',
    ],
    [
      'two keys on a line',
      'a: b: c\n',
      '1:4: two keys cannot share a line; put text with a colon in quotes.',
    ],
    [
      'entries that are out of line',
      'rules:\n- {a: 1}\n - {b: 2}\n',
      '3:2: the entries of this list must start in the same column.',
    ],
    [
      'keys that are out of line',
      'a:\n  b: 1\n c: 2\n',
      '3:1: this key must start in the same column as the keys next to it.',
    ],
    [
      'a key of an entry out of line',
      'rules:\n  - name: a\n   then: deny\n',
      '3:1: this is in a list, but neither starts an entry with “-” nor lines up with one.',
    ],
    [
      'a word without a colon',
      'rules:\n  - a\nfreeze\n',
      '3:1: a key must be followed by a colon and a space, on one line.',
    ],
    [
      'a key without a colon, below one with',
      'a:\n  b: [c]\n  d [e, f]\n',
      '3:3: a key must be followed by a colon and a space, on one line.',
    ],
    [
      'a comma after quotes',
      'a: "x", y\n',
      '1:7: the value ended before this; put all of it in quotes, or start a new line in the right column.',
    ],
    ['text behind a bar', 'a: |x\n  b\n', '1:5: after | or >, the text starts on the next line.'],
    ['a comment without a space', 'a: "b"#c\n', '1:7: a space is missing before the #.'],
    ['two texts in brackets', 'a: ["x" "y"]\n', '1:9: a comma is missing before this.'],
    ['a star without quotes', 'operations: [*]\n', '1:14: text cannot start with * or &; put it in quotes.'],
    [
      'an at sign without quotes',
      'users: [@alice]\n',
      '1:9: text cannot start with this character; put it in quotes.',
    ],
    [
      'a missing comma',
      'a: {b: 1 c: 2}\n',
      '1:8: within […] and {…}, separate entries with commas, and put each mapping in braces.',
    ],
    [
      'a mapping without braces',
      'roles: { leads: users: [U1] }\n',
      '1:17: within […] and {…}, separate entries with commas, and put each mapping in braces.',
    ],
    [
      'a dash in brackets',
      'x: [- a]\n',
      '1:5: within […] and {…} an entry takes no “-”; separate entries with commas.',
    ],
    [
      'text after quotes',
      'a: "x" y\n',
      '1:8: the value ended before this; put all of it in quotes, or start a new line in the right column.',
    ],
    [
      'a backslash',
      'a: "x\\q"\n',
      '1:6: within "…" a \\ starts an escape; write \\\\, or use single quotes.',
    ],
  ])('%s, in one line', (_, yaml, expected) => {
    expect(mistakesIn(yaml)).toEqual([`bellhop.yaml:${expected}`]);
  });
});
