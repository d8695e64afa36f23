import ICAL from 'ical.js';
import { TZDate } from '@date-fns/tz';

import type { Shift } from '../model/values/on-call.ts';

/** Parses a calendar without its unparseable events. Each of those is reported as a shift without people. */
export function parseCalendar(text: string): {
  readonly calendar: ICAL.Component;
  readonly broken: readonly Shift[];
} {
  try {
    return { calendar: ICAL.Component.fromString(text), broken: [] };
  } catch (error) {
    const { rest, events } = splitEvents(text);
    const whole = events.filter(isWhole);
    // If every event is readable, the error is in the calendar itself.
    if (whole.length === events.length) throw error;
    const others = events.filter((event) => !isWhole(event));
    const titles = others.map((event) => /^(?:SUMMARY|UID):(.{1,100})/imu.exec(event)?.[1]);
    const calendar = ICAL.Component.fromString(
      rest.replace(/^END:VCALENDAR/imu, `${whole.join('')}END:VCALENDAR`),
    );
    return { calendar, broken: titles.map((title) => unreadable(title, 'unreadable')) };
  }
}

function splitEvents(text: string): { readonly rest: string; readonly events: readonly string[] } {
  const rest: string[] = [];
  const events: string[][] = [];
  let isInside = false;
  for (const line of text.split(/\r?\n/u)) {
    const end = line.toUpperCase();
    if (end === 'BEGIN:VEVENT') {
      isInside = true;
      events.push([]);
    }
    (isInside ? events.at(-1) : rest)?.push(`${line}\r\n`);
    if (end === 'END:VEVENT') isInside = false;
  }
  return { rest: rest.join(''), events: events.map((lines) => lines.join('')) };
}

function isWhole(event: string): boolean {
  try {
    return ICAL.Component.fromString(event).name === 'vevent';
  } catch {
    return false;
  }
}

/** Returns an open-ended shift that names an event instead of a person, because the event puts no one on call. */
export const unreadable = (title: string | undefined, why: string): Shift => ({
  names: [`event ${title === undefined ? 'without a title' : `“${title.slice(0, 100).trim()}”`} (${why})`],
});

/** An event that can't be understood. The message follows the words “the event”. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

export interface Zones {
  readonly calendar: ICAL.Component;
  /** The IANA zone of whole days, and of times without a zone. */
  readonly own: string;
}

/** A zone from the machine's database, in the form that the library calculates with. */
export class IanaZone extends ICAL.Timezone {
  readonly name: string;

  constructor(name: string) {
    super({ tzid: name });
    this.name = name;
  }

  override utcOffset({ year, month, day, hour, minute, second }: ICAL.Time): number {
    const at = new TZDate(year, month - 1, day, hour, minute, second, this.name).getTime();
    return (Date.UTC(year, month - 1, day, hour, minute, second) - at) / 1000;
  }
}

const ianaZones = new Map<string, IanaZone | undefined>();

/** Finds an IANA name such as `Europe/Berlin`. Some programs prefix the name, as in `/example.org/20260101/Europe/Berlin`. */
function ianaZone(name: string): IanaZone | undefined {
  const parts = name.split('/').filter((part) => part !== '');
  const isPath = name.startsWith('/');
  const candidates = isPath ? [parts.slice(-3).join('/'), parts.slice(-2).join('/')] : [name];
  for (const candidate of candidates) {
    if (!ianaZones.has(candidate) && ianaZones.size < 1000)
      ianaZones.set(candidate, isKnown(candidate) ? new IanaZone(candidate) : undefined);
    const zone = ianaZones.get(candidate);
    if (zone) return zone;
  }
  return undefined;
}

const isKnown = (name: string): boolean => Number.isFinite(new TZDate(2026, 0, 1, name).getTime());

/** Gives each time of an event its zone. An IANA name wins over the calendar's own definition. @throws EventError */
export function setZones(component: ICAL.Component, zones: Zones): void {
  for (const name of ['dtstart', 'dtend', 'recurrence-id', 'exdate', 'rdate'])
    for (const property of component.getAllProperties(name)) setZone(property, zones);
}

function setZone(property: ICAL.Property, { calendar, own }: Zones): void {
  const tzid = property.getFirstParameter('tzid') || undefined;
  for (const time of valuesOf(property)) {
    if (!(time instanceof ICAL.Time) || time.zone === ICAL.Timezone.utcTimezone) continue;
    const name = time.isDate || tzid === undefined ? own : tzid;
    const zone = ianaZone(name) ?? definedZone(name, calendar, time);
    if (!zone) throw new EventError(`unknown time zone “${name.slice(0, 100)}”`);
    time.zone = zone;
  }
}

/** @throws EventError */
export function valuesOf(property: ICAL.Property): readonly unknown[] {
  try {
    return property.getValues();
  } catch (error) {
    throw new EventError(`unreadable ${property.name.toUpperCase()}`, { cause: error });
  }
}

/** Returns a zone that the calendar defines itself, if that definition covers the time. */
function definedZone(name: string, calendar: ICAL.Component, time: ICAL.Time): ICAL.Timezone | undefined {
  const definition = calendar
    .getAllSubcomponents('vtimezone')
    .find((each) => each.getFirstPropertyValue('tzid') === name);
  if (!definition) return undefined;
  const location: unknown = definition.getFirstPropertyValue('x-lic-location');
  const known = typeof location === 'string' ? ianaZone(location) : undefined;
  if (known) return known;
  const starts = definition.getAllSubcomponents().map((each) => each.getFirstPropertyValue('dtstart'));
  const isCovered = starts.some(
    (start) => start instanceof ICAL.Time && start.compareDateOnlyTz(time, ICAL.Timezone.utcTimezone) <= 0,
  );
  if (!isCovered) throw new EventError(`its time zone “${name.slice(0, 100)}” is not defined for that date`);
  return calendar.getTimeZoneByID(name) ?? undefined;
}
