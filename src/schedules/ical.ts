import { runInNewContext } from 'node:vm';

import { TZDate } from '@date-fns/tz';
import ICAL from 'ical.js';
import { z } from 'zod';

import { nameOnSchedule } from '../core/model/on-call.ts';
import { ScheduleError, type Shift, type Window } from './shift.ts';

/** A calendar of people on call holds fewer. */
const mostEvents = 5000;
/** Looked at in all, over all events that repeat. */
const mostOccurrences = 20_000;
const mostShifts = 200;
/** Nothing else of this process runs while a calendar is read. In milliseconds. */
const readForMs = 1000;

/**
 * Whoever an iCalendar puts on call in the window: each event is a shift of its attendees, or where it has none, of whom its
 * title names. Whole days, and times without a zone, are in `timeZone`; left out, in the calendar's own or UTC.
 * @throws ScheduleError for what is no calendar, or repeats too often to be looked through
 */
export function readCalendar(text: string, window: Window, timeZone?: string): readonly Shift[] {
  let found: readonly Shift[] = [];
  const read = (): void => {
    found = shiftsIn(text, window, timeZone);
  };
  try {
    // A rule for a day that never comes keeps the library searching for millennia: only this stops it.
    runInNewContext('read()', { read }, { timeout: readForMs });
    return found;
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    throw new ScheduleError('answered with something that cannot be read as a calendar', { cause: error });
  }
}

function shiftsIn(text: string, window: Window, timeZone: string | undefined): readonly Shift[] {
  const calendar = ICAL.Component.fromString(text);
  if (calendar.name !== 'vcalendar') throw new ScheduleError('answered with something that is no calendar');
  const components = calendar.getAllSubcomponents('vevent');
  if (components.length > mostEvents) throw new ScheduleError(`has more than ${mostEvents} events`);
  const zone = timeZone ?? textOf(calendar, 'x-wr-timezone') ?? 'UTC';
  const budget = { left: mostOccurrences };
  const shifts: Shift[] = [];
  for (const { event, changed } of eventsIn(components)) {
    const turns = [...occurrences(event, window, zone, budget), ...changed.map((one) => turnOf(one, zone))];
    for (const { item, from, until } of turns) {
      if (from >= window.to || until <= window.from || textOf(item.component, 'status') === 'CANCELLED')
        continue;
      for (const person of peopleOf(item)) shifts.push({ ...person, from, until });
      if (shifts.length > mostShifts) throw new ScheduleError(`puts more than ${mostShifts} people on call`);
    }
  }
  return shifts;
}

interface CalendarEvent {
  readonly event: ICAL.Event;
  /** Occurrences that were moved or given to somebody else. */
  readonly changed: readonly ICAL.Event[];
}

const isChange = (component: ICAL.Component): boolean => component.hasProperty('recurrence-id');

/** Events with what was changed of them. What was changed of an event that is not there stands for itself. */
function eventsIn(components: readonly ICAL.Component[]): readonly CalendarEvent[] {
  const groups = Map.groupBy(components, (component) => textOf(component, 'uid') ?? component);
  return [...groups.values()].flatMap((group) => {
    const changes = group.filter(isChange).map((component) => new ICAL.Event(component, { exceptions: [] }));
    const events = group.filter((component) => !isChange(component));
    if (events.length === 0) return changes.map((event) => ({ event, changed: [] }));
    return events.map((component) => ({
      event: new ICAL.Event(component, { exceptions: changes }),
      changed: changes,
    }));
  });
}

interface Turn {
  readonly item: ICAL.Event;
  readonly from: number;
  readonly until: number;
}

/** The library's own types of this are not to be found. */
const occurrence = z.object({
  item: z.instanceof(ICAL.Event),
  startDate: z.instanceof(ICAL.Time),
  endDate: z.instanceof(ICAL.Time),
});

function* occurrences(
  event: ICAL.Event,
  window: Window,
  zone: string,
  budget: { left: number },
): Generator<Turn> {
  if (!event.isRecurring()) {
    yield turnOf(event, zone);
    return;
  }
  const iterator = event.iterator();
  for (let next = iterator.next(); next; next = iterator.next()) {
    budget.left -= 1;
    if (budget.left < 0) throw new ScheduleError('repeats too often to be looked through');
    if (momentOf(next, event, zone) >= window.to) return;
    const { item, startDate, endDate } = occurrence.parse(event.getOccurrenceDetails(next));
    yield { item, from: momentOf(startDate, item, zone), until: momentOf(endDate, item, zone) };
  }
}

const turnOf = (item: ICAL.Event, zone: string): Turn => ({
  item,
  from: momentOf(item.startDate, item, zone),
  until: momentOf(item.endDate, item, zone),
});

/** Epoch milliseconds. @throws ScheduleError for a zone that nobody knows */
function momentOf(time: ICAL.Time, { component }: ICAL.Event, fallback: string): number {
  if (!time.isDate && time.zone !== ICAL.Timezone.localTimezone) return time.toUnixTime() * 1000;
  const named = component.getFirstProperty('dtstart')?.getFirstParameter('tzid');
  const { year, month, day, hour, minute, second } = time;
  const moment = new TZDate(year, month - 1, day, hour, minute, second, named || fallback).getTime();
  if (!Number.isFinite(moment)) throw new ScheduleError('names a time zone that is not known');
  return moment;
}

const address = /[^\s<>()[\]",:;@]{1,64}@[^\s<>()[\]",:;@]{1,255}/u;
const addresses = new RegExp(address, 'gu');
/** Nothing before or after it: of `"alice@example.com"@example.org` no part is anybody's. */
const isAddress = new RegExp(`^${address.source}$`, 'u');

/** Attendees who have not declined; else the one address in the title, or the title itself: of several, nobody is chosen. */
function peopleOf({ component, summary }: ICAL.Event): readonly Pick<Shift, 'names' | 'email'>[] {
  const attendees = component.getAllProperties('attendee');
  const emails = attendees
    .filter((one) => parameter(one, 'partstat') !== 'DECLINED' && parameter(one, 'cutype') === 'INDIVIDUAL')
    .map((one) => String(one.getFirstValue()).replace(/^mailto:/iu, ''));
  const title = (summary || '').trim();
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
