import { z } from 'zod';

import { readAs } from './words.ts';

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};

/** Ten years: no command looks further back. */
const longestDays = 3660;

/** Reads `15m`, `2h`, `1d12h`, `7d` as milliseconds; undefined where it is no duration, zero or more than ten years. */
export function readDuration(text: string): number | undefined {
  if (!/^(?:\d{1,6}[smhdw])+$/u.test(text)) return undefined;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d{1,6})([smhdw])/gu))
    total += Number(count) * (units[unit ?? ''] ?? 0);
  return total > 0 && total <= longestDays * 86_400_000 ? total : undefined;
}

/** A duration as typed, read to milliseconds. */
export const durationText = z
  .string()
  .trim()
  .transform(readAs(readDuration, `is a time such as 15m, 2h, 1d12h or 7d, at most ${longestDays}d`));

const forms = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** Reads `2026-12-24T19:00Z` or `2026-12-24T20:00:00+01:00` as epoch milliseconds; undefined without a zone, or where it never is. */
export const readMoment = (text: string): number | undefined =>
  forms.some((form) => form.safeParse(text).success) ? Date.parse(text) : undefined;
