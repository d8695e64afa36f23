import { abridged, guessOf, readDuration, readZone, refused, z } from '../../../bellhop/bellhop.ts';
import { TZDate } from '@date-fns/tz';
import { tzOffset } from '@date-fns/tz/tzOffset';
import { startOfDay } from 'date-fns/startOfDay';
import { subDays } from 'date-fns/subDays';
import type { Granularity } from '../client/metrics-range.ts';

/** In epoch milliseconds, in whole seconds. The range does not include `to`. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

interface TypedRange {
  /** In milliseconds. */
  readonly last?: number | undefined;
  readonly from?: TypedMoment | undefined;
  readonly to?: TypedMoment | undefined;
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];

/**
 * “Now” is the last full minute, because a partial minute would look like a drop. The default is the last hour.
 * @throws refused for a range that ends before it starts
 */
export function resolveRange({ last, from, to }: TypedRange, now: number, zone: string): TimeRange {
  const present = Math.floor(now / minuteMs) * minuteMs;
  const end = to ? wholeSeconds(resolveMoment(to, present, zone)) : present;
  const start = from ? wholeSeconds(resolveMoment(from, present, zone)) : end - (last ?? hourMs);
  if (start < end) return { from: start, to: end };
  const ends = to ? `--to ${to.typed}` : 'now';
  throw refused(`--from ${from?.typed ?? ''} is not before ${ends}. ${hintOn(start, end, to)}`);
}

function hintOn(start: number, end: number, to: TypedMoment | undefined): string {
  if (start === end) return 'A date means 00:00. To see a whole day, end with the next day.';
  return to ? 'Swap them.' : 'Choose a time in the past.';
}

const wholeSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000) * 1000;

export const rangeBefore = ({ from, to }: TimeRange): TimeRange => ({ from: from - (to - from), to: from });

/** Returns a time as `queryMetrics` takes it: date, time and numeric offset. */
export const interfaceTime = (milliseconds: number): string =>
  new Date(milliseconds).toISOString().replace(/\.\d{3}Z$/u, '+00:00');

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export interface TypedMoment {
  readonly typed: string;
  /** A number says how long ago the time is, in milliseconds. */
  readonly day: Day | 'today' | 'yesterday' | 'now' | number;
  /** Hours, minutes and seconds. Undefined means the start of the day. */
  readonly time: readonly [number, number, number] | undefined;
  readonly zone: string | undefined;
}

const form =
  /^(?:(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)|(?<word>today|yesterday|now))?(?:(?:^|[T ])(?<hours>\d\d?):(?<minutes>\d\d)(?::(?<seconds>\d\d)(?:[.,]\d{1,9})?)?)?(?:\s*(?<zone>Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)|\s+(?<place>[a-z][\w+/-]{1,60}))?$/iu;

const expected =
  'must be a date or time such as 2026-11-01, "2026-11-01 09:30", 09:30, today, yesterday or 2h';

/** Says why a text is wrong, and which words the person may have meant. The error offers those words. */
export class Misread {
  readonly message: string;
  readonly guess: ReturnType<typeof guessOf>;
  /** @param otherwise follows the message if there is no guess */
  constructor(message: string, guess: ReturnType<typeof guessOf>, otherwise = '') {
    this.message = guess.words.length > 0 ? message : message + otherwise;
    this.guess = guess;
  }
}

export function addMisread(context: z.RefinementCtx<string>, { message, guess }: Misread): never {
  context.addIssue({ code: 'custom', message, params: { guess } });
  return z.NEVER;
}

/** For `z.string().transform`: like `readAs`, but `read` itself returns what is wrong with the text. */
export const readOrExplain =
  <T extends object>(read: (text: string) => T | string | Misread) =>
  (text: string, context: z.RefinementCtx<string>): T => {
    const value = read(text);
    if (typeof value === 'string') return addMisread(context, new Misread(value, { typed: text, words: [] }));
    return value instanceof Misread ? addMisread(context, value) : value;
  };

export const typedMoment = z
  .string()
  .trim()
  .min(1, expected)
  .max(100, 'is too long: a time has at most 100 characters')
  .transform(readOrExplain(readMoment));

function readMoment(typed: string): TypedMoment | string | Misread {
  const ago = readDuration(typed);
  if (ago !== undefined) return { typed, day: ago, time: undefined, zone: undefined };
  const groups = typed.length > 100 ? undefined : form.exec(typed)?.groups;
  if (!groups) return `${expected}, not “${abridged(typed)}”`;
  const { year, month, day, hours, minutes, seconds } = groups;
  const date = { year: Number(year), month: Number(month), day: Number(day) };
  // JavaScript reads the years before 100 as those of the 20th century.
  if (date.year < 1900) return `must be 1900-01-01 or later, not “${typed}”`;
  if (year !== undefined && !exists(date)) return `${year}-${month}-${day} does not exist`;
  const time = [Number(hours), Number(minutes), Number(seconds ?? 0)] as const;
  const hasTime = hours !== undefined;
  if (hasTime && (time[0] > 23 || time[1] > 59 || time[2] > 59))
    return `${typed.slice(typed.indexOf(hours))} is not a time`;
  const word = wordOf(groups['word']);
  if (word === undefined && year === undefined && !hasTime) return `${expected}, not “${abridged(typed)}”`;
  if (word === 'now' && hasTime) return 'can be “now” or a time of day, not both';
  const zone = zoneOf(groups['zone'] ?? groups['place']);
  if (zone !== undefined && readZone(zone) === undefined) return zoneProblem(zone);
  return {
    typed,
    day: year === undefined ? (word ?? 'today') : date,
    time: hasTime ? time : undefined,
    zone,
  };
}

const exists = ({ year, month, day }: Day): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const words = z.enum(['today', 'yesterday', 'now']);
const wordOf = (typed: string | undefined) => words.safeParse(typed?.toLowerCase()).data;

/** Turns `Z`, `+01`, `+0100` and `Europe/Berlin` into the name of a zone. */
function zoneOf(typed: string | undefined): string | undefined {
  if (typed === undefined || /^(?:z|utc|gmt)$/iu.test(typed)) return typed && 'UTC';
  const offset = /^([+-]\d\d):?(\d\d)?$/u.exec(typed);
  return offset ? `${offset[1]}:${offset[2] ?? '00'}` : typed;
}

const zoneProblem = (name: string): Misread =>
  new Misread(
    `“${abridged(name)}” is not a time zone.`,
    guessOf(name, Intl.supportedValuesOf('timeZone')),
    ' Use a name such as Europe/Berlin, an offset such as +01:00, or Z.',
  );

/**
 * Returns a typed time in epoch milliseconds.
 * @param ownZone the reader's zone
 * @throws refused for a time that daylight saving skips
 */
function resolveMoment(moment: TypedMoment, now: number, ownZone: string): number {
  if (moment.day === 'now') return now;
  if (typeof moment.day === 'number') return now - moment.day;
  const zone = moment.zone ?? ownZone;
  const midnight = dayOf(moment.day, now, zone);
  if (!moment.time) return midnight.getTime();
  const [hours, minutes, seconds] = moment.time;
  const at = new TZDate(
    midnight.getFullYear(),
    midnight.getMonth(),
    midnight.getDate(),
    hours,
    minutes,
    seconds,
    zone,
  );
  if (at.getHours() === hours && at.getMinutes() === minutes) return at.getTime();
  throw refused(`“${moment.typed}” does not exist in ${zone}, where the clocks go forward then.`);
}

function dayOf(day: Exclude<TypedMoment['day'], 'now' | number>, now: number, zone: string): TZDate {
  if (typeof day === 'object') return new TZDate(day.year, day.month - 1, day.day, zone);
  const today = startOfDay(new TZDate(now, zone));
  return day === 'today' ? today : subDays(today, 1);
}

/** Returns the offset of a zone at a given time: `UTC`, `UTC+1`, `UTC−3:30`. */
function offsetText(at: number, zone: string): string {
  const minutes = tzOffset(zone, new Date(at));
  if (minutes === 0) return 'UTC';
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** Formats the times of a range in the reader's zone. Each function takes epoch milliseconds. */
export interface TimeText {
  /**
   * Returns `10:15`, or `21 Nov 10:15` if the range has several days. The year is added if needed. If every point is at
   * midnight, the label is only the day.
   */
  label(at: number): string;
  /** Returns the label with the offset: `10:15 UTC+1`. */
  moment(at: number): string;
  /** Returns a part of a sentence: `at 10:15 UTC+1`, `on 21 Nov UTC+1`. */
  when(at: number): string;
  full(at: number): string;
}

/** Larger integers are not dates and are shown as numbers. */
const latest = 8.64e15;

const known = (at: number): boolean => Math.abs(at) <= latest;

export function timeText({ from, to }: TimeRange, step: Granularity, zone: string): TimeText {
  const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const shortDate = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(to - from > 366 * dayMs && { year: 'numeric' }),
  });
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...([from, to].some((each) => each % minuteMs !== 0) && { second: '2-digit' }),
  });
  const firstDay = dateOf.format(from);
  const oneDay = firstDay === dateOf.format(to - 1);
  const onlyDays = step.milliseconds % dayMs === 0 && clock.format(from) === '00:00' && to - from > dayMs;
  // After the clocks change, an interval of 24 hours begins at 23:00 or 01:00. Its label is the day that contains most
  // of the interval.
  const isDay = (at: number): boolean =>
    onlyDays && (clock.format(at) === '00:00' || ((at - from) % dayMs === 0 && at + dayMs / 2 < to));
  const label = (at: number): string => {
    if (!known(at)) return String(at);
    if (oneDay && dateOf.format(at) === firstDay) return clock.format(at);
    return isDay(at) ? shortDate.format(at + dayMs / 2) : `${shortDate.format(at)} ${clock.format(at)}`;
  };
  const moment = (at: number): string => (known(at) ? `${label(at)} ${offsetText(at, zone)}` : label(at));
  return {
    label,
    moment,
    when: (at) => `${known(at) && isDay(at) ? 'on' : 'at'} ${moment(at)}`,
    full: (at) => `${dateOf.format(at)} ${clock.format(at)} ${offsetText(at, zone)}`,
  };
}

const units = [
  ['d', dayMs],
  ['h', hourMs],
  ['m', minuteMs],
  ['s', 1000],
] as const;

/** Returns a duration in whole seconds, like that of `--last` with spaces: `1d 12h`, `15m`. */
export function spanText(milliseconds: number): string {
  let left = milliseconds;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.length === 0 ? '0s' : parts.join(' ');
}
