import { z } from 'zod';

/** The granularity of a query that names none. */
export const defaultGranularity = 'PT1M';

/** Most points that one query may ask for. */
export const mostPoints = 1440;

/** Most points where the query asks for a speed metric. */
export const mostSpeedPoints = 72;

const zonedTime = z.iso.datetime({ offset: true });

/**
 * Epoch milliseconds of an ISO 8601 time with `Z` or a numeric offset, with or without colon or fraction. Undefined
 * where it is not one: without a zone, or a day that does not exist.
 */
export const parseInstant = (text: string): number | undefined => {
  const withColon = text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2');
  return zonedTime.safeParse(withColon).success ? Date.parse(withColon) : undefined;
};

const durationForm = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)S)?)?$/;
const durationUnits = [604_800_000, 86_400_000, 3_600_000, 60_000, 1000];

/**
 * Milliseconds of an ISO 8601 duration in weeks, days, hours, minutes and seconds. Undefined where it is not one,
 * is empty or zero, or has years or months, which have no fixed length.
 */
export const granularityMilliseconds = (duration: string): number | undefined => {
  const match = durationForm.exec(duration);
  if (!match) return undefined;
  const total = durationUnits.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0);
  return total > 0 && Number.isSafeInteger(total) ? total : undefined;
};

/** How many points a range has at a granularity, all in milliseconds. A last short interval counts as one. */
export const countPoints = (from: number, to: number, granularity: number): number =>
  Math.ceil((to - from) / granularity);
