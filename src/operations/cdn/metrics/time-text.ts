import type { Granularity } from '../../../service/schemas/cdn/metrics-range.ts';
import { type TimeRange, offsetText } from './time-range.ts';

/** Formats the times of a range in the reader's zone. All take epoch milliseconds. */
export interface TimeText {
  /** `10:15`; with the day if the range has several: `21 Nov 10:15`; with the year if needed; only the day if every point is midnight. */
  label(at: number): string;
  /** The same with the offset: `10:15 UTC+1`. */
  moment(at: number): string;
  /** In a sentence: `at 10:15 UTC+1`, `on 21 Nov UTC+1`. */
  when(at: number): string;
  /** In full: `2026-11-21 10:15 UTC+1`. */
  full(at: number): string;
}

const day = 86_400_000;

/** Larger integers are not dates and are shown as numbers. */
const latest = 8.64e15;

const known = (at: number): boolean => Math.abs(at) <= latest;

export function timeText({ from, to }: TimeRange, step: Granularity, zone: string): TimeText {
  const dateOf = new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' });
  const shortDate = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    day: 'numeric',
    month: 'short',
    ...(to - from > 366 * day && { year: 'numeric' }),
  });
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    ...([from, to].some((each) => each % 60_000 !== 0) && { second: '2-digit' }),
  });
  const firstDay = dateOf.format(from);
  const oneDay = firstDay === dateOf.format(to - 1);
  const onlyDays = step.milliseconds % day === 0 && clock.format(from) === '00:00' && to - from > day;
  const isDay = (at: number): boolean => onlyDays && clock.format(at) === '00:00';
  const label = (at: number): string => {
    if (!known(at)) return String(at);
    if (oneDay && dateOf.format(at) === firstDay) return clock.format(at);
    return isDay(at) ? shortDate.format(at) : `${shortDate.format(at)} ${clock.format(at)}`;
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
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const;

/** A duration like that of `--last`, with spaces: `1d 12h`, `15m`. Whole seconds. */
export function spanText(milliseconds: number): string {
  let left = milliseconds;
  const parts = units.flatMap(([unit, length]) => {
    const count = Math.floor(left / length);
    left -= count * length;
    return count === 0 ? [] : [`${count}${unit}`];
  });
  return parts.length === 0 ? '0s' : parts.join(' ');
}
