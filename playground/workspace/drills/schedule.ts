import type { Clock } from '../clock.ts';
import { emailOf, findPerson } from '../conversations/directory.ts';
import type { ScheduleDrill } from '../drill-protocol.ts';

/** The on-call schedule, as a calendar that a bot can read at `/schedule.ics`. */
export interface OnCallSchedule {
  readonly current: ScheduleDrill;
  set(schedule: ScheduleDrill): void;
  /** Makes the calendar's service work again. Does not change who is on call. */
  repair(): void;
  /** The calendar as iCalendar text; undefined while its service is down. */
  calendar(): string | undefined;
}

const DAY_MS = 24 * 60 * 60_000;

/** @param announce called after every change */
export function createSchedule(clock: Clock, announce: () => void): OnCallSchedule {
  let current: ScheduleDrill = { on_call: 'U0ALICE', down: false };
  const set = (schedule: ScheduleDrill) => {
    current = schedule;
    announce();
  };
  return {
    get current() {
      return current;
    },
    set,
    repair: () => set({ ...current, down: false }),
    calendar: () => (current.down ? undefined : calendarOf(current.on_call, clock.now())),
  };
}

/** One shift, from the beginning of today to the end of tomorrow (UTC), or none. Source: RFC 5545. */
function calendarOf(user: string | null, now: number): string {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  const person = findPerson(user ?? '');
  const email = person && emailOf(person);
  const shift =
    person === undefined || email === undefined
      ? []
      : [
          'BEGIN:VEVENT',
          `UID:${stamp(today)}-${person.name}@local-workspace`,
          `DTSTAMP:${stamp(now)}`,
          `DTSTART:${stamp(today)}`,
          `DTEND:${stamp(today + 2 * DAY_MS)}`,
          `SUMMARY:${email}`,
          `ATTENDEE;CN=${person.real_name}:mailto:${email}`,
          'END:VEVENT',
        ];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//local workspace//on call//EN',
    ...shift,
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${line}\r\n`).join('');
}

/** A time in UTC in iCalendar's format: 20261122T140200Z. @param at epoch milliseconds */
function stamp(at: number): string {
  return new Date(at).toISOString().replaceAll(/[-:]|\.\d+/g, '');
}
