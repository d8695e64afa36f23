import { z } from '../../bellhop/bellhop.ts';

import { readAs, readMoment } from '../../command/grammar/words.ts';

/** A count or an id. */
export function numberOption() {
  const takes = 'takes a whole number, 0 or more';
  return z.number(takes).int(takes).nonnegative(takes).optional();
}

/** The name of something, as typed. @param asked what to say where it is empty */
export const nameOf = (what: string, asked = `name a ${what}`) =>
  z.string().trim().min(1, asked).max(255, `that is too long for a ${what}`);

/** A person as Slack writes a mention: `@U…`, or `@T…/U…` for somebody of another organisation. */
export const personText = z
  .string()
  .trim()
  .regex(/^@?(?:[TE][A-Z0-9]{1,30}\/)?[UW][A-Z0-9]{1,30}$/u, 'is a person: pick them after typing @')
  .transform((text) => text.replace('@', ''));

/** A channel as Slack writes one that was picked: `#C…`. What has only a name cannot be looked up. */
export const channelText = z
  .string()
  .trim()
  .regex(/^#?[CGD][A-Z0-9]{1,30}$/u, 'is a channel: pick it after typing #, or give its id, such as C0OPS')
  .transform((text) => text.replace('#', ''));

/** A moment with its zone, read to epoch milliseconds. */
export const momentText = z
  .string()
  .trim()
  .max(40, 'that is too long for a time')
  .transform(
    readAs(readMoment, 'is a time with its zone, such as 2026-12-24T19:00Z or 2026-12-24T20:00+01:00'),
  );
