import ICAL from 'ical.js';

import type { Window } from './shift.ts';
import { EventError, isCancelled, beginningOf, timesOf, valuesOf } from './ical-events.ts';

export interface ShiftTurn {
  readonly item: ICAL.Component;
  readonly from: number;
  readonly until: number;
  /** If set, the event is reported and puts no one on call. */
  readonly problem?: string;
}

/** For all series together. */
export interface Budget {
  left: number;
}

/** For one series. */
const maxRepeats = 10_000;
export const dayMs = 24 * 3_600_000;
/** In milliseconds. A time that was read in the wrong zone is off by at most this. */
const farthestMs = 14 * 3_600_000;

const millisecondsOf = (time: ICAL.Time): number => time.toUnixTime() * 1000;

/** The date and time of day as milliseconds, as if they were in UTC. */
export const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time): number =>
  Date.UTC(year, month - 1, day, hour, minute, second);

/**
 * Each change has a RECURRENCE-ID, and replaces the occurrence with that time. An EXDATE or RECURRENCE-ID in the window that matches no
 * occurrence is reported, because someone may be on call by mistake.
 * @throws EventError
 */
export function turnsNear(
  component: ICAL.Component,
  changes: readonly ICAL.Component[],
  window: Window,
  budget: Budget,
): readonly ShiftTurn[] {
  const onward = changes
    .filter((one) => rangeOf(one, component) === 'THISANDFUTURE')
    .toSorted((one, other) => idOf(other).compare(idOf(one)));
  const moves = onward.map((one) => Math.abs(wallOf(beginningOf(one)) - wallOf(idOf(one))));
  const margin = Math.max(...[component, ...onward].map(lengthOf)) + Math.max(0, ...moves) + 2 * dayMs;
  const near = { from: window.from - margin, to: window.to + margin };
  const starts = startsNear(component, near, budget).toArray();
  // Some programs write the local time of the series with a Z after it.
  const left = timesOf(component, 'exdate')
    .concat(changes.map(idOf))
    .map((id) => {
      const same = starts.filter((at) => isSameTime(id, at));
      return { id, named: same.length > 0 ? same : starts.filter((at) => wallOf(id) === wallOf(at)) };
    });
  const replaced = new Set(left.flatMap(({ named }) => named));
  const turns = starts
    .filter((at) => !replaced.has(at))
    .map((at) => {
      const change = onward.find((one) => idOf(one).compare(at) <= 0);
      const moved = at.clone();
      if (change) moved.addDuration(beginningOf(change).subtractDate(idOf(change)));
      return turnOf(change ?? component, moved);
    });
  const current = [...turns, ...changes.map((one) => turnOf(one, beginningOf(one)))].filter(
    ({ item, from, until }) => !isCancelled(item) && from < window.to && until > window.from,
  );
  const lost = left.find(
    ({ id, named }) => named.length === 0 && current.some((turn) => isAbout(id, turn)),
  )?.id;
  if (!lost) return turns;
  const problem = `no occurrence at ${lost.toString()}, which an EXDATE or RECURRENCE-ID names`;
  return [...turns, { item: component, from: window.from, until: window.to, problem }];
}

/** Whether a time is in a turn, or could be after reading it in the wrong zone. */
function isAbout(id: ICAL.Time, { from, until }: ShiftTurn): boolean {
  const at = millisecondsOf(id);
  return from - farthestMs < at && at < Math.max(until, from + farthestMs);
}

/** Whether the DTSTART has no zone. Some programs write its EXDATE with the same digits and a Z. */
const isLocal = (component: ICAL.Component): boolean =>
  !component.getFirstProperty('dtstart')?.getFirstParameter('tzid') &&
  beginningOf(component).zone !== ICAL.Timezone.utcTimezone;

export const turnOf = (item: ICAL.Component, at: ICAL.Time): ShiftTurn => ({
  item,
  from: millisecondsOf(at),
  until: endOf(item, at),
});

const lengthOf = (component: ICAL.Component): number =>
  Math.abs(endOf(component, beginningOf(component)) - millisecondsOf(beginningOf(component)));

function* startsNear(component: ICAL.Component, near: Window, budget: Budget): Generator<ICAL.Time> {
  const start = beginningOf(component);
  const rules = component.getAllProperties('rrule').flatMap((property) => valuesOf(property, ICAL.Recur));
  if (component.hasProperty('exrule')) throw new EventError('it has an EXRULE, which Bellhop does not read');
  // Calendar programs show the start as an occurrence, even if the rule does not include it.
  yield start;
  yield* timesOf(component, 'rdate');
  for (const rule of rules) {
    const until = rule.until ? millisecondsOf(lastOf(rule.until, start)) : Infinity;
    if (until < near.from) continue;
    for (const at of repeats(rule, start, near, budget)) {
      at.zone = start.zone;
      if (millisecondsOf(at) <= until) yield at;
    }
  }
}

/** In the zone of the start. If UNTIL is a day, the whole day is included. */
export function lastOf(written: ICAL.Time, { isDate, zone }: ICAL.Time): ICAL.Time {
  const until = written.clone();
  if (until.zone !== ICAL.Timezone.utcTimezone) until.zone = zone;
  if (!until.isDate || isDate) return until;
  until.isDate = false;
  until.adjust(0, 23, 59, 59);
  return until;
}

/**
 * Ignores UNTIL, which the caller checks. Calculates without zones, because rules are about the time of day.
 * @throws EventError
 */
export function* repeats(
  written: ICAL.Recur,
  first: ICAL.Time,
  near: Window,
  budget: Budget,
): Generator<ICAL.Time> {
  const misread = misreadIn(written);
  if (misread) throw new EventError(`its RRULE has ${misread}, which Bellhop does not read`);
  const rule = written.clone();
  rule.until = null;
  const start = first.clone();
  start.zone = ICAL.Timezone.localTimezone;
  skipAhead(rule, start, near.from);
  const iterator = rule.iterator(start);
  const least = budget.left - maxRepeats;
  for (let next = iterator.next(); next && wallOf(next) <= near.to; next = iterator.next()) {
    budget.left -= 1;
    if (budget.left < Math.max(0, least)) throw new EventError('it repeats too often');
    if (wallOf(next) >= near.from) yield next.clone();
  }
}

/** The library would misread this part of the rule. */
function misreadIn({ freq, interval, parts }: ICAL.Recur): string | undefined {
  const { BYDAY: days = [], BYMONTH: months = [] } = parts;
  const isMonthly = freq === 'MONTHLY';
  const isOfMonths = isMonthly || freq === 'YEARLY';
  const selects = days.length > 0 && !parts.BYMONTHDAY && (isMonthly || months.length === 1) && isOfMonths;
  if (parts.BYSETPOS && !selects) return `a BYSETPOS with ${freq}`;
  if (parts.BYWEEKNO) return 'a BYWEEKNO';
  if (!isOfMonths && days.some((day) => /\d/u.test(day))) return `a numbered BYDAY with ${freq}`;
  return isMonthly && interval > 1 && months.length > 0 ? 'an INTERVAL and a BYMONTH' : undefined;
}

/**
 * Moves the start near the window, by whole steps of the rule. Skips rules that depend on their start, such as those
 * with COUNT, and monthly and yearly rules, which have few occurrences.
 */
function skipAhead({ freq, interval, count, parts }: ICAL.Recur, start: ICAL.Time, from: number): void {
  const isSimple = !count && Object.keys(parts).every((part) => part === 'BYDAY');
  if (!isSimple || freq === 'MONTHLY' || freq === 'YEARLY') return;
  const days = interval * (freq === 'WEEKLY' ? 7 : 1);
  const steps = Math.floor((from - wallOf(start)) / dayMs / days) - 1;
  if (steps > 0) start.adjust(steps * days, 0, 0, 0);
}

/** @throws EventError */
export function idOf(component: ICAL.Component): ICAL.Time {
  const [id] = timesOf(component, 'recurrence-id');
  if (!id) throw new EventError('unreadable RECURRENCE-ID');
  return id;
}

function rangeOf(change: ICAL.Component, series: ICAL.Component): string | undefined {
  const range = change.getFirstProperty('recurrence-id')?.getFirstParameter('range')?.toUpperCase();
  if (range !== undefined && range !== 'THISANDFUTURE') throw new EventError('unreadable RANGE');
  if (range !== undefined && isLocal(series) && idOf(change).zone === ICAL.Timezone.utcTimezone)
    throw new EventError('its RECURRENCE-ID is in UTC, but its DTSTART has no time zone');
  return range;
}

/** Some programs write a whole day as a day in one place and as midnight in another. */
export function isSameTime(one: ICAL.Time, other: ICAL.Time): boolean {
  if (one.isDate === other.isDate) return millisecondsOf(one) === millisecondsOf(other);
  const [day, time] = one.isDate ? [one, other] : [other, one];
  // Midnight in UTC is a day that was written as a time.
  if (time.zone !== ICAL.Timezone.utcTimezone || wallOf(time) % dayMs === 0)
    return [day.year, day.month, day.day].join() === [time.year, time.month, time.day].join();
  const end = day.clone();
  end.adjust(1, 0, 0, 0);
  return millisecondsOf(day) <= millisecondsOf(time) && millisecondsOf(time) < millisecondsOf(end);
}

/** The time of day is the same as for the first turn, even if clocks change. */
function endOf(component: ICAL.Component, start: ICAL.Time): number {
  const first = beginningOf(component);
  const end = start.clone();
  const duration: unknown = component.getFirstPropertyValue('duration');
  const [written] = timesOf(component, 'dtend');
  if (written) {
    if (written.zone.tzid !== first.zone.tzid || written.isDate !== first.isDate)
      return millisecondsOf(start) + millisecondsOf(written) - millisecondsOf(first);
    end.addDuration(written.subtractDate(first));
    // Some programs write the last day instead of the day after it.
    if (first.isDate && wallOf(written) === wallOf(first)) end.adjust(1, 0, 0, 0);
    return millisecondsOf(end);
  }
  if (!(duration instanceof ICAL.Duration)) {
    if (component.hasProperty('duration')) throw new EventError('unreadable DURATION');
    if (start.isDate) end.adjust(1, 0, 0, 0);
    return millisecondsOf(end);
  }
  // Days are calendar days. Hours are elapsed hours.
  const { weeks, days, hours, minutes, seconds, isNegative } = duration;
  end.addDuration(new ICAL.Duration({ weeks, days, isNegative }));
  return millisecondsOf(end) + (isNegative ? -1000 : 1000) * (hours * 3600 + minutes * 60 + seconds);
}
