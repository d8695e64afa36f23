import { glyphs } from './emoji-names.js';

/**
 * The glyph of a shortcode, skin tones left out; undefined for a name that Slack does not know.
 * @param {string} name without colons, such as `white_check_mark`
 * @returns {string | undefined}
 */
export function emojiGlyph(name) {
  return Object.hasOwn(glyphs, name) ? glyphs[name] : undefined;
}

/**
 * Text with every known `:shortcode:` drawn.
 * @param {string} text
 */
export function withEmoji(text) {
  return text.replaceAll(
    /:([a-z0-9_+-]+):(?::skin-tone-[2-6]:)?/g,
    (typed, name) => emojiGlyph(String(name)) ?? typed,
  );
}
