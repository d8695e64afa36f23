import { tz } from '@date-fns/tz';
import { addMonths } from 'date-fns/addMonths';
import { z } from 'zod';

export const defaultGranularity = 'PT1M';

/** One query may ask for at most this many points. */
export const maxPoints = 1440;

/** A query with a speed metric may ask for at most this many points. */
export const maxSpeedPoints = 72;

const zonedTime = z.iso.datetime({ offset: true });

/**
 * Returns epoch milliseconds of an ISO 8601 time with `Z` or a numeric offset, with or without colon or fraction.
 * Undefined for other text, a time without a zone, and a day that does not exist.
 */
export const parseInstant = (text: string): number | undefined => {
  const withColon = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return zonedTime.safeParse(withColon).success ? Date.parse(withColon) : undefined;
};

/** The length of an interval: whole calendar months in UTC, plus milliseconds. At least one of the two is not 0. */
export interface Granularity {
  readonly months: number;
  readonly milliseconds: number;
}

const durationForm =
  /^P(?:(\d{1,6})Y)?(?:(\d{1,6})M)?(?:(\d{1,6})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,6})M)?)?$/;

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];

/** The average year of the calendar, which repeats every 400 years. */
const year = 365.2425 * day;
const month = year / 12;

const longest = 1000 * year;

export const meanLength = ({ months, milliseconds }: Granularity): number => months * month + milliseconds;

/**
 * Reads an ISO 8601 duration in years, months, days, hours and minutes. Undefined for other text, zero and more than a
 * thousand years. The service does not support weeks and seconds.
 */
export const parseGranularity = (duration: string): Granularity | undefined => {
  const match = durationForm.exec(duration);
  if (!match) return undefined;
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const granularity = {
    months: years * 12 + months,
    milliseconds: days * day + hours * hour + minutes * minute,
  };
  const length = meanLength(granularity);
  return length > 0 && length <= longest ? granularity : undefined;
};

export function isoDuration({ months, milliseconds }: Granularity): string {
  const days = milliseconds % day === 0 ? milliseconds / day : 0;
  const rest = milliseconds - days * day;
  const time = rest % hour === 0 ? `${rest / hour}H` : `${rest / minute}M`;
  return `P${months === 0 ? '' : `${months}M`}${days === 0 ? '' : `${days}D`}${rest === 0 ? '' : `T${time}`}`;
}

const utc = tz('UTC');

/** In epoch milliseconds. The interval of index 0 begins at `from`. */
export const intervalStart = (from: number, { months, milliseconds }: Granularity, index: number): number => {
  const start = months === 0 ? from : addMonths(from, months * index, { in: utc }).getTime();
  return start + milliseconds * index;
};

/** Takes a range in epoch milliseconds. A short last interval counts as one point. */
export const countPoints = (from: number, to: number, granularity: Granularity): number => {
  const points = Math.ceil((to - from) / meanLength(granularity));
  if (granularity.months === 0) return points;
  // The calendar differs from its average by less than two months, so the estimate is at most two too many.
  let exact = Math.max(0, points - 2);
  while (intervalStart(from, granularity, exact) < to) exact += 1;
  return exact;
};

/** Speed metrics accept only multiples of five minutes. */
export const speedStep = 5 * minute;

export const fitsSpeed = ({ milliseconds }: Granularity): boolean => milliseconds % speedStep === 0;
