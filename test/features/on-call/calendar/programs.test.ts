import { describe, expect, it } from 'vitest';

import { readCalendar } from '../../../../src/features/on-call/calendar/ical.ts';

/** Calendars as other programs write them, with the instants that those programs show. */

const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const event = (who: string, ...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  'DTSTAMP:20260101T000000Z',
  `SUMMARY:${who}`,
  ...lines,
  'END:VEVENT',
];

const minuteOf = (at = Number.NaN) => (Number.isNaN(at) ? 'always' : new Date(at).toISOString().slice(0, 16));

/** `who from until`, of all turns that touch these days. */
function turns(text: string, from: string, to: string, zone = 'Europe/Berlin'): readonly string[] {
  return readCalendar(text, { from: Date.parse(from), to: Date.parse(to) }, zone)
    .map((shift) => `${shift.names[0]} ${minuteOf(shift.from)} ${minuteOf(shift.until)}`)
    .toSorted();
}

const weekly = (start: string, end: string, ...more: readonly string[]) =>
  calendar(
    ...event('alice', 'UID:1', `DTSTART;TZID=Europe/Berlin:${start}`, end, 'RRULE:FREQ=WEEKLY', ...more),
  );

/** Germany's zone as calendar programs write it out. */
const written = (tzid: string): readonly string[] => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];

describe.each([
  ['that is not written out', 'Europe/Berlin', []],
  ['that is', 'Europe/Berlin', written('Europe/Berlin')],
  ['with a name of its own', 'Mine', written('Mine')],
])('a shift that repeats ends at its own hour of the day, in a zone %s', (_zone, tzid, definition) => {
  const whole = 'DTEND;TZID=Europe/Berlin:20260330T090000';

  it.each<[string, string, string, string, readonly string[]]>([
    [
      'the first one, over the beginning of summer time',
      weekly('20260323T090000', whole),
      '2026-03-24T00:00Z',
      '2026-03-25T00:00Z',
      ['alice 2026-03-23T08:00 2026-03-30T07:00'],
    ],
    [
      'the second one',
      weekly('20260323T090000', whole),
      '2026-03-31T00:00Z',
      '2026-04-01T00:00Z',
      ['alice 2026-03-30T07:00 2026-04-06T07:00'],
    ],
    [
      'a later one, over its end',
      weekly('20260323T090000', whole),
      '2026-10-20T00:00Z',
      '2026-10-21T00:00Z',
      ['alice 2026-10-19T07:00 2026-10-26T08:00'],
    ],
    [
      'the first one, over the end of summer time',
      weekly('20261019T090000', 'DTEND;TZID=Europe/Berlin:20261026T090000'),
      '2026-10-20T00:00Z',
      '2026-10-21T00:00Z',
      ['alice 2026-10-19T07:00 2026-10-26T08:00'],
    ],
    [
      'one of seven days',
      weekly('20260323T090000', 'DURATION:P7D'),
      '2026-03-24T00:00Z',
      '2026-03-25T00:00Z',
      ['alice 2026-03-23T08:00 2026-03-30T07:00'],
    ],
    [
      'one of 168 hours, which are counted',
      weekly('20260323T090000', 'DURATION:PT168H'),
      '2026-03-24T00:00Z',
      '2026-03-25T00:00Z',
      ['alice 2026-03-23T08:00 2026-03-30T08:00'],
    ],
  ])('%s', (_, text, from, to, expected) => {
    const inZone = text
      .replaceAll('TZID=Europe/Berlin', `TZID=${tzid}`)
      .replace('BEGIN:VEVENT', [...definition, 'BEGIN:VEVENT'].join('\r\n'));
    expect(turns(inZone, from, to)).toEqual(expected);
  });
});

describe('an occurrence that was moved', () => {
  const days = ['DTSTART;VALUE=DATE:20260323', 'DTEND;VALUE=DATE:20260324', 'RRULE:FREQ=DAILY;COUNT=5'];

  it.each([
    ['as a day', 'RECURRENCE-ID;VALUE=DATE:20260325'],
    ['as midnight of a zone', 'RECURRENCE-ID;TZID=Europe/Berlin:20260325T000000'],
    ['as midnight in UTC', 'RECURRENCE-ID:20260324T230000Z'],
    ['as a time without a zone', 'RECURRENCE-ID:20260325T000000'],
  ])('leaves no one in its old place, written %s', (_, id) => {
    const text = calendar(
      ...event('alice', 'UID:1', ...days),
      ...event('bob', 'UID:1', id, 'DTSTART;VALUE=DATE:20260326', 'DTEND;VALUE=DATE:20260327'),
    );
    expect(turns(text, '2026-03-24T23:00Z', '2026-03-25T23:00Z')).toEqual([]);
    expect(turns(text, '2026-03-25T23:00Z', '2026-03-26T23:00Z')).toEqual([
      'alice 2026-03-25T23:00 2026-03-26T23:00',
      'bob 2026-03-25T23:00 2026-03-26T23:00',
    ]);
  });

  it('is empty if a day was removed as midnight', () => {
    const text = calendar(...event('alice', 'UID:1', ...days, 'EXDATE;TZID=Europe/Berlin:20260325T000000'));
    expect(turns(text, '2026-03-24T23:00Z', '2026-03-25T23:00Z')).toEqual([]);
  });

  it('moves those after it, too, where it says so', () => {
    const text = calendar(
      ...event('alice', 'UID:1', 'DTSTART:20260301T080000Z', 'DTEND:20260301T160000Z', 'RRULE:FREQ=DAILY'),
      ...event(
        'bob',
        'UID:1',
        'RECURRENCE-ID;RANGE=THISANDFUTURE:20260310T080000Z',
        'DTSTART:20260310T100000Z',
        'DTEND:20260310T180000Z',
      ),
    );
    expect(turns(text, '2026-03-09T00:00Z', '2026-03-09T23:00Z')).toEqual([
      'alice 2026-03-09T08:00 2026-03-09T16:00',
    ]);
    expect(turns(text, '2026-03-10T00:00Z', '2026-03-10T23:00Z')).toEqual([
      'bob 2026-03-10T10:00 2026-03-10T18:00',
    ]);
    expect(turns(text, '2026-03-20T00:00Z', '2026-03-20T23:00Z')).toEqual([
      'bob 2026-03-20T10:00 2026-03-20T18:00',
    ]);
  });
});

it('the version of an event with the higher SEQUENCE counts', () => {
  const time = ['DTSTART:20260323T080000Z', 'DTEND:20260323T160000Z'];
  const versions = [event('alice', 'UID:1', ...time, 'SEQUENCE:3'), event('bob', 'UID:1', ...time)];
  for (const order of [versions, versions.toReversed()])
    expect(turns(calendar(...order.flat()), '2026-03-23T09:00Z', '2026-03-23T10:00Z')).toEqual([
      'alice 2026-03-23T08:00 2026-03-23T16:00',
    ]);
});

const late = (tzid: string, ...more: readonly string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...more,
  'BEGIN:STANDARD',
  'DTSTART:20261025T030000',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'END:STANDARD',
  'END:VTIMEZONE',
];

it.each([
  ['the name of a zone', 'Europe/Berlin', late('Europe/Berlin')],
  [
    'a name with a path before it',
    '/example.org/20260101/Europe/Berlin',
    late('/example.org/20260101/Europe/Berlin'),
  ],
  ['a name of its own, and the place', 'Mine', late('Mine', 'X-LIC-LOCATION:Europe/Berlin')],
])(
  'a definition that begins after the event is not asked where the calendar has %s',
  (_, tzid, definition) => {
    const times = [`DTSTART;TZID=${tzid}:20260701T090000`, `DTEND;TZID=${tzid}:20260701T170000`];
    const text = calendar(...definition, ...event('alice', 'UID:1', ...times));
    expect(turns(text, '2026-07-01T08:00Z', '2026-07-01T09:00Z')).toEqual([
      'alice 2026-07-01T07:00 2026-07-01T15:00',
    ]);
  },
);

describe('an event that cannot be understood is named, and the others count', () => {
  const good = event('bob', 'UID:2', 'DTSTART:20260323T080000Z', 'DTEND:20260323T160000Z');

  it.each([
    ['a day that lacks a digit', ['DTSTART:2019010'], 'unreadable DTSTART'],
    ['an unknown zone', ['DTSTART;TZID=Nowhere/Land:20190101T000000'], 'unknown time zone “Nowhere/Land”'],
    [
      'a zone that begins after it',
      ['DTSTART;TZID=Mine:20190101T000000'],
      'its time zone “Mine” is not defined for that date',
    ],
    ['no beginning', [], 'it has no DTSTART'],
    ['an invalid rule', ['DTSTART:20190101T000000Z', 'RRULE:FREQ=NEVER'], 'unreadable'],
  ])('with %s', (_, lines, why) => {
    const text = calendar(...late('Mine'), ...event('alice', 'UID:1', ...lines), ...good);
    expect(turns(text, '2026-03-23T09:00Z', '2026-03-23T10:00Z')).toEqual([
      'bob 2026-03-23T08:00 2026-03-23T16:00',
      `event “alice” (${why}) always always`,
    ]);
  });
});
