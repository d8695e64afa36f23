import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { readCalendar } from '../../../../src/features/on-call/calendar/ical.ts';

/**
 * Calendars in the form in which calendar programs write them, with who is on call at some moments. An event that is
 * reported appears as “title: why”.
 */
export type Moments = Readonly<Record<string, readonly string[]>>;
type Case = readonly [what: string, file: string, writtenBy: string, moments: Moments];

export const bytesOf = (file: string): Buffer => readFileSync(new URL(`files/${file}`, import.meta.url));

/** In milliseconds. A machine under load may take longer than the limit. */
const patientMs = 60_000;

export function onCallAt(
  text: string,
  moment: string,
  timeZone?: string,
  forMs = patientMs,
): readonly string[] {
  const at = Date.parse(moment);
  return readCalendar(text, { from: at, to: at + 1 }, timeZone, forMs)
    .map(({ names: [name] }) =>
      name.replace('@example.com', '').replace(/^event “(.*?)” \((.*)\)$/u, '$1: $2'),
    )
    .toSorted();
}

export const read = (cases: readonly Case[], timeZone?: string): void => {
  it.each(cases)('%s (%s, %s)', (_what, file, _writtenBy, moments) => {
    const text = bytesOf(file).toString('utf8');
    const found = Object.keys(moments).map((moment) => [moment, onCallAt(text, moment, timeZone)]);
    expect(Object.fromEntries(found)).toEqual(moments);
  });
};

export const on = (...names: readonly string[]): Moments => ({ '2026-11-28T12:00:00Z': names });

export const roster = 'a roster tool';
