import { describe, expect, it } from 'vitest';

import { readCalendar } from '../../../../src/features/on-call/calendar/ical.ts';

/** On a busy machine, a calendar takes longer than Bellhop allows. */
const patientMs = 60_000;

/** A calendar of these lines, in the order of RFC 5545. */
const calendar = (...lines: readonly string[]): string =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n');

const event = (...lines: readonly string[]): readonly string[] => [
  'BEGIN:VEVENT',
  'DTSTAMP:20260101T000000Z',
  ...lines,
  'END:VEVENT',
];

const attendee = (name: string): string => `ATTENDEE:mailto:${name}@example.com`;

/** Germany's zone, with its rules, as calendar programs write it out. */
const berlin = [
  'BEGIN:VTIMEZONE',
  'TZID:Berlin of this calendar',
  'BEGIN:DAYLIGHT',
  'TZOFFSETFROM:+0100',
  'TZOFFSETTO:+0200',
  'TZNAME:CEST',
  'DTSTART:19700329T020000',
  'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
  'END:DAYLIGHT',
  'BEGIN:STANDARD',
  'TZOFFSETFROM:+0200',
  'TZOFFSETTO:+0100',
  'TZNAME:CET',
  'DTSTART:19701025T030000',
  'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
  'END:STANDARD',
  'END:VTIMEZONE',
];

/** The people on call at a time. */
function onCallAt(text: string, moment: string, timeZone?: string): readonly string[] {
  const at = Date.parse(moment);
  const shifts = readCalendar(text, { from: at, to: at + 1 }, timeZone, patientMs);
  return shifts.map(({ names: [name] }) => name).toSorted();
}

describe('a calendar of who is on call', () => {
  it('names the attendees who have not declined, else whom the title names', () => {
    const time = ['DTSTART:20261122T080000Z', 'DTEND:20261122T200000Z'];
    const text = calendar(
      ...event('UID:1', ...time, attendee('Alice'), 'SUMMARY:On call: bob@example.com'),
      ...event('UID:2', ...time, 'ATTENDEE;PARTSTAT=DECLINED:mailto:carol@example.com', 'SUMMARY:Carol'),
      ...event('UID:3', ...time, 'ATTENDEE;CUTYPE=ROOM:mailto:room@example.com'),
      ...event('UID:4', ...time, 'SUMMARY:On call: <dora@example.com>'),
      ...event('UID:5', ...time, 'SUMMARY:Erin Example'),
      ...event('UID:6', ...time, 'STATUS:CANCELLED', attendee('frank')),
    );
    expect(onCallAt(text, '2026-11-22T14:00:00Z')).toEqual([
      'alice@example.com',
      'dora@example.com',
      'erin example',
    ]);
    expect(onCallAt(text, '2026-11-22T20:00:00Z')).toEqual([]);
  });

  it('takes no address out of another one, nor one of several, nor one that only looks alike', () => {
    const time = ['DTSTART:20261122T080000Z', 'DTEND:20261122T200000Z'];
    const text = calendar(
      ...event('UID:1', ...time, 'ATTENDEE:mailto:"alice@example.com"@example.org'),
      ...event('UID:2', ...time, 'SUMMARY:bob@example.com for carol@example.com'),
      ...event('UID:3', ...time, 'ATTENDEE:mailto:\u212Arak@example.com'),
      ...event('UID:4', ...time, 'ATTENDEE:mailto:DORA@Example.com'),
    );
    const at = Date.parse('2026-11-22T14:00:00Z');
    const shifts = readCalendar(text, { from: at, to: at + 1 });
    expect(shifts.map(({ names: [name], email }) => [name, email])).toEqual([
      ['"alice@example.com"@example.org', undefined],
      ['bob@example.com for carol@example.com', undefined],
      ['\uFFFDrak@example.com', '\uFFFDrak@example.com'],
      ['dora@example.com', 'dora@example.com'],
    ]);
  });

  it('has everyone of events that overlap', () => {
    const text = calendar(
      ...event('UID:1', 'DTSTART:20261122T080000Z', 'DTEND:20261122T160000Z', attendee('alice')),
      ...event('UID:2', 'DTSTART:20261122T150000Z', 'DTEND:20261122T230000Z', attendee('bob')),
    );
    expect(onCallAt(text, '2026-11-22T14:59:59Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-11-22T15:30:00Z')).toEqual(['alice@example.com', 'bob@example.com']);
    expect(onCallAt(text, '2026-11-22T16:00:00Z')).toEqual(['bob@example.com']);
  });

  it.each([
    ['a zone that it defines', 'Berlin of this calendar', berlin],
    ['a well-known zone', 'Europe/Berlin', []],
  ])('repeats at the same hour of the day in %s, also when clocks change', (_, zone, definition) => {
    const text = calendar(
      ...definition,
      ...event(
        'UID:1',
        `DTSTART;TZID=${zone}:20260901T090000`,
        `DTEND;TZID=${zone}:20260901T170000`,
        'RRULE:FREQ=DAILY',
        attendee('alice'),
      ),
    );
    // Summer time until 25 October 2026.
    expect(onCallAt(text, '2026-10-24T06:59:59Z')).toEqual([]);
    expect(onCallAt(text, '2026-10-24T07:00:00Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-10-24T15:00:00Z')).toEqual([]);
    expect(onCallAt(text, '2026-10-26T07:59:59Z')).toEqual([]);
    expect(onCallAt(text, '2026-10-26T08:00:00Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-10-26T15:59:59Z')).toEqual(['alice@example.com']);
  });

  it('has days without hours from midnight to midnight where the schedule is kept', () => {
    const day = event(
      'UID:1',
      'DTSTART;VALUE=DATE:20261122',
      'DTEND;VALUE=DATE:20261123',
      'RRULE:FREQ=WEEKLY',
      attendee('alice'),
    );
    const text = calendar(...day);
    expect(onCallAt(text, '2026-11-22T00:00:00Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-11-23T00:00:00Z')).toEqual([]);
    expect(onCallAt(text, '2026-11-29T23:59:59Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-11-22T04:59:59Z', 'America/New_York')).toEqual([]);
    expect(onCallAt(text, '2026-11-23T04:59:59Z', 'America/New_York')).toEqual(['alice@example.com']);
    const own = calendar('X-WR-TIMEZONE:Asia/Tokyo', ...day);
    expect(onCallAt(own, '2026-11-21T15:00:00Z')).toEqual(['alice@example.com']);
    expect(onCallAt(own, '2026-11-22T15:00:00Z')).toEqual([]);
  });

  it('knows shifts that were removed, moved or given to someone else', () => {
    const text = calendar(
      ...event(
        'UID:1',
        'DTSTART:20261101T080000Z',
        'DTEND:20261101T160000Z',
        'RRULE:FREQ=DAILY;COUNT=60',
        'EXDATE:20261120T080000Z',
        attendee('alice'),
      ),
      ...event(
        'UID:1',
        'RECURRENCE-ID:20261121T080000Z',
        'DTSTART:20261121T080000Z',
        'DTEND:20261121T160000Z',
        attendee('bob'),
      ),
      ...event(
        'UID:1',
        'RECURRENCE-ID:20261205T080000Z',
        'DTSTART:20261122T200000Z',
        'DTEND:20261122T220000Z',
        attendee('carol'),
      ),
    );
    expect(onCallAt(text, '2026-11-19T10:00:00Z')).toEqual(['alice@example.com']);
    expect(onCallAt(text, '2026-11-20T10:00:00Z')).toEqual([]);
    expect(new Set(onCallAt(text, '2026-11-21T10:00:00Z'))).toEqual(new Set(['bob@example.com']));
    expect(onCallAt(text, '2026-11-22T21:00:00Z')).toEqual(['carol@example.com']);
    expect(onCallAt(text, '2026-12-05T10:00:00Z')).toEqual([]);
    expect(onCallAt(text, '2027-01-20T10:00:00Z')).toEqual([]);
  });

  it('that is empty has no one', () => {
    expect(onCallAt(calendar(), '2026-11-22T10:00:00Z')).toEqual([]);
  });
});

describe('a hostile calendar', () => {
  const shift = ['UID:1', 'DTSTART:20000101T000000Z', 'DTEND:20000101T000001Z', attendee('mallory')];

  it.each([
    ['no calendar', '<html>Sign in</html>'],
    ['nothing', ''],
    ['a contact', 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Mallory\r\nEND:VCARD\r\n'],
    ['cut off', calendar(...event(...shift)).slice(0, -20)],
    [
      'has more events than anyone needs',
      calendar(
        ...Array.from({ length: 5001 }, (_, index) => event(`UID:${index}`, ...shift.slice(1))).flat(),
      ),
    ],
    [
      'puts everyone on call',
      calendar(
        ...event(
          'UID:1',
          'DTSTART:20261122T000000Z',
          'DTEND:20261123T000000Z',
          ...Array.from({ length: 300 }, (_, index) => attendee(`mallory${index}`)),
        ),
      ),
    ],
  ])('that %s puts no one on call', (_, text) => {
    expect(() => onCallAt(text, '2026-11-22T10:00:00Z')).toThrow(
      /^[a-z].*(?:read|calendar|often|known|more than)/u,
    );
  });

  it.each([
    ['repeats every second', calendar(...event(...shift, 'RRULE:FREQ=SECONDLY')), /it repeats too often/u],
    [
      'has a zone that changes every second',
      calendar(
        ...berlin.map((line) => line.replace('FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'FREQ=SECONDLY')),
        ...event('UID:1', 'DTSTART;TZID=Berlin of this calendar:20261122T000000', attendee('mallory')),
      ),
      /its time zone “Berlin of this calendar” is incomplete or unreadable/u,
    ],
  ])('that %s puts no one on call and is reported', (_, text, why) => {
    const [one, ...others] = onCallAt(text, '2026-11-22T10:00:00Z');
    expect(one).toMatch(why);
    expect(others).toEqual([]);
  });

  it('that repeats on a day that never comes puts no one on call', () => {
    const text = calendar(...event(...shift, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'));
    expect(onCallAt(text, '2026-11-22T10:00:00Z')).toEqual([]);
  });
});
