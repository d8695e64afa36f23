import { describe, expect, it } from 'vitest';

import { bytesOf, type Moments, on, onCallAt, read, roster } from './calendar-files.ts';

describe('series', () => {
  it('one that never comes leaves the shift (never.ics, a roster tool)', () => {
    const text = bytesOf('never.ics').toString('utf8');
    expect(onCallAt(text, '2026-11-28T03:00:00Z', undefined, 1_000)).toEqual(['Never: unreadable', 'alice']);
  });

  const aliceThisWeek: Moments = {
    '2026-11-23T07:59:00Z': [],
    '2026-11-28T03:00:00Z': ['alice'],
    '2026-11-30T08:00:00Z': [],
  };
  read([
    ['twelve stand-ups since 2019 leave the shift', 'google-stand-ups.ics', 'Google Calendar', aliceThisWeek],
    ['twelve series that ended leave the shift', 'ended-series.ics', 'Apple Calendar 15.5', aliceThisWeek],
    [
      'a series that repeats too often leaves the shift',
      'every-minute.ics',
      'a roster tool',
      { '2026-11-28T03:00:00Z': ['Heartbeat: it repeats too often', 'alice'] },
    ],
    [
      'events with hundreds of turns at once leave the shift',
      'crowded-events.ics',
      'a roster tool',
      {
        '2026-11-28T07:00:00Z': ['Ping: it ends before it begins', 'Watch: it repeats too often', 'alice'],
      },
    ],
    [
      'a watch every eight hours since 2014 is followed to today',
      'watches-since-2014.ics',
      'a roster tool',
      {
        '2026-11-27T22:59:00Z': ['dan'],
        '2026-11-27T23:00:00Z': ['alice'],
        '2026-11-28T09:00:00Z': ['bob'],
        '2026-11-28T11:00:00Z': ['carol'],
      },
    ],
    [
      'a rotation keeps its turn over the years',
      'fortnight.ics',
      'Google Calendar',
      {
        '2026-11-23T07:59:00Z': ['alice'],
        '2026-11-23T08:00:00Z': ['bob'],
        '2026-11-30T07:59:00Z': ['bob'],
        '2026-11-30T08:00:00Z': ['alice'],
      },
    ],
  ]);
});

describe('empty shifts', () => {
  const reported = { '2026-11-28T12:00:00Z': ['alice: it ends before it begins'] };
  read([
    [
      'a whole day that ends on itself',
      'whole-day-same-end.ics',
      'Opsgenie',
      {
        '2026-11-27T23:59:00Z': [],
        '2026-11-28T00:00:00Z': ['alice'],
        '2026-11-28T23:59:00Z': ['alice'],
        '2026-11-29T00:00:00Z': [],
      },
    ],
    [
      'whole days that end on themselves, each week',
      'whole-day-same-end-series.ics',
      'Nextcloud 4.7',
      { '2026-11-27T23:59:00Z': [], '2026-11-28T23:59:00Z': ['alice'], '2026-11-29T00:00:00Z': [] },
    ],
    [
      'a shift that ends before it begins',
      'negative-shift.ics',
      'PagerDuty',
      { ...reported, '2026-12-05T12:00:00Z': [] },
    ],
    ['a shift of no time', 'empty-shift.ics', 'PagerDuty', reported],
    ['days that end before they begin', 'negative-days.ics', 'Nextcloud 4.7', reported],
  ]);
});

const unread = (why: string): Moments => on(`alice: its RRULE has ${why}, which Bellhop does not read`);

describe('rules that the library reads as others', () => {
  read([
    ['BYSETPOS by the week', 'bysetpos-weekly.ics', roster, unread('a BYSETPOS with WEEKLY')],
    [
      'BYSETPOS of days of the month',
      'bysetpos-days-of-month.ics',
      roster,
      unread('a BYSETPOS with MONTHLY'),
    ],
    ['BYWEEKNO', 'byweekno.ics', roster, unread('a BYWEEKNO')],
    [
      'a numbered day by the week',
      'numbered-day-of-week.ics',
      roster,
      unread('a numbered BYDAY with WEEKLY'),
    ],
    [
      'an interval of some months',
      'interval-of-some-months.ics',
      roster,
      unread('an INTERVAL and a BYMONTH'),
    ],
    ['SKIP', 'skip-backward.ics', roster, on('alice: unreadable')],
    [
      'but not BYSETPOS of a weekday of the month',
      'bysetpos-last-saturday.ics',
      'Outlook 16',
      { ...on('alice'), '2026-11-21T12:00:00Z': [] },
    ],
    [
      'nor a start that the rule does not name',
      'start-beside-rule.ics',
      'Google Calendar',
      { ...on('alice'), '2026-11-29T12:00:00Z': [], '2026-11-30T12:00:00Z': ['alice'] },
    ],
  ]);
});

describe('times that the library reads as others', () => {
  read([
    ['a time with an offset', 'offset-in-time.ics', roster, on('alice: unreadable DTSTART')],
    ['an end with an offset', 'offset-in-end.ics', roster, on('alice: unreadable DTEND')],
    ['a day with dashes', 'day-with-dashes.ics', roster, on('alice: unreadable DTSTART')],
    ['a month as a duration', 'duration-month.ics', roster, on('alice: unreadable')],
    ['half an hour as a duration', 'duration-half-hour.ics', roster, on('alice: unreadable')],
  ]);
});
