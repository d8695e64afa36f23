import { runInNewContext } from 'node:vm';

import { TZDate } from '@date-fns/tz';
import ICAL from 'ical.js';

import { ScheduleError, type Shift, type Window } from '../model/values/on-call.ts';
import { nameOnSchedule } from '../text/words.ts';
import {
  EventError,
  IanaZone,
  type Zones,
  parseCalendar,
  setZones,
  unreadable,
  valuesOf,
} from './ical-events.ts';

const maxEvents = 5000;
/** The limit for all repeating events together. */
const maxOccurrences = 20_000;
const maxShifts = 200;
/** In milliseconds. Reading a large calendar takes over a second on a busy machine. */
const readForMs = 5000;

/**
 * Returns the people on call in the window. Each event is a shift of its attendees or, without attendees, of the person
 * in its title. Whole days, and times without a zone, are in `timeZone`. The default is the calendar's own zone, or
 * UTC. An invalid event puts no one on call and is reported.
 * @throws ScheduleError if the text is not a calendar, or repeats too often to be read
 */
export function readCalendar(text: string, window: Window, timeZone?: string): readonly Shift[] {
  let found: readonly Shift[] = [];
  const read = (): void => {
    found = shiftsIn(text, window, timeZone);
  };
  try {
    // Stops the library's search for a day that never comes, such as 30 February.
    runInNewContext('read()', { read }, { timeout: readForMs });
    return found;
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    throw new ScheduleError('answered with an unreadable calendar', { cause: error });
  }
}

function shiftsIn(text: string, window: Window, timeZone: string | undefined): readonly Shift[] {
  const { calendar, broken } = parseCalendar(text);
  if (calendar.name !== 'vcalendar') throw new ScheduleError('answered with something other than a calendar');
  const components = calendar.getAllSubcomponents('vevent');
  if (components.length > maxEvents) throw new ScheduleError(`has more than ${maxEvents} events`);
  const zones = { calendar, own: timeZone ?? textOf(calendar, 'x-wr-timezone') ?? 'UTC' };
  const budget = { left: maxOccurrences };
  const shifts: Shift[] = [...broken];
  for (const group of Map.groupBy(components, (one) => textOf(one, 'uid') ?? one).values()) {
    shifts.push(...shiftsOf(group, { window, zones, budget }));
    if (shifts.length > maxShifts) throw new ScheduleError(`puts more than ${maxShifts} people on call`);
  }
  return shifts;
}

interface Reading {
  readonly window: Window;
  readonly zones: Zones;
  readonly budget: { left: number };
}

/** @throws ScheduleError */
function shiftsOf(group: readonly ICAL.Component[], reading: Reading): readonly Shift[] {
  const { from: begin, to: end } = reading.window;
  try {
    for (const component of group) setZones(component, reading.zones);
    return turnsOf(group, reading)
      .filter(
        ({ item, from, until }) => from < end && until > begin && textOf(item, 'status') !== 'CANCELLED',
      )
      .flatMap(({ item, from, until }) =>
        peopleOf(item).map(({ names, email }) => ({ names, email, from, until })),
      );
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    const [event] = group;
    const title = event && (textOf(event, 'summary') ?? textOf(event, 'uid'));
    const why = error instanceof EventError ? error.message : 'unreadable';
    return [unreadable(title, why)];
  }
}

interface Turn {
  readonly item: ICAL.Component;
  readonly from: number;
  readonly until: number;
}

const isChange = (component: ICAL.Component): boolean => component.hasProperty('recurrence-id');

/** Returns the turns of one UID: an event, and the occurrences of the event that were moved or reassigned. */
function turnsOf(group: readonly ICAL.Component[], reading: Reading): readonly Turn[] {
  const changes = group.filter(isChange).toSorted((one, other) => sequenceOf(one) - sequenceOf(other));
  const events = group.filter((component) => !isChange(component));
  const newest = Math.max(...events.map(sequenceOf));
  const current = events.filter((component) => sequenceOf(component) === newest);
  // Of two changes to one occurrence, the later one wins. Changes without their event are events of their own.
  const valid = changes.filter(
    (one, index) => !changes.slice(index + 1).some((later) => isSame(idOf(one), idOf(later))),
  );
  return [
    ...current.flatMap((component) => occurrences(component, valid, reading).toArray()),
    ...valid.map((component) => ({
      item: component,
      from: millisecondsOf(startOf(component)),
      until: endOf(component, startOf(component)),
    })),
  ];
}

const sequenceOf = (component: ICAL.Component): number =>
  Number(component.getFirstPropertyValue('sequence') ?? 0) || 0;

function* occurrences(
  component: ICAL.Component,
  changes: readonly ICAL.Component[],
  { window, budget }: Reading,
): Generator<Turn> {
  const event = new ICAL.Event(component, { exceptions: [] });
  const start = startOf(component);
  const turnAt = (at: ICAL.Time, item = component): Turn => ({
    item,
    from: millisecondsOf(at),
    until: endOf(item, at),
  });
  if (!event.isRecurring()) {
    yield turnAt(start);
    return;
  }
  const left = timesOf(component, 'exdate').concat(changes.map(idOf));
  const onward = changes
    .filter((one) => one.getFirstProperty('recurrence-id')?.getFirstParameter('range') === 'THISANDFUTURE')
    .toSorted((one, other) =>
      other.getFirstPropertyValue('recurrence-id') === null ? 0 : idOf(other).compare(idOf(one)),
    );
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    budget.left -= 1;
    if (budget.left < 0) throw new ScheduleError('has events that repeat too often');
    const at = next;
    const change = onward.find((one) => idOf(one).compare(at) <= 0);
    const moved = at.clone();
    if (change) moved.addDuration(startOf(change).subtractDate(idOf(change)));
    if (millisecondsOf(moved) >= window.to && !onward.length) return;
    if (millisecondsOf(at) >= window.to + longestMove) return;
    if (!left.some((one) => isSame(one, at))) yield turnAt(moved, change);
  }
}

/** In milliseconds. Occurrences are searched this far after the window, because an occurrence may have been moved back. */
const longestMove = 366 * 24 * 3_600_000;

/** Some programs write a whole day as a day in one place and as midnight in another. */
function isSame(one: ICAL.Time, other: ICAL.Time): boolean {
  if (one.isDate === other.isDate) return millisecondsOf(one) === millisecondsOf(other);
  if (Math.abs(millisecondsOf(one) - millisecondsOf(other)) > 2 * 24 * 3_600_000) return false;
  const [day, time] = one.isDate ? [one, other] : [other, one];
  const { zone } = day;
  const there = zone instanceof IanaZone ? new TZDate(millisecondsOf(time), zone.name) : undefined;
  const written = [time.year, time.month, time.day];
  const spelt =
    there && time.zone === ICAL.Timezone.utcTimezone
      ? [there.getFullYear(), there.getMonth() + 1, there.getDate()]
      : written;
  return [day.year, day.month, day.day].join() === spelt.join();
}

/** Returns the end of a turn that begins at `start`. The time of day is the same as for the first turn, even if clocks change. */
function endOf(component: ICAL.Component, start: ICAL.Time): number {
  const first = startOf(component);
  const end = start.clone();
  const duration: unknown = component.getFirstPropertyValue('duration');
  const [written] = timesOf(component, 'dtend');
  if (written) {
    if (written.zone.tzid !== first.zone.tzid)
      return millisecondsOf(start) + millisecondsOf(written) - millisecondsOf(first);
    end.addDuration(written.subtractDate(first));
    return millisecondsOf(end);
  }
  if (!(duration instanceof ICAL.Duration)) {
    if (component.hasProperty('duration')) throw new EventError('unreadable DURATION');
    if (start.isDate) end.addDuration(ICAL.Duration.fromSeconds(24 * 3600));
    return millisecondsOf(end);
  }
  // Days are calendar days; hours are elapsed hours.
  const { weeks, days, hours, minutes, seconds, isNegative } = duration;
  end.addDuration(new ICAL.Duration({ weeks, days, isNegative }));
  return millisecondsOf(end) + (isNegative ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}

function startOf(component: ICAL.Component): ICAL.Time {
  const [start] = timesOf(component, 'dtstart');
  if (!start) throw new EventError('it has no DTSTART');
  return start;
}

function idOf(component: ICAL.Component): ICAL.Time {
  const [id] = timesOf(component, 'recurrence-id');
  if (!id) throw new EventError('unreadable RECURRENCE-ID');
  return id;
}

const timesOf = (component: ICAL.Component, name: string): readonly ICAL.Time[] =>
  component
    .getAllProperties(name)
    .flatMap(valuesOf)
    .filter((value) => value instanceof ICAL.Time);

const millisecondsOf = (time: ICAL.Time): number => time.toUnixTime() * 1000;

const address = /[^\s<>()[\]",:;@]{1,64}@[^\s<>()[\]",:;@]{1,255}/u;
const addresses = new RegExp(address, 'gu');
/** Matches a whole address, not the quoted part of `"alice@example.com"@example.org`. */
const isAddress = new RegExp(`^${address.source}$`, 'u');

/**
 * Returns the attendees who have not declined. Without attendees, returns the only address in the title, or the title
 * itself. A title with several addresses means no one.
 */
function peopleOf(component: ICAL.Component): readonly Pick<Shift, 'names' | 'email'>[] {
  const attendees = component.getAllProperties('attendee');
  const emails = attendees
    .filter((one) => parameter(one, 'partstat') !== 'DECLINED' && parameter(one, 'cutype') === 'INDIVIDUAL')
    .map((one) => String(one.getFirstValue()).replace(/^mailto:/iu, ''));
  const title = (textOf(component, 'summary') ?? '').trim();
  const [inTitle = title, ...more] = title.match(addresses) ?? [];
  const named = attendees.length > 0 ? emails : [more.length === 0 ? inTitle : title];
  return named
    .map(nameOnSchedule)
    .filter((name) => name !== '' && name.length <= 320)
    .map((name) => ({ names: [name], email: isAddress.test(name) ? name : undefined }));
}

const parameter = (property: ICAL.Property, name: string): string =>
  (property.getFirstParameter(name) || 'INDIVIDUAL').toUpperCase();

function textOf(component: ICAL.Component, name: string): string | undefined {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
