import { expect, test } from 'vitest';

import { scheduleKind } from '../../../src/features/on-call/kind.ts';
import { answerOn, isMember } from '../../../src/model/members.ts';
import { alice, bob } from '../../people.ts';
import { onCallIn } from './on-call-stage.ts';

test('an entry keeps what schedules answered under its own names, and says it in the CSV', () => {
  const at = Date.UTC(2026, 7, 14, 9, 30);
  const draft = { at, event: 'denied' as const, policyHash: 'p' };
  const answers = [answerOn(onCallIn('primary', ['U0ALICE'], at), bob, 'T0LOCAL')];
  const entry = scheduleKind.answers.addTo(draft, answers);
  expect(entry).toEqual({
    ...draft,
    onCall: [{ schedule: 'primary', held: 'not held', at, users: ['U0ALICE'] }],
  });
  expect(scheduleKind.answers.of(entry)?.map(scheduleKind.words.answer)).toEqual([
    'not on call in schedule primary, as of 2026-08-14T09:30:00Z (on call: U0ALICE)',
  ]);
});

test('only a person of the own team is on call, and no one else with the same id', () => {
  const primary = onCallIn('primary', ['U0ALICE']);
  const foreign = { ...alice, team: 'T0OTHER' };
  expect([alice, bob, foreign].map((one) => isMember(primary, one, 'T0LOCAL'))).toEqual([
    'held',
    'not held',
    'not held',
  ]);
  expect([alice, foreign].map((one) => isMember(onCallIn('silent'), one, 'T0LOCAL'))).toEqual([
    'unknown',
    'not held',
  ]);
});
