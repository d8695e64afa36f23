import { describe, expect, it } from 'vitest';

import { csvLine, csvText } from '../../src/model/values/report.ts';

describe('a cell of CSV', () => {
  it.each([
    ['plain text', 'web-1', 'web-1'],
    ['a number', -1.5, '-1.5'],
    ['nothing', undefined, ''],
    ['a comma', 'a,b', '"a,b"'],
    ['a quote', 'say "hi"', '"say ""hi"""'],
    ['lines', 'a\nb\r\nc', '"a\nb\r\nc"'],
    ['a semicolon', 'a;b', '"a;b"'],
    ['a tab', 'a\tb', '"a\tb"'],
    ['a formula', '=cmd()', "'=cmd()"],
    ['a formula that begins with +', '+1', "'+1"],
    ['a formula that begins with -', '-1', "'-1"],
    ['a formula that begins with @', '@SUM(A1)', "'@SUM(A1)"],
    ['a formula behind a space', ' =1', "' =1"],
    ['a formula in full-width characters', '＝1', "'＝1"],
    ['a full-width plus', '＋1', "'＋1"],
    ['a full-width minus', '－1', "'－1"],
    ['a full-width at', '＠SUM(A1)', "'＠SUM(A1)"],
    ['a formula where another separator begins a cell', 'a;=1;b', `"a;'=1;b"`],
    ['a formula after a tab', 'a\t=1', `"a\t'=1"`],
    ['a formula on another line', 'a\n=1', `"a\n'=1"`],
    ['a formula after a line feed', '\n=1', `"'\n'=1"`],
    ['a formula after a carriage return', '\r＝1', `"'\r'＝1"`],
    ['a formula after a quote', 'a;"=1"', `"a;'""=1"""`],
    ['a leading tab', '\ta', `"'\ta"`],
    ['a leading line feed', '\na', `"'\na"`],
    ['signs inside', 'a=b+c-d@e', 'a=b+c-d@e'],
  ])('with %s does nothing in a spreadsheet, and stays whole', (_, cell, line) => {
    expect(csvLine([cell])).toBe(line);
  });

  it('is on one line with the others', () => {
    expect(csvText(['at', '=n'], [['x', 1]])).toBe("\uFEFFat,'=n\r\nx,1\r\n");
  });
});
