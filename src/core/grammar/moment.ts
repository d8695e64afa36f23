import { z } from 'zod';

const forms = [z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })];

/** Reads `2026-12-24T19:00Z` or `2026-12-24T20:00:00+01:00` as epoch milliseconds; undefined without a zone, or where it never is. */
export const readMoment = (text: string): number | undefined =>
  forms.some((form) => form.safeParse(text).success) ? Date.parse(text) : undefined;
