import { createContext, Script } from 'node:vm';

import type ICAL from 'ical.js';

import { ScheduleError, type Shift, type Window } from './shift.ts';
import { nameOnSchedule, orUndefined } from '../../../text/words.ts';
import {
  EventError,
  isCancelled,
  isException,
  parseCalendars,
  beginningOf,
  textOf,
  timesOf,
  unreadable,
} from './ical-events.ts';
import { type Budget, type ShiftTurn, dayMs, idOf, isSameTime, turnOf, turnsNear } from './ical-series.ts';
import { type Zones, setZones } from './ical-zones.ts';

const maxEvents = 5000;
/** For all repeating events together. */
const maxOccurrences = 100_000;
const maxShifts = 200;
/** In milliseconds, for the events of one UID. Stops the library's search for a day that never comes, such as 30 February. */
const readForMs = 1000;
/** In milliseconds after the window. */
const followedMs = 3660 * dayMs;

/**
 * Each event is a shift of its attendees or, without attendees, of the person in its title. Whole days, and times without a zone, are in
 * `timeZone`. The default is the calendar's own zone, or UTC. An invalid event puts no one on call and is reported.
 * @throws ScheduleError if the text is not a calendar, or has too many events
 */
export function readCalendar(
  text: string,
  window: Window,
  timeZone?: string,
  forMs = readForMs,
): readonly Shift[] {
  try {
    return allShifts(text, window, timeZone, forMs);
  } catch (error) {
    if (error instanceof ScheduleError) throw error;
    throw new ScheduleError('answered with an unreadable calendar', { cause: error });
  }
}

function allShifts(
  text: string,
  window: Window,
  timeZone: string | undefined,
  forMs: number,
): readonly Shift[] {
  const calendars = parseCalendars(text);
  const shifts: Shift[] = calendars.flatMap(({ broken }) => broken);
  const events = calendars.flatMap((calendar) => {
    const own = timeZone ?? calendar.zone ?? 'UTC';
    const zones = { definitions: calendar.definitions, own, until: window.to + followedMs, found: new Map() };
    return calendar.events.map((event) => ({ event, zones }));
  });
  if (events.length > maxEvents) throw new ScheduleError(`has more than ${maxEvents} events`);
  const budget = { left: maxOccurrences, forMs };
  for (const group of Map.groupBy(events, ({ event }) => textOf(event, 'uid') ?? event).values()) {
    shifts.push(...shiftsOf(group, window, budget));
    if (shifts.length > maxShifts) throw new ScheduleError(`puts more than ${maxShifts} people on call`);
  }
  return shifts;
}

interface Read {
  readonly event: ICAL.Component;
  readonly zones: Zones;
}

const context: { read: () => void } = { read: () => undefined };
const sandbox = createContext(context);
const script = new Script('read()');

/** For the events of one UID. An event that can't be understood is a shift without people. */
function shiftsOf(
  group: readonly Read[],
  window: Window,
  budget: Budget & { readonly forMs: number },
): readonly Shift[] {
  let found: readonly Shift[] = [];
  context.read = () => {
    for (const [zones, members] of Map.groupBy(group, (one) => one.zones))
      setZones(
        members.map(({ event }) => event),
        zones,
      );
    const events = group.map(({ event }) => event);
    const shifts = turnsOf(events, window, budget).flatMap((turn) => shiftsIn(turn, window));
    found = [...new Map(shifts.map((one) => [[one.names[0], one.from, one.until].join(), one])).values()];
    const turns = new Set(found.map(({ from }) => from));
    if (turns.size > maxShifts) throw new EventError('it repeats too often');
  };
  try {
    script.runInContext(sandbox, { timeout: budget.forMs });
    return found;
  } catch (error) {
    return [reported(group[0]?.event, error instanceof EventError ? error.message : 'unreadable')];
  }
}

const reported = (event: ICAL.Component | undefined, why: string): Shift =>
  unreadable(event && (textOf(event, 'summary') ?? textOf(event, 'uid')), why);

/** A shift that ends before it begins is reported for the day after its beginning. */
function shiftsIn({ item, from, until, problem }: ShiftTurn, window: Window): readonly Shift[] {
  if (problem !== undefined) return [reported(item, problem)];
  if (until <= from) {
    const isNear = Math.min(from, until) < window.to && from + dayMs > window.from;
    return isNear ? [reported(item, 'it ends before it begins')] : [];
  }
  if (from >= window.to || until <= window.from) return [];
  return peopleOf(item).map(({ names, email }) => ({ names, email, from, until }));
}

/** For one UID: an event, and its occurrences that were moved or reassigned. */
function turnsOf(group: readonly ICAL.Component[], window: Window, budget: Budget): readonly ShiftTurn[] {
  // The newer of two versions wins. If both are equally new, a cancelled one wins.
  const sorted = group.toSorted(
    (one, other) =>
      sequenceOf(one) - sequenceOf(other) ||
      stampOf(one) - stampOf(other) ||
      Number(isCancelled(one)) - Number(isCancelled(other)),
  );
  const changes = sorted.filter(isException);
  const events = sorted.filter((component) => !isException(component));
  const newest = events.at(-1);
  if (newest && isCancelled(newest)) return [];
  const current = events.filter((one) => newest && sequenceOf(one) === sequenceOf(newest));
  // Changes without their event are treated as events.
  const valid = changes.filter(
    (one, index) => !changes.slice(index + 1).some((later) => isSameTime(idOf(one), idOf(later))),
  );
  return [
    ...current.flatMap((component) => turnsNear(component, valid, window, budget)),
    ...valid.map((component) => turnOf(component, beginningOf(component))),
  ].filter(({ item }) => !isCancelled(item));
}

const sequenceOf = (component: ICAL.Component): number =>
  Number(component.getFirstPropertyValue('sequence') ?? 0) || 0;

const stampOf = (component: ICAL.Component): number =>
  orUndefined(() => timesOf(component, 'dtstamp')[0]?.toUnixTime()) ?? 0;

const address = /[^\s<>()[\]",:;@]{1,64}@[^\s<>()[\]",:;@]{1,255}/u;
const addresses = new RegExp(address, 'gu');
/** Matches a whole address, not the quoted part of `"alice@example.com"@example.org`. */
const isAddress = new RegExp(`^${address.source}$`, 'u');

/** Any other kind of attendee may be a person. */
const things: ReadonlySet<string> = new Set(['GROUP', 'RESOURCE', 'ROOM']);

/** Without attendees, returns the only address in the title, or the title itself. A title with several addresses names no one. */
function peopleOf(component: ICAL.Component): readonly Pick<Shift, 'names' | 'email'>[] {
  const attendees = component.getAllProperties('attendee');
  const emails = attendees
    .filter(
      (one) =>
        !things.has(parameter(one, 'cutype')) &&
        !['DECLINED', 'DELEGATED'].includes(parameter(one, 'partstat')) &&
        parameter(one, 'role') !== 'NON-PARTICIPANT',
    )
    .map(addressOf);
  const title = (textOf(component, 'summary') ?? '').trim();
  const [inTitle = title, ...more] = title.match(addresses) ?? [];
  const named = attendees.length > 0 ? emails : [more.length === 0 ? inTitle : title];
  return named
    .map(nameOnSchedule)
    .filter((name) => name !== '' && name.length <= 320)
    .map((name) => ({ names: [name], email: isAddress.test(name) ? name : undefined }));
}

/** Apple and Nextcloud write an internal address such as `/…/principal/`, and the e-mail address next to it. */
function addressOf(attendee: ICAL.Property): string {
  const written = String(attendee.getFirstValue())
    .replace(/^mailto:/iu, '')
    .trim();
  const email = attendee.getFirstParameter('email');
  return isAddress.test(written) || !email ? written : email.replace(/^mailto:/iu, '');
}

const parameter = (property: ICAL.Property, name: string): string =>
  (property.getFirstParameter(name) || '').toUpperCase();
