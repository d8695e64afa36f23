import { expect, it } from 'vitest';

import { growingPause } from '../../src/due/work.ts';

it.each([
  ['the least at first', 100, 1000],
  ['half of what has passed', 8000, 4000],
  ['in whole milliseconds, as PostgreSQL takes them', 4001, 2001],
  ['the most in the end', 3_600_000, 60_000],
])('a growing pause waits %s', (_, elapsedMs, expected) => {
  expect(growingPause(elapsedMs, 1000, 60_000)).toBe(expected);
});
