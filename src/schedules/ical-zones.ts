import { TZDate } from '@date-fns/tz';
import ICAL from 'ical.js';

/** An event that cannot be understood; the message is said of it. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

export interface Zones {
  readonly calendar: ICAL.Component;
  /** IANA zone of whole days, and of times without one. */
  readonly own: string;
}

/** A zone as the machine knows it, for the library to calculate with. */
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

/** `Europe/Berlin`, also where a program puts something before it, as in `/example.org/20260101/Europe/Berlin`. */
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

/** Gives each time of an event its zone: by the IANA name where it has one, whatever the calendar says of that. @throws EventError */
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
    if (!zone) throw new EventError(`its time zone “${name.slice(0, 100)}” is not known`);
    time.zone = zone;
  }
}

function valuesOf(property: ICAL.Property): readonly unknown[] {
  try {
    return property.getValues();
  } catch (error) {
    throw new EventError(`its ${property.name.toUpperCase()} cannot be read`, { cause: error });
  }
}

/** What the calendar defines under a name of its own, for as far back as it does. */
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
  if (!isCovered) throw new EventError(`its time zone “${name.slice(0, 100)}” begins after it`);
  return calendar.getTimeZoneByID(name) ?? undefined;
}
