import { z } from 'zod';

/** A count or an id. */
export function numberOption() {
  const takes = 'takes a whole number, 0 or more';
  return z.number(takes).int(takes).nonnegative(takes).optional();
}

/** The name of something, as typed. @param asked what to say where it is empty */
export const nameOf = (what: string, asked = `name a ${what}`) =>
  z.string().trim().min(1, asked).max(255, `that is too long for a ${what}`);
