import { BellhopError } from '../../model/errors.ts';

/**
 * Control characters other than white space, and whatever is blank, shows nothing or turns the direction of text: they
 * can hide what is asked for from whoever reads the card. What letters and emoji are joined and shaped with (U+200C,
 * U+200D, U+FE0E, U+FE0F) is none of these.
 */
export const hiddenCharacter =
  /[^\P{Cc}\t\n\r]|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|[\u2800\p{Zl}\p{Zp}\uFFF9-\uFFFB]/u;

/** Looks through text, lists and objects. @throws BellhopError `bad-input` */
export function refuseHidden(value: unknown): void {
  if (typeof value === 'string' && hiddenCharacter.test(value)) {
    throw new BellhopError(
      'bad-input',
      'There are invisible characters in that. Type it instead of pasting it. Nothing was done.',
    );
  }
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(value)) refuseHidden(part);
}

/** Longer text is refused unread: no command of ours needs it. In UTF-16 units. */
export const longestText = 3000;

/** Before anything else looks at the text. @throws BellhopError `bad-input` over {@link longestText} */
export function refuseLongText(text: string): void {
  if (text.length <= longestText) return;
  throw new BellhopError(
    'bad-input',
    `That is ${text.length} characters long; a command takes at most ${longestText}. Nothing was done.`,
  );
}

/** What a person typed, short enough to be repeated to them: at most `most` characters, none of them halved. */
export function abridged(typed: string, most = 40): string {
  const start = Array.from(typed.slice(0, 2 * most + 2));
  return start.length > most ? `${start.slice(0, most).join('')}…` : typed;
}
