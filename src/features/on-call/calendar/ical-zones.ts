import ICAL from 'ical.js';
import { TZDate } from '@date-fns/tz';

import { orUndefined, readZone } from '../../../text/words.ts';
import { EventError, isException, beginningOf, textOf, timesOf, valuesOf } from './ical-events.ts';
import { lastOf, repeats, wallOf } from './ical-series.ts';

/** A zone by its offset in milliseconds. The library's own method reads an incomplete definition as UTC. */
const zoneOf = (tzid: string, offsetAt: (time: ICAL.Time) => number): ICAL.Timezone =>
  Object.assign(new ICAL.Timezone({ tzid }), { utcOffset: (time: ICAL.Time) => offsetAt(time) / 1000 });

const ianaZone = (name: string): ICAL.Timezone =>
  zoneOf(name, (time) => {
    const { year, month, day, hour, minute, second } = time;
    return wallOf(time) - new TZDate(year, month - 1, day, hour, minute, second, name).getTime();
  });

export interface Zones {
  readonly definitions: ReadonlyMap<string, ICAL.Component>;
  /** The zone of whole days, and of times without a zone. */
  readonly own: string;
  /** In epoch milliseconds. Later clock changes are not computed. */
  readonly until: number;
  readonly found: Map<string, ICAL.Timezone | EventError>;
}

// The library takes GMT for UTC, but Outlook writes it for London.
ICAL.TimezoneService.reset();
ICAL.TimezoneService.remove('GMT');

/**
 * Sets the zones of the events of one UID. A time without a zone is in the zone of the DTSTART next to it, and a change
 * to an occurrence is in the zone of its series.
 * @throws EventError
 */
export function setZones(group: readonly ICAL.Component[], zones: Zones): void {
  const series = group.find((one) => !isException(one));
  if (series) setZone(series, 'dtstart', zones);
  const beside = series && beginningOf(series).zone;
  for (const one of group) {
    if (one !== series) setZone(one, 'dtstart', zones, beside);
    const { zone } = beginningOf(one);
    for (const name of ['dtend', 'exdate', 'rdate']) setZone(one, name, zones, zone);
    setZone(one, 'recurrence-id', zones, beside ?? zone);
  }
}

function setZone(event: ICAL.Component, name: string, zones: Zones, beside?: ICAL.Timezone): void {
  for (const property of event.getAllProperties(name)) {
    const tzid = property.getFirstParameter('tzid') || undefined;
    for (const time of valuesOf(property, ICAL.Time)) {
      if (time.zone === ICAL.Timezone.utcTimezone) continue;
      if (time.isDate) time.zone = zoneNamed(zones.own, zones);
      else time.zone = tzid === undefined && beside ? beside : zoneNamed(tzid ?? zones.own, zones);
    }
  }
}

/** @throws EventError */
function zoneNamed(tzid: string, zones: Zones): ICAL.Timezone {
  let zone = zones.found.get(tzid);
  if (!zone) {
    const broken = new EventError(`its time zone ${quoted(tzid)} is incomplete or unreadable`);
    // Kept if reading the definition takes too long.
    zones.found.set(tzid, broken);
    zone = orUndefined(() => lookUp(tzid, zones)) ?? broken;
    zones.found.set(tzid, zone);
  }
  if (zone instanceof EventError) throw zone;
  return zone;
}

const quoted = (tzid: string): string => `“${tzid.slice(0, 100)}”`;

/**
 * A name of a place, such as `Europe/Berlin`, wins over the calendar's own definition, because definitions are often cut
 * short. The definition wins over other names, because Outlook writes `EST` for a zone with summer time.
 */
function lookUp(tzid: string, { definitions, until }: Zones): ICAL.Timezone | EventError {
  const definition = definitions.get(tzid);
  const place = placeOf(tzid) ?? placeOf((definition && textOf(definition, 'x-lic-location')) ?? '');
  if (place !== undefined) return ianaZone(place);
  if (!definition) return isName(tzid) ? ianaZone(tzid) : new EventError(`unknown time zone ${quoted(tzid)}`);
  const changes = changesIn(definition, until);
  return zoneOf(tzid, (time) => {
    const change = changes.findLast(({ wall }) => wall <= wallOf(time));
    if (change) return change.to;
    throw new EventError(`its time zone ${quoted(tzid)} is not defined for that date`);
  });
}

/** Some programs prefix the name, as in `/example.org/20260101/Europe/Berlin`. */
function placeOf(name: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '');
  const candidates = name.startsWith('/') ? [parts.slice(-3).join('/'), parts.slice(-2).join('/')] : [name];
  return candidates.find((each) => /^(?!etc\/|systemv\/).+\//iu.test(each) && isName(each));
}

/** Node also accepts three-letter names that IANA lacks and that mean several zones, such as `BST` for Dhaka. */
const shortNames = /^(?:CET|EET|EST|GMT|HST|MET|MST|PRC|ROC|ROK|UCT|UTC|WET)$/iu;

const isName = (name: string): boolean =>
  readZone(name) !== undefined && (name.length !== 3 || shortNames.test(name));

interface Change {
  /** From this time on the zone's own clock, in milliseconds, the offset `to` applies. */
  readonly wall: number;
  readonly from: number | undefined;
  readonly to: number;
}

/** @throws EventError if the definition lacks something */
function changesIn(definition: ICAL.Component, until: number): readonly Change[] {
  const observances = definition.getAllSubcomponents();
  if (observances.length === 0) throw new EventError('no offset');
  const onsets = observances
    .flatMap((observance) => onsetsOf(observance, until))
    .toSorted((one, other) => one.wall - other.wall);
  return onsets.map(({ wall, from, to }, index) => {
    const before = from ?? onsets[index - 1]?.to ?? to;
    // A time of day that the change skips is counted from before the change. Source: RFC 5545, 3.3.5.
    return { wall: wall + Math.max(0, to - before), from, to };
  });
}

/** The most clock changes that standard time, or daylight time, of one definition may have. Outlook begins in 1601. */
const maxChanges = 1000;

function onsetsOf(observance: ICAL.Component, until: number): readonly Change[] {
  const start = beginningOf(observance);
  const from = offsetOf(observance, 'tzoffsetfrom');
  const to = offsetOf(observance, 'tzoffsetto');
  if (to === undefined) throw new EventError('no TZOFFSETTO');
  const own = (time: ICAL.Time): number =>
    wallOf(time) + (time.zone === ICAL.Timezone.utcTimezone ? (from ?? to) : 0);
  const dates = timesOf(observance, 'rdate').map((date) =>
    date.isDate ? wallOf(date) + start.hour * 3_600_000 + start.minute * 60_000 : own(date),
  );
  const rules = observance.getAllProperties('rrule').flatMap((property) => valuesOf(property, ICAL.Recur));
  const repeated = rules.flatMap((rule) => {
    const end = rule.until ? own(lastOf(rule.until, start)) : Infinity;
    const near = { from: -Infinity, to: Math.min(until, end) };
    return repeats(rule, start, near, { left: maxChanges }).map(wallOf).toArray();
  });
  return [wallOf(start), ...dates, ...repeated].map((wall) => ({ wall, from, to }));
}

/** In milliseconds. The library ignores the seconds of an offset, and misreads an offset without a sign. */
function offsetOf(observance: ICAL.Component, name: string): number | undefined {
  const written = observance.getFirstProperty(name)?.toICALString();
  if (written === undefined) return undefined;
  const [, sign, hours, minutes, seconds = 0] = /:([+-])(\d\d)(\d\d)(\d\d)?\s*$/u.exec(written) ?? [];
  if (sign === undefined) throw new EventError('unreadable offset');
  return (sign === '-' ? -1000 : 1000) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
}
