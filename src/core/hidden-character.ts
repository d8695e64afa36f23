import { BellhopError } from './errors.ts';

/**
 * Control characters other than white space, and formatting that shows nothing or turns the direction of text: they
 * can hide what is asked for from whoever reads the card. What emoji are joined with is none of these.
 */
export const hiddenCharacter =
  /[^\P{Cc}\t\n\r]|[\u{AD}\u{61C}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{2069}\u{FFF9}-\u{FFFB}]/u;

/** Looks through text, lists and objects. @throws BellhopError `bad-input` */
export function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && hiddenCharacter.test(value)) {
    throw new BellhopError(
      'bad-input',
      'There are invisible characters in that. Type it anew instead of pasting it. Nothing was done.',
    );
  }
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) refuseHidden(part);
}
