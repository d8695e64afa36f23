import ICAL from 'ical.js';

import { ScheduleError, type Shift } from './shift.ts';
import { clipLine, orUndefined } from '../../../text/words.ts';

export interface ParsedCalendar {
  readonly events: readonly ICAL.Component[];
  /** Each event that could not be parsed, as a shift without people. */
  readonly broken: readonly Shift[];
  /** By TZID. */
  readonly definitions: ReadonlyMap<string, ICAL.Component>;
  readonly zone: string | undefined;
}

interface Part {
  readonly kind: string;
  readonly lines: string[];
}

interface Block {
  readonly header: string[];
  readonly parts: Part[];
}

/**
 * Parses each event and each time zone alone, so that an invalid one does not affect the others.
 * @throws ScheduleError
 */
export function parseCalendars(text: string): readonly ParsedCalendar[] {
  return blocksIn(text).map(({ header, parts }) => {
    const properties = ICAL.Component.fromString([...header, 'END:VCALENDAR'].join('\r\n'));
    const isCancelled = textOf(properties, 'method')?.toUpperCase() === 'CANCEL';
    const definitions = new Map<string, ICAL.Component>();
    const events: ICAL.Component[] = [];
    const broken: Shift[] = [];
    for (const part of parts) {
      const component = orUndefined(() => ICAL.Component.fromString(part.lines.join('\r\n')));
      if (component && part.kind === 'VTIMEZONE') definitions.set(textOf(component, 'tzid') ?? '', component);
      if (part.kind !== 'VEVENT') continue;
      if (component) {
        if (isCancelled) component.updatePropertyWithValue('status', 'CANCELLED');
        events.push(component);
      } else {
        broken.push(unreadable(lineOf(part, 'summary') ?? lineOf(part, 'uid'), 'unreadable'));
      }
    }
    return { events, broken, definitions, zone: textOf(properties, 'x-wr-timezone') };
  });
}

function lineOf({ lines }: Part, name: string): string | undefined {
  const line = lines.find((one) => /^[\w-]*/u.exec(one)?.[0].toLowerCase() === name);
  return line?.slice(line.indexOf(':') + 1);
}

/** The accepted forms of values. The library misreads some other forms without an error. */
const forms: readonly (readonly [names: RegExp, form: RegExp])[] = [
  // Not `20261128T090000+0100`, because the library drops the offset.
  [/^(?:dtstart|dtend|exdate|rdate|recurrence-id)\b/iu, /^[\dTZ.,]*$/iu],
  // Not `P1M`, because the library reads a month as a minute.
  [/^duration\b/iu, /^[+-]?P(?:\d+W)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/iu],
  [/^rrule\b/iu, /^(?!.*\bskip=)/iu],
];

function withoutMisread(line: string): string {
  const end = line.lastIndexOf(':');
  const form = forms.find(([names]) => names.test(line))?.[1] ?? /^/u;
  return form.test(line.slice(end + 1).trim()) ? line : `${line.slice(0, end)}:unreadable`;
}

/** Some programs write a day without VALUE=DATE. */
const unmarkedDays =
  /^((?:dtstart|dtend|exdate|rdate|recurrence-id)(?:;(?!value=)[^;:]+)*)(?=:\d{8}(?:,\d{8})*\s*$)/iu;

/** A file may have several calendars. @throws ScheduleError */
function blocksIn(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let block: Block | undefined;
  let part: Part | undefined;
  for (const line of text
    .replace(/^\uFEFF/u, '')
    .replaceAll(/\r?\n[ \t]/gu, '')
    .split(/\r?\n/u)) {
    const [, mark, name = ''] =
      /^(BEGIN|END):([\w-]+)\s*$/iu.exec(line)?.map((one) => one.toUpperCase()) ?? [];
    if (!block) {
      // Caches and proxies append remarks.
      if (line.trim() === '' || (blocks.length > 0 && mark !== 'BEGIN')) continue;
      if (mark !== 'BEGIN' || name !== 'VCALENDAR') throw notACalendar(text);
      block = { header: [line], parts: [] };
      blocks.push(block);
    } else if (mark === 'END' && name === 'VCALENDAR') {
      block = part = undefined;
    } else if (mark === 'BEGIN' && (!part || name === 'VEVENT')) {
      part = { kind: name, lines: [line] };
      block.parts.push(part);
    } else {
      (part?.lines ?? block.header).push(withoutMisread(line.replace(unmarkedDays, '$1;VALUE=DATE')));
      if (mark === 'END' && name === part?.kind) part = undefined;
    }
  }
  if (blocks.length === 0) throw notACalendar(text);
  if (block) throw new ScheduleError('answered with a calendar that is cut off');
  return blocks;
}

function notACalendar(text: string): ScheduleError {
  const start = clipLine(text.slice(0, 200), 40);
  const begin = start === '' ? '' : `: “${start}”`;
  return new ScheduleError(`answered with something other than a calendar${begin}`);
}

/** The shift names an event instead of a person. It is reported, and puts no one on call. */
export const unreadable = (title: string | undefined, why: string): Shift => ({
  names: [`event ${title === undefined ? 'without a title' : `“${title.slice(0, 100).trim()}”`} (${why})`],
});

/** The message follows the words “the event”. */
export class EventError extends Error {
  override readonly name = 'EventError';
}

/** @throws EventError */
export function valuesOf<T>(property: ICAL.Property, type: new (...given: never[]) => T): readonly T[] {
  const values = orUndefined((): readonly unknown[] => property.getValues()) ?? [undefined];
  return values.map((value) => {
    if (value instanceof type) return value;
    throw new EventError(`unreadable ${property.name.toUpperCase()}`);
  });
}

/** @throws EventError */
export const timesOf = (component: ICAL.Component, name: string): readonly ICAL.Time[] =>
  component.getAllProperties(name).flatMap((property) => valuesOf(property, ICAL.Time));

/** @throws EventError */
export function beginningOf(component: ICAL.Component): ICAL.Time {
  const [start] = timesOf(component, 'dtstart');
  if (!start) throw new EventError('it has no DTSTART');
  return start;
}

export const isException = (component: ICAL.Component): boolean => component.hasProperty('recurrence-id');

export const isCancelled = (component: ICAL.Component): boolean =>
  /^cancell?ed$/iu.test(textOf(component, 'status')?.trim() ?? '');

export function textOf(component: ICAL.Component, name: string): string | undefined {
  const value: unknown = component.getFirstPropertyValue(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
