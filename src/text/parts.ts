import { z } from 'zod';

const latest = 8_640_000_000_000_000;

/**
 * Each surface renders these parts itself. `at` is a time in epoch milliseconds, shown in the reader's zone. The others
 * are ids, shown as names. `person` is `U…` from the bot's team or `T…/U…` from another team, with the name if that is
 * known.
 */
export const namedPart = z.union([
  z.object({ at: z.number().min(-latest).max(latest) }),
  z.object({ person: z.string(), name: z.string().optional() }),
  z.object({ usergroup: z.string() }),
  z.object({ channel: z.string() }),
]);
export type NamedPart = Readonly<z.output<typeof namedPart>>;

export const textPart = z.union([z.string(), namedPart]);
export type TextPart = string | NamedPart;

/** A link to a message, or only its text. */
export interface LinkPart {
  readonly text: string;
  readonly link: string | undefined;
}

/** Returns the part as plain text, with times in UTC and with ids instead of names. */
export function plainPart(part: TextPart | LinkPart): string {
  if (typeof part === 'string') return part;
  if ('link' in part) return part.text;
  if ('at' in part) return utc(part.at);
  if ('person' in part) return part.person;
  return 'usergroup' in part ? part.usergroup : part.channel;
}

/** Returns the parts as plain text that is read soon, with known names and times of day: `by Bob until 15:03 UTC`. */
export const spokenText = (parts: readonly TextPart[]): string => parts.map(spokenPart).join('');

function spokenPart(part: TextPart): string {
  if (typeof part === 'string') return part;
  if ('at' in part) return `${new Date(part.at).toISOString().slice(11, 16)} UTC`;
  return 'person' in part ? (part.name ?? part.person) : plainPart(part);
}

/** Returns text such as `2026-11-21 14:05:09 UTC`. */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

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
