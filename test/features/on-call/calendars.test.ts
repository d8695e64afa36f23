import { readFileSync } from 'node:fs';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { readCalendar } from '../../../src/features/on-call/calendar/ical.ts';
import { openSchedule } from './served-schedule.ts';

/**
 * Calendars in the form in which calendar programs write them, with who is on call at some moments. An event that is
 * reported appears as “title: why”.
 */
type Moments = Readonly<Record<string, readonly string[]>>;
type Case = readonly [what: string, file: string, writtenBy: string, moments: Moments];

const bytesOf = (file: string): Buffer => readFileSync(new URL(`calendars/${file}`, import.meta.url));

/** In milliseconds. A machine under load may take longer than the limit. */
const patientMs = 60_000;

function onCallAt(text: string, moment: string, timeZone?: string, forMs = patientMs): readonly string[] {
  const at = Date.parse(moment);
  return readCalendar(text, { from: at, to: at + 1 }, timeZone, forMs)
    .map(({ names: [name] }) =>
      name.replace('@example.com', '').replace(/^event “(.*?)” \((.*)\)$/u, '$1: $2'),
    )
    .toSorted();
}

const read = (cases: readonly Case[], timeZone?: string): void => {
  it.each(cases)('%s (%s, %s)', (_what, file, _writtenBy, moments) => {
    const text = bytesOf(file).toString('utf8');
    const found = Object.keys(moments).map((moment) => [moment, onCallAt(text, moment, timeZone)]);
    expect(Object.fromEntries(found)).toEqual(moments);
  });
};

/** Two shifts in July: Alice from 9:00 to 17:00, then Bob until 9:00. */
const shiftsAt = (offset: number): Moments => {
  const at = (hour: number, minute: number) =>
    new Date(Date.UTC(2026, 6, 14, hour - offset, minute)).toISOString();
  return {
    [at(8, 59)]: [],
    [at(9, 0)]: ['alice'],
    [at(16, 59)]: ['alice'],
    [at(17, 0)]: ['bob'],
    [at(32, 59)]: ['bob'],
    [at(33, 0)]: [],
  };
};
const title = 'Bereitschaft Plattform';
const bothReported = (why: string): Moments => ({
  '2026-07-14T10:00:00Z': [`${title}: ${why}`, `${title}: ${why}`],
});

describe('time zones', () => {
  read([
    [
      'a name with an offset, and its definition',
      'exchange-display-name.ics',
      'Exchange 2010 web services',
      shiftsAt(2),
    ],
    ['a name with digits, and its definition', 'name-with-digits.ics', 'a roster tool', shiftsAt(2)],
    ['a Windows name, and its definition', 'exchange-windows-name.ics', 'Exchange Online', shiftsAt(2)],
    [
      'a Windows name without a definition',
      'exchange-windows-name-undefined.ics',
      'Exchange Online',
      bothReported('unknown time zone “W. Europe Standard Time”'),
    ],
    [
      'a name with an offset, without a definition',
      'outlook-display-name-undefined.ics',
      'Outlook 16',
      bothReported('unknown time zone “(GMT+01:00) Amsterdam, Berlin”'),
    ],
    ['EST, defined with summer time', 'outlook-est.ics', 'Outlook 16', shiftsAt(-4)],
    ['GMT, defined with summer time', 'exchange-gmt.ics', 'Exchange Online', shiftsAt(1)],
    ['Etc/GMT+5, defined with summer time', 'lotus-etc-gmt.ics', 'Lotus Notes 9', shiftsAt(-4)],
    [
      'BST, which several zones are called',
      'bst-undefined.ics',
      'a roster tool',
      bothReported('unknown time zone “BST”'),
    ],
    ['a definition without TZOFFSETFROM', 'no-offset-from.ics', 'Calendar Server', shiftsAt(2)],
    [
      'a definition without TZOFFSETFROM, in the hour after its changes',
      'no-offset-from-at-change.ics',
      'Calendar Server',
      {
        '2026-03-29T01:29:00Z': [],
        '2026-03-29T01:30:00Z': ['alice'],
        '2026-10-25T02:29:00Z': [],
        '2026-10-25T02:30:00Z': ['bob'],
      },
    ],
    [
      'a definition whose halves have no beginning',
      'no-observance-start.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    [
      'a definition without offsets',
      'no-observances.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    [
      'an offset without a sign',
      'offset-without-sign.ics',
      'Calendar Server',
      bothReported('its time zone “Office” is incomplete or unreadable'),
    ],
    ['a definition with lists of dates', 'lotus-rdate-list.ics', 'Lotus Notes 9', shiftsAt(2)],
    ['a definition whose rules ended', 'apple-ended-rules.ics', 'Apple Calendar 15.5', shiftsAt(3)],
  ]);
});

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

const on = (...names: readonly string[]): Moments => ({ '2026-11-28T12:00:00Z': names });

describe('what was cancelled, and who is meant', () => {
  read([
    ['other spellings of CANCELLED', 'cancelled-spellings.ics', 'a roster tool', on('carol')],
    ['METHOD:CANCEL', 'method-cancel.ics', 'Exchange Online', on()],
    ['an invitation, then its cancellation', 'request-then-cancel.ics', 'Exchange Online', on('bob')],
    [
      'two calendars in one file, each with its zone',
      'two-calendars.ics',
      'Google Calendar, concatenated',
      { ...on('alice', 'bob'), '2026-11-27T15:00:00Z': ['bob'], '2026-11-28T15:00:00Z': ['alice'] },
    ],
    ['internal addresses with EMAIL', 'apple-principal.ics', 'Apple Calendar 15.5', on('alice', 'bob')],
    ['a name with combining accents', 'nfd-names.ics', 'Apple Calendar 15.5', on('zoë müller')],
  ]);
});

const roster = 'a roster tool';
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

describe('attendees', () => {
  read([
    ['of a kind that may be a person', 'unknown-kind-of-attendee.ics', 'Nextcloud 4.7', on('alice', 'bob')],
    ['who sent someone else', 'delegated.ics', 'ical-generator 8', on('bob')],
    ['who are only informed', 'for-information.ics', 'Zimbra 10', on('alice')],
    ['with a name in the directory', 'exchange-directory-name.ics', 'Exchange 2010', on('alice')],
  ]);
});

describe('a file', () => {
  read([
    ['with two changes of one shift, the newer one first', 'newer-change-first.ics', roster, on('carol')],
    ['with a remark after its end', 'remark-after-the-end.ics', 'WP Super Cache', on('alice')],
  ]);
});

describe('answers of a calendar server', () => {
  const people = { 'zoë müller': 'U0ZOE' };
  const feed = bytesOf('byte-order-mark.ics');
  it.each([
    ['a byte order mark, from Outlook', feed, {}],
    ['gzip unasked, from a cache', gzipSync(feed), { 'content-encoding': 'gzip' }],
    ['a .gz file, from a static host', gzipSync(feed), {}],
    ['Brotli unasked, from a CDN', brotliCompressSync(feed), { 'content-encoding': 'br' }],
    ['deflate unasked', deflateSync(feed), { 'content-encoding': 'deflate' }],
    [
      'ISO-8859-1 and its charset',
      bytesOf('latin-1.ics'),
      { 'content-type': 'text/calendar; charset=ISO-8859-1' },
    ],
    ['UTF-16, from Outlook', Buffer.from(`\uFEFF${feed.toString('utf8').slice(1)}`, 'utf16le'), {}],
    ['a line folded inside a letter, from PHP', bytesOf('folded-in-letter.ics'), {}],
    ['the accents of macOS', Buffer.from(feed.toString('utf8').normalize('NFD')), {}],
  ])('are read with %s', async (_, body, headers) => {
    const { server, onCall, who } = await openSchedule({ people });
    server.answer = { body, headers };
    await onCall.refresh();
    expect(onCall.onCall('primary').problem).toBeUndefined();
    expect(who()).toEqual(['U0ZOE']);
  });

  it.each([
    [
      'a sign-in page',
      '<!DOCTYPE html>\n<html><head>',
      {},
      'something other than a calendar: “<!DOCTYPE html> <html><head>”',
    ],
    ['an error as JSON', '{"error":"gone"}', {}, 'something other than a calendar: “{"error":"gone"}”'],
    ['nothing', '', {}, 'something other than a calendar'],
    ['a part', feed.subarray(0, -10), {}, 'a calendar that is cut off'],
    ['a bomb', gzipSync(Buffer.alloc(50 * 1024 * 1024)), { 'content-encoding': 'gzip' }, 'more than 2 MiB'],
    ['a part of gzip', gzipSync(feed).subarray(0, 50), {}, 'compressed data that is cut off or damaged'],
  ])('with %s are refused by name', async (_, body, headers, problem) => {
    const { server, onCall } = await openSchedule();
    server.answer = { body, headers };
    await onCall.refresh();
    expect(onCall.onCall('primary').problem?.text).toBe(`answered with ${problem}`);
  });
});

const minute = 60_000;

async function openMeeting() {
  const asked: string[] = [];
  const slack = { refuses: (email: string): boolean => email === '' };
  const stage = await openSchedule({
    byEmail: true,
    people: {},
    userByEmail(email) {
      asked.push(email);
      if (slack.refuses(email)) return Promise.reject(new BellhopError('slack', 'Slack limits the rate.'));
      return Promise.resolve(email.startsWith('person1') ? email.toUpperCase() : undefined);
    },
  });
  stage.server.answer = { body: bytesOf('exchange-meeting.ics') };
  return { ...stage, asked, slack };
}

describe('a meeting of sixty people, from Exchange', () => {
  it('looks each address up once in five minutes, also those that Slack does not know', async () => {
    const { asked, who, later } = await openMeeting();
    for (let round = 0; round < 4; round += 1) await later(minute);
    expect(asked).toHaveLength(60);
    expect(who()).toHaveLength(11);
  });

  it('keeps the last known id while Slack refuses', async () => {
    const { slack, who, later } = await openMeeting();
    await later(minute);
    slack.refuses = () => true;
    await later(6 * minute);
    expect(who()).toHaveLength(11);
  });

  it('without one of them, whom Slack does not look up', async () => {
    const { slack, onCall, who, later } = await openMeeting();
    slack.refuses = (email) => email === 'person11@example.com';
    await later(minute);
    expect(who()).toHaveLength(10);
    expect(onCall.onCall('primary').unmatched).toContain('person11@example.com');
    expect(onCall.onCall('primary').problem?.text).toBe(
      "names people by e-mail address, which Slack can't look up: Slack limits the rate",
    );
  });
});
