import * as fc from 'fast-check';
import { expect, it } from 'vitest';

import { readCalendar } from '../../../../src/features/on-call/calendar/ical.ts';

/** The seed is fixed, unless FUZZ_RUNS asks for more and other samples. */
const runs = (numRuns: number) => ({ numRuns: Number(process.env['FUZZ_RUNS'] ?? numRuns) });
const hourMs = 3_600_000;
/** On a busy machine, a calendar takes longer than Bellhop allows. */
const patientMs = 60_000;
const pad = (value: number, size = 2): string => String(value).padStart(size, '0');

/** The wall clock of an instant by `Intl`, as `20261128T090000`. */
function wallAt(at: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(at);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('year')}${of('month')}${of('day')}T${of('hour')}${of('minute')}${of('second')}`;
}

const zone = fc.constantFrom(
  'Europe/Berlin',
  'America/New_York',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Pacific/Auckland',
  'Africa/Casablanca',
  'UTC',
);

it('a shift begins each day when the clocks of its zone show its hour', () => {
  const shift = fc.record({
    zone,
    hour: fc.integer({ min: 5, max: 22 }),
    interval: fc.integer({ min: 1, max: 3 }),
    start: fc.integer({ min: 0, max: 5000 }),
    day: fc.integer({ min: 0, max: 400 }),
  });
  fc.assert(
    fc.property(shift, ({ zone: tzid, hour, interval, start, day }) => {
      const first = new Date(Date.UTC(2012, 0, 1 + start));
      const written = `${first.getUTCFullYear()}${pad(first.getUTCMonth() + 1)}${pad(first.getUTCDate())}T${pad(hour)}0000`;
      const text = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'BEGIN:VEVENT',
        'UID:1',
        `DTSTART;TZID=${tzid}:${written}`,
        'DURATION:PT1H',
        `RRULE:FREQ=DAILY;INTERVAL=${interval}`,
        'SUMMARY:alice',
        'END:VEVENT',
        'END:VCALENDAR',
      ].join('\r\n');
      const from = first.getTime() + day * 24 * hourMs;
      const shifts = readCalendar(
        text,
        { from, to: from + (24 * interval + 2) * hourMs },
        undefined,
        patientMs,
      );
      for (const { from: begin = 0 } of shifts) {
        const wall = wallAt(begin, tzid);
        const days =
          (Date.UTC(Number(wall.slice(0, 4)), Number(wall.slice(4, 6)) - 1, Number(wall.slice(6, 8))) -
            first.getTime()) /
          (24 * hourMs);
        expect(wall.slice(9)).toBe(`${pad(hour)}0000`);
        expect(days % interval).toBe(0);
      }
      expect(day <= 2 || shifts.length > 0).toBe(true);
    }),
    runs(50),
  );
});

const defined = ['Office', 'EST', 'GMT', 'Nowhere', '(UTC+01:00) Berlin'] as const;
const date = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2027-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().replaceAll(/[-:]|\.\d+/gu, ''));
const time = fc.oneof(
  date.map((at) => `:${at}`),
  date.map((at) => `:${at.slice(0, -1)}`),
  date.map((at) => `;VALUE=DATE:${at.slice(0, 8)}`),
  fc
    .tuple(fc.oneof(zone, fc.constantFrom(...defined, '"a:b,c"')), date)
    .map(([tzid, at]) => `;TZID=${tzid}:${at.slice(0, -1)}`),
);
const rule = fc
  .tuple(
    fc.constantFrom('SECONDLY', 'MINUTELY', 'HOURLY', 'DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'),
    fc.constantFrom(
      '',
      ';INTERVAL=2',
      ';INTERVAL=13',
      ';COUNT=5',
      ';COUNT=3000',
      ';UNTIL=20261201',
      ';UNTIL=20261201T090000Z',
    ),
    fc.constantFrom(
      '',
      ';BYDAY=MO,WE',
      ';BYDAY=-1SU',
      ';BYMONTHDAY=31',
      ';BYMONTH=2;BYMONTHDAY=30',
      ';BYSETPOS=-1;BYDAY=MO,TU',
      ';BYHOUR=9;BYMINUTE=0',
      ';BYYEARDAY=-1',
      ';BYWEEKNO=53',
      ';WKST=SU',
    ),
  )
  .map(([freq, limit, by]) => `RRULE:FREQ=${freq}${limit}${by}`);
const line = fc.oneof(
  time.map((at) => `DTEND${at}`),
  fc.constantFrom(
    'DURATION:PT8H',
    'DURATION:P1D',
    'DURATION:-PT1H',
    'STATUS:CANCELLED',
    'SEQUENCE:2',
    'X-ÄRA:ü',
    'CLASS:PRIVATE',
  ),
  rule,
  time.map((at) => `EXDATE${at}`),
  time.map((at) => `RDATE${at}`),
  time.map((at) => `RECURRENCE-ID${at}`),
  fc.constant('RDATE;VALUE=PERIOD:20261128T080000Z/PT4H'),
);
const attendee = fc
  .tuple(
    fc.constantFrom('', ';PARTSTAT=DECLINED', ';PARTSTAT=ACCEPTED;CN="Bob, Bo: B"', ';ROLE=CHAIR;RSVP=TRUE'),
    fc.constantFrom('', ';CUTYPE=INDIVIDUAL', ';CUTYPE=ROOM', ';CUTYPE=GROUP'),
    fc.constantFrom(
      ':mailto:bob@example.com',
      ':MAILTO:bob@example.com',
      ';EMAIL=bob@example.com:/1234/principal/',
      ';EMAIL="bob@example.com":urn:uuid:4f5a',
    ),
  )
  .map((parts) => `ATTENDEE${parts.join('')}`);
const offset = fc.constantFrom('+0100', '+0200', '-0500', '-033000', '+01', '0100');
const observance = fc
  .tuple(
    fc.constantFrom('STANDARD', 'DAYLIGHT'),
    fc.constantFrom('DTSTART:16010101T030000', 'DTSTART:20200329T020000', 'X-NO:START'),
    fc.option(offset),
    fc.option(offset),
    fc.constantFrom(
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11;UNTIL=20261101T060000Z',
      'RDATE:20260329T020000,20270328T020000',
      'RDATE;VALUE=DATE:20261025',
      'TZNAME:CET',
    ),
  )
  .map(([kind, start, from, to, when]) =>
    [
      [`BEGIN:${kind}`, start],
      from === null ? [] : `TZOFFSETFROM:${from}`,
      to === null ? [] : `TZOFFSETTO:${to}`,
      [when, `END:${kind}`],
    ].flat(),
  );
const definition = fc
  .tuple(fc.constantFrom(...defined), fc.array(observance, { maxLength: 2 }))
  .map(([tzid, observances]) =>
    [['BEGIN:VTIMEZONE', `TZID:${tzid}`], ...observances, ['END:VTIMEZONE']].flat(),
  );
const event = fc
  .tuple(
    time,
    fc.array(line, { maxLength: 5 }),
    fc.array(attendee, { maxLength: 3 }),
    fc.integer({ min: 0, max: 3 }),
  )
  .map(([at, lines, attendees, uid]) =>
    [
      ['BEGIN:VEVENT', `UID:${uid}`, `DTSTART${at}`],
      lines,
      attendees,
      ['SUMMARY:alice', 'END:VEVENT'],
    ].flat(),
  );

const calendar = fc
  .tuple(fc.array(definition, { maxLength: 2 }), fc.array(event, { maxLength: 4 }))
  .map(([definitions, events]) =>
    [['BEGIN:VCALENDAR', 'VERSION:2.0'], ...definitions, ...events, ['END:VCALENDAR']].flat(),
  );

/** Folds each line wherever it is so long. */
const folded = (lines: readonly string[], width: number): string =>
  lines.map((each) => `${each.replaceAll(new RegExp(`.{${width}}(?=.)`, 'gu'), '$&\r\n ')}\r\n`).join('');

const at = Date.parse('2026-11-28T09:00:00Z');
const read = (text: string): readonly string[] =>
  readCalendar(text, { from: at, to: at + 360_000 }, undefined, patientMs).map(({ names: [name] }) => name);

it('any calendar by the grammar of RFC 5545, folded anywhere, is read or reported by name', () => {
  fc.assert(
    fc.property(calendar, fc.integer({ min: 20, max: 75 }), (lines, width) => {
      const known = /^alice$|^bob@example\.com$|^event “alice” \(.+\)$/u;
      const found = read(folded(lines, width));
      expect(found.filter((name) => !known.test(name))).toEqual([]);
      expect(found).toEqual(read(lines.join('\n')));
    }),
    runs(60),
  );
});
