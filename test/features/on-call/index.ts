import { readCalendar } from '../../../src/features/on-call/calendar/ical.ts';
import { schedulesPart } from '../../../src/features/on-call/observe.ts';
import type { FeatureTests } from '../feature-tests.ts';

const aboutTitle = (title: string): string =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20261105T090000Z\nDTEND:20261105T100000Z\nSUMMARY:${title}\nEND:VEVENT\nEND:VCALENDAR`;

export const onCallTests: FeatureTests = {
  name: 'on-call',
  sample: 'schedules: { primary: { ical: https://calendar.example.com/on-call.ics, match: email } }\n',
  alertLabels: { part: [schedulesPart] },
  patterns: {
    'src/features/on-call/calendar/ical.ts': {
      work: (text) =>
        readCalendar(aboutTitle(text), { from: Date.UTC(2026, 10, 1), to: Date.UTC(2026, 11, 1) }),
      fillings: ['a', 'a@', '@', 'a@a,'],
    },
  },
};
