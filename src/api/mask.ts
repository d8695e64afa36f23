export type Mask = (text: string) => string;

const hidden = '•••';

/**
 * Hides secrets, each line of one that has several too. A secret of a few letters is hidden as a word only: as a
 * part of words it would make every text unreadable and hide nothing.
 */
export function createMask(secrets: readonly string[], more: Mask = (text) => text): Mask {
  const lines = secrets.flatMap((secret) => [secret, ...secret.split(/[\r\n]+/)]);
  // The longest first: a secret that another begins with must not leave the rest of it readable.
  const longestFirst = [...new Set(lines.filter((line) => line.trim() !== ''))].toSorted(
    (one, other) => other.length - one.length,
  );
  const patterns = longestFirst.map(hiddenPattern);
  return (text) => more(patterns.reduce((masked, pattern) => masked.replaceAll(pattern, hidden), text));
}

function hiddenPattern(secret: string): RegExp {
  const escaped = secret.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return new RegExp(secret.length >= 8 ? escaped : `(?<![\\w-])${escaped}(?![\\w-])`, 'g');
}
