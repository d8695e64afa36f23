import { expect, test } from 'vitest';

import { homeLine } from '../../../src/features/on-call/home.ts';
import { onCallIn } from './on-call-stage.ts';

test('the Home tab shows who is on call, until when, and what is unknown', () => {
  const primary = { ...onCallIn('primary'), people: [{ user: 'U0DORA', until: 1_763_703_600_000 }] };
  expect([primary, onCallIn('silent'), onCallIn('empty', [])].map(homeLine)).toEqual([
    '*On call (primary):* <@U0DORA> until <!date^1763703600^{date_short} {time}|2025-11-21 05:40 UTC>.',
    "*On call (silent):* unknown, because the schedule can't be read right now.",
    '*On call (empty):* no one.',
  ]);
});

test('a line of the Home tab names five people, and escapes what it shows', () => {
  const many = onCallIn('a *b* <!here>', ['U0A', 'U0B', 'U0C', 'U0D', 'U0E', 'U0F']);
  const line = homeLine(many);
  expect(line).toContain('&lt;!here&gt;');
  expect(line.match(/<@U0\w>/gu)).toHaveLength(5);
});
