import { describe, expect, it } from 'vitest';

import { BellhopError } from '../../../src/model/values/errors.ts';
import { until } from '../../until.ts';
import { scheduleKind } from '../../../src/features/on-call/kind.ts';
import { openSchedule, type ScheduleServer } from './served-schedule.ts';

const minute = 60_000;

/** A calendar in which someone is on call between two times. */
const calendarOf = (email: string, from = '20261101T000000Z', to = '20261201T000000Z'): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'BEGIN:VEVENT',
    'UID:1',
    `DTSTART:${from}`,
    `DTEND:${to}`,
    `ATTENDEE:mailto:${email}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n');

describe('who is on call', () => {
  it('is no one before the schedule has answered, then the person it names, until the end of the shift', async () => {
    const { server, onCall, who } = await openSchedule();
    server.answer = { body: calendarOf('Alice@Example.com') };
    expect(onCall.onCall('primary')).toEqual({ kind: scheduleKind, source: 'primary', unmatched: [] });
    await onCall.refresh();
    expect(who()).toEqual(['U0ALICE']);
    expect(onCall.onCall('primary')).toEqual({
      kind: scheduleKind,
      source: 'primary',
      people: [{ user: 'U0ALICE', until: Date.UTC(2026, 11, 1) }],
      unmatched: [],
      asOf: Date.UTC(2026, 10, 21, 3),
      problem: undefined,
    });
    expect(onCall.onCall('secondary').people).toBeUndefined();
  });

  it('is asked once a minute, and once at a time', async () => {
    const { server, onCall, later } = await openSchedule();
    server.answer = { body: calendarOf('alice@example.com') };
    await Promise.all([onCall.refresh(), onCall.refresh(), onCall.refresh()]);
    expect(server.asked).toHaveLength(1);
    await later(minute - 1);
    expect(server.asked).toHaveLength(1);
    await later(1);
    expect(server.asked).toHaveLength(2);
  });

  it('changes at the end of a shift, even if the schedule is down by then', async () => {
    const { server, who, later, onCall } = await openSchedule();
    server.answer = { body: calendarOf('alice@example.com', '20261121T000000Z', '20261121T030130Z') };
    await onCall.refresh();
    server.answer = { status: 503, body: '' };
    await later(minute);
    expect(who()).toEqual(['U0ALICE']);
    await later(minute / 2);
    expect(who()).toEqual([]);
  });

  it('is believed for five minutes once the schedule is down, and then no one, until it is back', async () => {
    const { server, onCall, who, later, told } = await openSchedule();
    server.answer = { body: calendarOf('alice@example.com') };
    await onCall.refresh();
    server.answer = { status: 503, body: 'down' };
    await later(minute);
    expect(told.at(-1)).toMatchObject([
      {
        people: [{ user: 'U0ALICE' }],
        problem: { text: 'answered 503', since: Date.UTC(2026, 10, 21, 3, 1) },
      },
    ]);
    await later(4 * minute - 1);
    expect(who()).toEqual(['U0ALICE']);
    await later(1);
    expect(who()).toBeUndefined();
    expect(onCall.onCall('primary')).toMatchObject({
      asOf: Date.UTC(2026, 10, 21, 3),
      problem: { text: 'answered 503', since: Date.UTC(2026, 10, 21, 3, 1) },
    });
    server.answer = { body: calendarOf('bob@example.com') };
    await later(15_000);
    expect(who()).toEqual(['U0BOB']);
    expect(onCall.onCall('primary').problem).toBeUndefined();
  });

  it('is no one once the clock was set back beyond that', async () => {
    const { server, clock, onCall, who } = await openSchedule();
    server.answer = { body: calendarOf('alice@example.com') };
    await onCall.refresh();
    const now = clock.now();
    clock.now = () => now - 5 * minute;
    expect(who()).toBeUndefined();
  });

  it('is not taken over from a schedule that the rules described otherwise', async () => {
    const { server, schedules, onCall, who } = await openSchedule();
    server.answer = { body: calendarOf('alice@example.com') };
    await onCall.refresh();
    const { primary } = schedules;
    if (!primary) throw new Error('there is a schedule');
    schedules['primary'] = { ...primary, people: { 'alice@example.com': 'U0ALINA' } };
    expect(who()).toBeUndefined();
    await onCall.refresh();
    expect(who()).toEqual(['U0ALINA']);
  });

  it('is not whom one wrong letter names: no one is guessed', async () => {
    const { server, onCall } = await openSchedule();
    server.answer = { body: calendarOf('alise@example.com') };
    await onCall.refresh();
    expect(onCall.onCall('primary')).toMatchObject({ people: [], unmatched: ['alise@example.com'] });
  });

  it('is found in Slack by e-mail address only if the rules say so', async () => {
    const asked: string[] = [];
    const stage = await openSchedule({
      byEmail: true,
      userByEmail(email) {
        asked.push(email);
        return Promise.resolve(email === 'dora@example.com' ? 'U0DORA' : undefined);
      },
    });
    stage.server.answer = { body: calendarOf('dora@example.com') };
    await stage.onCall.refresh();
    expect(stage.who()).toEqual(['U0DORA']);
    stage.server.answer = { body: calendarOf('ghost@example.com') };
    await stage.later(minute);
    expect(stage.onCall.onCall('primary')).toMatchObject({ people: [], unmatched: ['ghost@example.com'] });
    stage.server.answer = { body: calendarOf('alice@example.com') };
    await stage.later(minute);
    expect(stage.who()).toEqual(['U0ALICE']);
    expect(asked).toEqual(['dora@example.com', 'ghost@example.com']);
  });

  it('is not a person whose address Slack does not look up', async () => {
    const { server, onCall } = await openSchedule({
      byEmail: true,
      userByEmail: () => Promise.reject(new BellhopError('slack', 'Slack cannot be reached.')),
    });
    server.answer = { body: calendarOf('dora@example.com') };
    await onCall.refresh();
    const told = onCall.onCall('primary');
    expect(told).toMatchObject({ people: [], unmatched: ['dora@example.com'] });
    expect(told.problem?.text).toMatch(/^names people by e-mail address, .* Slack cannot be reached$/u);
  });
});

describe("a schedule that can't be polled puts no one on call", () => {
  it.each<[string, NonNullable<ScheduleServer['answer']>, RegExp]>([
    ['is down', { status: 503, body: '' }, /^answered 503$/u],
    ['refuses the token', { status: 401, body: '' }, /^answered 401; check the token and the address$/u],
    ['redirects', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }, /redirects/u],
    [
      'answers a page to sign in',
      { body: '<html>Sign in</html>' },
      /^answered with something other than a calendar: “<html>Sign in<\/html>”$/u,
    ],
    ['never stops', { body: 'x'.repeat(2 * 1024 * 1024 + 1) }, /^answered with more than 2 MiB$/u],
  ])('because it %s', async (_, answer, problem) => {
    const { server, onCall } = await openSchedule();
    server.answer = answer;
    await onCall.refresh();
    expect(onCall.onCall('primary').people).toBeUndefined();
    expect(onCall.onCall('primary').problem?.text).toMatch(problem);
    expect(server.asked).toHaveLength(1);
  });

  it('because it does not answer in time, nor does anyone wait longer for it', async () => {
    const { server, clock, onCall } = await openSchedule();
    server.answer = undefined;
    const round = onCall.refresh();
    await until(() => server.asked.length > 0);
    await clock.advance(3000);
    await round;
    expect(onCall.onCall('primary').problem?.text).toBe('did not answer within 3 s');
  });

  it('because production asks nothing without TLS', async () => {
    const { server, onCall } = await openSchedule({ production: true });
    await onCall.refresh();
    expect(onCall.onCall('primary').problem?.text).toBe('has no https:// address');
    expect(server.asked).toEqual([]);
  });

  it('because its secret is not set', async () => {
    const { server, onCall } = await openSchedule({
      source: () => ({ kind: 'ical', address: 'secret:calendar' }),
    });
    await onCall.refresh();
    expect(onCall.onCall('primary').problem?.text).toBe("can't be polled: There is no secret:calendar.");
    expect(server.asked).toEqual([]);
  });
});
