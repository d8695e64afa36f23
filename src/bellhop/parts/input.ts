import { z } from 'zod';

import { readAs, readMoment } from '../../text/words.ts';

export function numberOption(takes = 'must be a whole number, 0 or more') {
  const error = ({ code }: z.core.$ZodRawIssue) => (code === 'too_big' ? 'is too large' : takes);
  return z.number({ error }).int({ error }).nonnegative(takes).optional();
}

/** @param what a noun with its article, such as `a bucket` */
export const nameOf = (what: string, { most = 255 } = {}) =>
  z.string().trim().min(1, 'is empty').max(most, `is too long: ${what} has at most ${most} characters`);

/** Accepts a person as in a Slack mention: `@U…`, or `@T…/U…` for another organization. */
export const personText = z
  .string()
  .trim()
  .regex(/^@?(?:[TE][A-Z0-9]{1,30}\/)?[UW][A-Z0-9]{1,30}$/u, 'must be a person. Type @ and pick one')
  .transform((text) => text.replace('@', ''));

/** Accepts a channel as in a picked Slack link: `#C…`. A bare name can't be looked up. */
export const channelText = z
  .string()
  .trim()
  .regex(/^#?[CGD][A-Z0-9]{1,30}$/u, 'must be a channel. Type # and pick one, or enter its id, such as C0OPS')
  .transform((text) => text.replace('#', ''));

/** Parses a time with its zone to epoch milliseconds. */
export const momentText = z
  .string()
  .trim()
  .max(40, 'is too long: a time has at most 40 characters')
  .transform(
    readAs(readMoment, 'must be a time with its zone, such as 2026-12-24T19:00Z or 2026-12-24T20:00+01:00'),
  );
