import { describe, expect, it } from 'vitest';

import { bytesOf, type Moments, onCallAt, read } from './calendar-files.ts';

/** Alice is on call every day from 8:00 to 16:00 UTC. */
const withoutTheDay: Moments = {
  '2026-11-27T08:00:00Z': ['alice'],
  '2026-11-28T08:00:00Z': [],
  '2026-11-28T15:59:00Z': [],
};
const untilTheDay: Moments = {
  '2026-11-27T08:00:00Z': ['alice'],
  '2026-11-28T08:00:00Z': ['alice'],
  '2026-11-29T08:00:00Z': [],
};
const bobOnTheDay: Moments = {
  '2026-11-27T08:00:00Z': ['alice'],
  '2026-11-28T07:59:00Z': [],
  '2026-11-28T08:00:00Z': ['bob'],
  '2026-11-28T15:59:00Z': ['bob'],
  '2026-11-28T16:00:00Z': [],
  '2026-11-29T08:00:00Z': ['alice'],
};

describe('times without a zone, in a series that has one', () => {
  read([
    ['EXDATE', 'exdate-without-zone.ics', 'Nextcloud 4.7', { ...withoutTheDay, '2026-11-29T08:00:00Z': [] }],
    [
      'EXDATE in a zone that the calendar defines',
      'exdate-defined-zone.ics',
      'Exchange Online',
      withoutTheDay,
    ],
    ['EXDATE as a day', 'exdate-as-date.ics', 'Nextcloud 4.7', withoutTheDay],
    ['EXDATE of a series in UTC', 'exdate-utc-series.ics', 'a roster tool', withoutTheDay],
    ['RECURRENCE-ID, moved to another zone', 'recurrence-id-without-zone.ics', 'Nextcloud 4.7', bobOnTheDay],
    ['DTSTART and DTEND of a change', 'change-without-zone.ics', 'Nextcloud 4.7', bobOnTheDay],
    [
      'RDATE, beside the first date',
      'rdate-without-zone.ics',
      'Nextcloud 4.7',
      {
        '2026-11-01T08:00:00Z': ['alice'],
        '2026-11-28T07:59:00Z': [],
        '2026-11-28T08:00:00Z': ['alice'],
        '2026-11-28T16:00:00Z': [],
        '2026-12-05T15:59:00Z': ['alice'],
      },
    ],
    [
      'DTEND',
      'dtend-without-zone.ics',
      'a roster tool',
      { '2026-11-28T15:59:00Z': ['alice'], '2026-11-28T16:00:00Z': [] },
    ],
    ['UNTIL as a day', 'until-date.ics', 'Google Calendar', untilTheDay],
    [
      'UNTIL, before the last shift begins',
      'until-without-zone.ics',
      'Apple Calendar 15.5',
      { '2026-11-27T08:00:00Z': ['alice'], '2026-11-28T08:00:00Z': [] },
    ],
    [
      'UNTIL of whole days west of UTC',
      'until-whole-days-west.ics',
      'Google Calendar',
      { '2026-11-28T08:00:00Z': ['alice'], '2026-11-29T07:59:00Z': ['alice'], '2026-11-29T08:00:00Z': [] },
    ],
    [
      'RANGE=THISANDFUTURE',
      'this-and-future-without-zone.ics',
      'Thunderbird',
      {
        '2026-11-19T08:00:00Z': ['alice'],
        '2026-11-20T08:00:00Z': [],
        '2026-11-20T11:00:00Z': ['bob'],
        '2026-11-28T08:00:00Z': [],
        '2026-11-28T18:59:00Z': ['bob'],
      },
    ],
    [
      'EXRULE, which only old programs write',
      'exrule.ics',
      'Evolution 2',
      { '2026-11-28T08:00:00Z': ['On call alice: it has an EXRULE, which Bellhop does not read'] },
    ],
  ]);
});

/** Alice is on call on Saturdays from 9:00 to 17:00 in Berlin, except on 5 December. */
const offOnTheFifth: Moments = {
  '2026-11-28T08:00:00Z': ['alice'],
  '2026-12-05T08:00:00Z': [],
  '2026-12-05T15:59:00Z': [],
  '2026-12-12T08:00:00Z': ['alice'],
};
const lostAt = (time: string): string =>
  `On call: no occurrence at ${time}, which an EXDATE or RECURRENCE-ID names`;

describe('times in UTC, in a series without a zone', () => {
  const roster = 'a roster tool';
  const library = 'ics 3.12 from npm, on a server in UTC';
  read(
    [
      ['EXDATE', 'exdate-utc-beside-local.ics', library, offOnTheFifth],
      ['EXDATE in a third zone', 'exdate-zone-beside-local.ics', roster, offOnTheFifth],
      [
        'RECURRENCE-ID of a change',
        'recurrence-id-utc-beside-local.ics',
        roster,
        { ...offOnTheFifth, '2026-12-05T08:00:00Z': ['bob'], '2026-12-05T15:59:00Z': ['bob'] },
      ],
      ['RECURRENCE-ID of a cancelled occurrence', 'cancelled-id-utc-beside-local.ics', roster, offOnTheFifth],
      [
        'RANGE=THISANDFUTURE',
        'range-utc-beside-local.ics',
        roster,
        {
          '2026-12-05T08:00:00Z': ['On call: its RECURRENCE-ID is in UTC, but its DTSTART has no time zone'],
        },
      ],
    ],
    'Europe/Berlin',
  );
  read(
    [
      [
        'EXDATE at midnight in UTC, beside whole days west of it',
        'exdate-midnight-utc-beside-day.ics',
        roster,
        { '2026-12-04T15:00:00Z': ['alice'], '2026-12-05T15:00:00Z': [], '2026-12-06T15:00:00Z': ['alice'] },
      ],
    ],
    'America/New_York',
  );
  it('EXDATE of the same moment (exdate-utc-beside-local.ics, at UTC)', () => {
    const text = bytesOf('exdate-utc-beside-local.ics').toString('utf8');
    expect(onCallAt(text, '2026-11-28T09:00:00Z', 'UTC')).toEqual(['alice']);
    expect(onCallAt(text, '2026-12-05T09:00:00Z', 'UTC')).toEqual([]);
  });
});

const withoutDay = (day: string): Moments => ({ [`${day}T08:00:00Z`]: [], [`${day}T15:59:00Z`]: [] });

describe('the local time of a series that has a zone, written with a Z', () => {
  read([
    ['EXDATE', 'exdate-local-digits-in-utc.ics', 'rrule 2.8 from npm', offOnTheFifth],
    [
      'EXDATE, unless another occurrence has that time',
      'exdate-digits-of-two.ics',
      'a roster tool',
      {
        '2026-12-05T08:30:00Z': ['alice'],
        '2026-12-05T09:30:00Z': [],
        '2026-12-06T08:30:00Z': ['alice'],
        '2026-12-06T09:30:00Z': ['alice'],
      },
    ],
    [
      'RECURRENCE-ID of a change, and of a cancelled occurrence',
      'recurrence-id-local-digits-in-utc.ics',
      'rrule 2.8 from npm, and a roster tool',
      {
        ...offOnTheFifth,
        '2026-12-05T08:00:00Z': ['bob'],
        '2026-12-05T15:59:00Z': ['bob'],
        ...withoutDay('2026-12-19'),
      },
    ],
  ]);
});

describe('a day without VALUE=DATE', () => {
  const days: Moments = {
    '2026-11-27T22:59:00Z': [],
    '2026-11-27T23:00:00Z': ['bob'],
    '2026-11-28T22:59:00Z': ['bob'],
    '2026-11-28T23:00:00Z': [],
  };
  const library = 'ics 3.12 from npm';
  read(
    [
      [
        'EXDATE',
        'exdate-day-without-value.ics',
        library,
        { ...days, '2026-12-05T08:00:00Z': [], '2026-12-12T08:00:00Z': ['bob'] },
      ],
      [
        'EXDATE of two days, of a series with a time',
        'exdate-days-without-value.ics',
        library,
        { ...offOnTheFifth, '2026-12-12T08:00:00Z': [], '2026-12-19T08:00:00Z': ['alice'] },
      ],
      ['DTSTART and DTEND', 'day-without-value.ics', 'a roster tool', days],
      [
        'RDATE, and RECURRENCE-ID of a change',
        'rdate-day-without-value.ics',
        'a roster tool',
        { ...days, '2026-12-05T08:00:00Z': ['carol'], '2026-12-12T08:00:00Z': ['bob'] },
      ],
      [
        'that lacks a digit',
        'exdate-no-day.ics',
        'a roster tool',
        { '2026-12-05T08:00:00Z': ['On call: unreadable EXDATE'] },
      ],
    ],
    'Europe/Berlin',
  );
});

describe('an EXDATE or RECURRENCE-ID that names no occurrence', () => {
  read([
    [
      'is reported in the middle of a shift',
      'exdate-in-a-week.ics',
      'a roster tool',
      {
        '2026-11-30T09:00:00Z': [lostAt('2026-12-02'), 'alice'],
        '2026-12-06T09:00:00Z': [lostAt('2026-12-02'), 'alice'],
        '2026-12-14T09:00:00Z': ['alice'],
      },
    ],
    [
      'is reported with the change that replaces nothing',
      'recurrence-id-of-no-occurrence.ics',
      'a roster tool',
      {
        '2026-11-28T08:00:00Z': ['alice'],
        '2026-12-02T09:00:00Z': [lostAt('2026-12-02T09:00:00'), 'bob'],
        '2026-12-05T08:00:00Z': ['alice'],
      },
    ],
    [
      'is left alone after the end of the series',
      'exdate-after-the-end.ics',
      'a roster tool',
      { '2026-12-04T09:00:00Z': ['alice'], '2026-12-05T09:00:00Z': [] },
    ],
  ]);
});
