import { z } from 'zod';

/** The latest time that a Date can represent. */
const latest = 8_640_000_000_000_000;

/**
 * Parts that each surface renders itself: a time in the reader's zone, people, user groups and channels by name. `at`
 * is epoch milliseconds; `person` is `U…` of the bot's team or `T…/U…` of another.
 */
export const namedPart = z.union([
  z.object({ at: z.number().min(-latest).max(latest) }),
  z.object({ person: z.string() }),
  z.object({ usergroup: z.string() }),
  z.object({ channel: z.string() }),
]);
export type NamedPart = Readonly<z.output<typeof namedPart>>;

/** Plain text, or a part that a surface renders. */
export const textPart = z.union([z.string(), namedPart]);
export type TextPart = string | NamedPart;

/** The part as plain text: times in UTC, ids. */
export function plainPart(part: TextPart): string {
  if (typeof part === 'string') return part;
  if ('at' in part) return utc(part.at);
  if ('person' in part) return part.person;
  return 'usergroup' in part ? part.usergroup : part.channel;
}

/** `2026-11-21 14:05:09 UTC` */
const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** `one, two` of a list of parts. */
export const commaSeparated = (parts: readonly TextPart[]): TextPart[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));

/** A fact with moments, people or channels in it. */
export const factOf = (
  label: string,
  parts: readonly TextPart[],
): { readonly label: string; readonly value: string; readonly parts: TextPart[] } => ({
  label,
  value: parts.map(plainPart).join(''),
  parts: [...parts],
});
