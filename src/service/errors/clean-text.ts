import { createRedactor } from '../../command/redactor.ts';

/** Text with what must not be seen hidden. */
export type MaskText = (text: string) => string;

/** Hides these secrets, in every form that core's mask knows, then whatever the given mask hides. */
export function hiding(secrets: readonly string[], more: MaskText = (text) => text): MaskText {
  const own = createRedactor();
  for (const secret of secrets) own.learn(secret);
  return (text) => more(own.redact(text));
}

/** One line without control characters or marks that turn the direction of the text. */
export function clipLine(text: string, longest: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= longest) return line;
  const cut = line.slice(0, longest - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
