import { z } from 'zod';

/** The latest time that a Date can represent. */
const latest = 8_640_000_000_000_000;

/**
 * Parts that each surface renders differently: a time in the reader's zone; people, user groups and channels by name.
 * `at` is epoch milliseconds. `person` is `U…` from the bot's team or `T…/U…` from another team.
 */
export const namedPart = z.union([
  z.object({ at: z.number().min(-latest).max(latest) }),
  z.object({ person: z.string() }),
  z.object({ usergroup: z.string() }),
  z.object({ channel: z.string() }),
]);
export type NamedPart = Readonly<z.output<typeof namedPart>>;

export const textPart = z.union([z.string(), namedPart]);
export type TextPart = string | NamedPart;

/** Returns the part as plain text, with times in UTC and with ids instead of names. */
export function plainPart(part: TextPart): string {
  if (typeof part === 'string') return part;
  if ('at' in part) return utc(part.at);
  if ('person' in part) return part.person;
  return 'usergroup' in part ? part.usergroup : part.channel;
}

/** `2026-11-21 14:05:09 UTC` */
const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

export const commaSeparated = (parts: readonly TextPart[]): TextPart[] =>
  parts.flatMap((part, index) => (index === 0 ? [part] : [', ', part]));

export const factOf = (
  label: string,
  parts: readonly TextPart[],
): { readonly label: string; readonly value: string; readonly parts: TextPart[] } => ({
  label,
  value: parts.map(plainPart).join(''),
  parts: [...parts],
});
