import { createRedactor } from '../../command/redactor.ts';

/** Hides what must not be shown in a text. */
export type MaskText = (text: string) => string;

/** Hides these secrets in every form that the mask knows, then what the given mask hides. */
export function hiding(secrets: readonly string[], more: MaskText = (text) => text): MaskText {
  const own = createRedactor();
  for (const secret of secrets) own.learn(secret);
  return (text) => more(own.redact(text));
}

/** One line without control or text-direction characters. */
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
