import { expect, test } from 'vitest';

import { terminalLine } from '../../../src/app/process/logger.ts';

const line = (fields: object): string =>
  JSON.stringify({
    level: 'warn',
    time: '2026-11-21T14:05:09.123Z',
    app: 'bellhop',
    replica: 'r',
    ...fields,
  });
/** Omits the time of day: it depends on the reader's time zone. */
const withoutTime = (text: string): string => text.replace(/^\d\d:\d\d:09 /u, '');

test('a line omits the fields that are the same in every line', () => {
  const json = line({ msg: 'a request runs', requestId: 'r-1', took: 12, why: 'stuck since 5' });
  expect(withoutTime(terminalLine(json, false))).toBe(
    'warn a request runs requestId=r-1 took=12 why="stuck since 5"\n',
  );
});

test('an error in a log line is printed with its stack below', () => {
  const json = line({ msg: 'stop failed', err: { message: 'no', stack: 'Error: no\n    at here' } });
  expect(withoutTime(terminalLine(json, false))).toBe('warn stop failed\n  Error: no\n      at here\n');
});

test('a log line has no control characters for the terminal', () => {
  const json = line({ msg: 'denied \u001B[2J', name: 'a\u001B[31m\nb', err: { stack: 'Error: \u009B\r1' } });
  expect(terminalLine(json, false)).not.toMatch(/(?!\n)\p{Cc}/u);
  expect(terminalLine(json, true)).toContain('\u001B[33mwarn');
});

test('text that is not a log line stays unchanged', () => {
  expect(['no JSON\n', '{"level":3}\n'].map((text) => terminalLine(text, true))).toEqual([
    'no JSON\n',
    '{"level":3}\n',
  ]);
});
