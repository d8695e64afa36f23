export type Mask = (text: string) => string;

const hidden = '•••';

/**
 * Hides the API key, then whatever the given mask hides. A key of a few letters is hidden as a word only: as a
 * part of words it would make every text unreadable and hide nothing.
 */
export function createMask(apiKey: string, more: Mask = (text) => text): Mask {
  if (apiKey.length >= 8) return (text) => more(text.replaceAll(apiKey, hidden));
  const escaped = apiKey.replaceAll(/\W/g, String.raw`\$&`);
  const asWord = new RegExp(`(?<![\\w-])${escaped}(?![\\w-])`, 'g');
  return (text) => more(text.replaceAll(asWord, hidden));
}
