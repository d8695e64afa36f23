import ICAL from 'ical.js';

import type { Shift } from './shift.ts';

/** The calendar without events that the library cannot parse, of each of which a shift of nobody tells. */
export function parseCalendar(text: string): {
  readonly calendar: ICAL.Component;
  readonly broken: readonly Shift[];
} {
  try {
    return { calendar: ICAL.Component.fromString(text), broken: [] };
  } catch (error) {
    const { rest, events } = splitEvents(text);
    const whole = events.filter(isWhole);
    // Where no event is at fault, the calendar is.
    if (whole.length === events.length) throw error;
    const others = events.filter((event) => !isWhole(event));
    const titles = others.map(
      (event) => /^(?:SUMMARY|UID):(.{1,100})/imu.exec(event)?.[1] ?? 'without a title',
    );
    const calendar = ICAL.Component.fromString(
      rest.replace(/^END:VCALENDAR/imu, `${whole.join('')}END:VCALENDAR`),
    );
    return { calendar, broken: titles.map((title) => unreadable(title, 'it cannot be read')) };
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

/** An event that puts nobody on call: a shift of nobody, open at both ends, that names it. */
export const unreadable = (title: string, why: string): Shift => ({
  names: [`event “${title.slice(0, 100).trim()}” (${why})`],
});
