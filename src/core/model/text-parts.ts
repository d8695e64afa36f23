import { z } from 'zod';

/** What a Date can hold. */
const latest = 8_640_000_000_000_000;

/**
 * What a surface shows in a way of its own: a moment in the reader's zone, people, user groups and channels by name.
 * `at` is epoch milliseconds; `person` is `U…` of the own team or `T…/U…` of another.
 */
export const namedPart = z.union([
  z.object({ at: z.number().min(-latest).max(latest) }),
  z.object({ person: z.string() }),
  z.object({ usergroup: z.string() }),
  z.object({ channel: z.string() }),
]);
export type NamedPart = Readonly<z.output<typeof namedPart>>;

/** A piece of text: words as they are, or something that a surface names. */
export const textPart = z.union([z.string(), namedPart]);
export type TextPart = string | NamedPart;

/** A piece of text for where nothing can be named: times in UTC, ids. */
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
