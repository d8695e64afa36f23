import { emojiGlyph } from '../page/text/emoji.js';

/** Whether an emoji has this name, without colons; a skin tone may follow: `thumbsup::skin-tone-2`. */
export function isReaction(name: string): boolean {
  const [, bare] = /^([a-z0-9_+-]+)(?:::skin-tone-[2-6])?$/.exec(name) ?? [];
  return bare !== undefined && emojiGlyph(bare) !== undefined;
}
