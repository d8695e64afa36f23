import { describe, expect, it } from 'vitest';

import { readCalendar } from '../../../../src/features/on-call/calendar/ical.ts';
import { readCalendarInWorker } from '../../../../src/features/on-call/calendar/elsewhere.ts';
import { turnsDuring } from '../../../turns-during.ts';

const open = new AbortController().signal;

const calendarOf = (...events: readonly (readonly string[])[]): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.map((lines) => `BEGIN:VEVENT\r\n${lines.join('\r\n')}\r\nEND:VEVENT`),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const turnOf = (name: string, at: number): readonly string[] => [
  `UID:${at}`,
  `DTSTART:20261122T${String(at % 24).padStart(2, '0')}0000Z`,
  'DURATION:PT1H',
  `ATTENDEE:mailto:${name}@example.com`,
];

const noon = Date.UTC(2026, 10, 22, 12);
const window = { from: noon, to: noon + 60_000 };

describe('a calendar that a worker reads', () => {
  it('of thousands of events does not block the event loop', async () => {
    const text = calendarOf(...Array.from({ length: 2000 }, (_, at) => turnOf('alice', at)));
    const read = readCalendarInWorker(text, window, undefined, open);
    expect(await turnsDuring(read)).toBeGreaterThan(100);
    expect(await read).toEqual(readCalendar(text, window));
  });

  it('fails as it would here if it is invalid', async () => {
    await expect(readCalendarInWorker('<html>Sign in</html>', window, undefined, open)).rejects.toMatchObject(
      {
        name: 'ScheduleError',
        message: 'answered with something other than a calendar: “<html>Sign in</html>”',
      },
    );
  });
});
