import shortcodes from 'emojibase-data/en/shortcodes/iamcal.json' with { type: 'json' };

/** Slack’s names of emoji: it takes them from iamcal’s emoji-data. */
const glyphs = new Map(
  Object.entries(shortcodes).flatMap(([codePoints, names]) =>
    [names].flat().map((name) => /** @type {const} */ ([name, glyphOf(codePoints)])),
  ),
);

/** @param {string} codePoints in hex, such as `2611-FE0F` */
function glyphOf(codePoints) {
  return String.fromCodePoint(...codePoints.split('-').map((point) => Number.parseInt(point, 16)));
}

/**
 * The glyph of a shortcode, without skin tones; undefined for a name that Slack does not know.
 * @param {string} name without colons, such as `white_check_mark`
 * @returns {string | undefined}
 */
export function emojiGlyph(name) {
  return glyphs.get(name);
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
